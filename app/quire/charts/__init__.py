"""Charts of a run, and warnings about the growing text."""
