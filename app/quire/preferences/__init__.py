"""The preferences dialog, shortcuts."""
