"""Find and replace, in the text and in the book."""
