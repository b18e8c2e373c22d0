"""The project file; the only package that knows SQL."""
