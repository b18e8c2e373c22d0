"""Trains the drafters of a model: its feature drafter, its heads."""
