"""The open project as coroutines over its storage thread."""
