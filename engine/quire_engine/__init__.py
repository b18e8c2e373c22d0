"""The decoding engine: knows models and tokens, and nothing of windows or project files."""
