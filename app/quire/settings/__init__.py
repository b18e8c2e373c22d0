"""What is remembered between starts, and the interface language."""
