"""Numbers about text and runs; pure Python.

word: a stretch of characters without white space or dashes that holds a letter or a digit.
tokens_per_s: generated tokens / seconds spent in passes; reading and pauses are not counted.
"""
