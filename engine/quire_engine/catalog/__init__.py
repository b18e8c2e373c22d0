"""The catalog of models: what a model folder is, whether it fits, where to get one. It needs no torch."""
