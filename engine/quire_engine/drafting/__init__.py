"""Guesses about what comes next. A drafter is only a hint: no guess can change the text."""
