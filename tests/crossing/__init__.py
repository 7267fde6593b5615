"""Recorded requests of every dialect cross to every other: answered, valid there, and with nothing lost in silence."""
