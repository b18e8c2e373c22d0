"""Use cases: what the window and the commands let a writer do."""
