"""Prompt, chat template, tokenization, banned phrases."""
