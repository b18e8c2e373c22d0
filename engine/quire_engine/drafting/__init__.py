"""Drafters and the planner that combines them. A draft token is only a proposal and never changes the
text."""
