"""Book, tree, text, takes: no Qt, SQL or model."""
