"""`python -m tests.benchmarks.app`: latency and memory of the window over a big book."""

from __future__ import annotations

import sys

from tests.benchmarks.app.window_latency import main

if __name__ == "__main__":
    sys.exit(main())
