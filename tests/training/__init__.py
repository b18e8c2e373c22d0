"""Makes the model, adapter and n-grams that Quire ships; `python -m tests.training --help`."""
