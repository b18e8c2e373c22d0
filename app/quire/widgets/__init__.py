"""What the writer sees and presses; every widget shows a model and emits signals."""
