"""What reaches the writer."""


class WriterProblem(Exception):
    """Something the writer has to know; the text is a sentence or two: what happened and what to do."""
