"""Commands, events, queries, configuration, errors: frozen dataclasses, no torch."""
