"""What the window shows, as numbers and states: QtCore only."""
