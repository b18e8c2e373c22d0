"""CUDA only: graphs, static passes, several cards; experimental until run on a card."""
