"""Drafts, pauses and resumes change neither the text, nor one bit of the cache, nor the odds."""
