"""The laws hold of every dialect, and catch dialects that are broken."""
