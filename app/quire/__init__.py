"""Quire: drafting novels with a local language model."""

__version__ = "0.1.0"
