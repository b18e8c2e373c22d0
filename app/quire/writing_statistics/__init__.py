"""Sessions, book goal, streak."""
