"""Misspellings, suggestions, word list."""
