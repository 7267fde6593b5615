"""Each dialect feature by feature: what its reader makes of it, what its writer gives back, what crosses to the other one."""
