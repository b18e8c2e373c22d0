"""python -m tests.benchmarks.app: latency and memory of the window."""
