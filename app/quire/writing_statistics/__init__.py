"""Writing sessions, book goal, streak."""
