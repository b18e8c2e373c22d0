"""The model library: what a model folder is, whether it fits, where to get one. Nothing here imports torch."""
