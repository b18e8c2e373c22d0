"""The thread, loading, one run from start to stop."""
