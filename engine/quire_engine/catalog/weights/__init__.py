"""The weights of a model by the names of its family, wherever and however they are stored."""
