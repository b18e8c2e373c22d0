"""The model changes a passage: its answer stands beside the old words until the writer keeps it."""
