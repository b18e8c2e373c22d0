"""Tree, synopsis, outline, formatting."""
