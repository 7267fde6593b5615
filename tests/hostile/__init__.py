"""Bad input of every kind: a clear error at the right place, or nothing lost; never an exception, never a hang."""
