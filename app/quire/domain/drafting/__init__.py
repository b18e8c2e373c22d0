"""Runs, goals, presets, steering, prompt, time."""
