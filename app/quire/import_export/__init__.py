"""Import, export, print."""
