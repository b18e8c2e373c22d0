"""Crash reports of this and the last start; they never contain the text of a book."""
