"""The commands without a window; no Qt, no torch."""
