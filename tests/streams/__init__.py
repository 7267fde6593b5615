"""Deltas, their folds, and the streams of dialects."""
