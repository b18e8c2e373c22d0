"""Charts of a run, alarms about the growing text."""
