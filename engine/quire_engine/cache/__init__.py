"""Keys and values of what the model has read."""
