"""Guesses about what comes next. A drafter is only a hint: no draft token can change the text."""
