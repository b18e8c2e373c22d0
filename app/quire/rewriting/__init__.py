"""Rewriting a passage: the model's answer is shown beside the old words until the writer keeps it."""
