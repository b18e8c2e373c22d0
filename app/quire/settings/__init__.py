"""Stored preferences, and the interface language."""
