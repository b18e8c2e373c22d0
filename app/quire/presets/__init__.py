"""Sampling presets."""
