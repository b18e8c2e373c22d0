"""Comments in the margin: the writer's remarks on words, which no model, count or search sees."""
