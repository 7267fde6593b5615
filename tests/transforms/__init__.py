"""Transforms of histories: their laws, what each does, and what others get wrong."""
