"""Crash notes of this and the last start; no text of a book gets in."""
