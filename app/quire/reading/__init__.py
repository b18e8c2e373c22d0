"""Reading view, focus mode."""
