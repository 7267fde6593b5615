"""The rules of servers, each on servers that exist only to have it."""
