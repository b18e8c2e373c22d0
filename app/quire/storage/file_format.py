"""What the header of a project file says."""

SCHEMA_VERSION = 6
APPLICATION_ID = 0x51554952
"""'QUIR': what tells a project from any other SQLite file."""
