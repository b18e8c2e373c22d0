"""python -m tests.benchmarks.engine SUITE (with roofline.md)."""
