"""Spell checker in a process of its own."""
