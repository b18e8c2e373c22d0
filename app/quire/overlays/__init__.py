"""Overlays, repetition and alternatives."""
