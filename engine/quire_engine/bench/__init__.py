"""Measurements: always ratios in one run, always against `transformers.generate` too."""
