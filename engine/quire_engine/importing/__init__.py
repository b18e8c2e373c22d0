"""Imports foreign model files: a GGUF file becomes an ordinary model folder, tensor by tensor."""
