"""Benchmarks; they run from a checkout."""
