"""The text area a writer lives in."""
