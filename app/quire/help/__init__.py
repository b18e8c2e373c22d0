"""Manual, About, and the problem report."""
