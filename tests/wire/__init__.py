"""Judges of the converters: recorded traffic, the official SDKs' types, a count of what was lost. None knows a reader."""
