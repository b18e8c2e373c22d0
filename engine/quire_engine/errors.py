"""Errors, split by whose fault they are."""


class EngineError(Exception):
    """Base of every error the engine raises on purpose."""


class EnvironmentProblem(EngineError):
    """The machine, the model or the request cannot do it. The text is a sentence for the writer."""


class EngineBug(EngineError):
    """An invariant broke. The text is for a bug report."""
