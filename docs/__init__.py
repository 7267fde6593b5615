"""The documentation, and the code that writes those parts of it which repeat what the package says of itself."""
