"""Plain functions that run on a storage thread, each stored whole or not at all."""
