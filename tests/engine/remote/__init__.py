"""Drafting with a model on a server."""
