"""The rules of servers, one module for each thing that they are about."""
