"""Models on disk, downloads, drafter training."""
