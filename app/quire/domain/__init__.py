"""What a project is, without Qt, SQL or a model."""
