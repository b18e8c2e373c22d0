"""Widgets shared by several rooms."""
