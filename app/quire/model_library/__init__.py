"""Models: list, download, training of draft models."""
