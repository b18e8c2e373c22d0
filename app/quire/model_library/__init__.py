"""Models: list, download, training of its drafters."""
