"""Colours, fonts and icons: the look of Quire in one place."""
