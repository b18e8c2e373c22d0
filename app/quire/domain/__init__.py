"""The model of a project, without Qt, SQL or a language model."""
