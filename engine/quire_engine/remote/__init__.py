"""Drafting with a model on an OpenAI-compatible server, behind the same messages as at home."""
