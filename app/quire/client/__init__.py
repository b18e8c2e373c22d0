"""The door from the app to the engine thread."""
