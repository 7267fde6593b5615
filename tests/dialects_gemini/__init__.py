"""Gemini: identity, crossings, rules, losses and laws."""
