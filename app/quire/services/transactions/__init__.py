"""Plain functions for a storage thread, each stored whole or not at all."""
