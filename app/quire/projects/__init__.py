"""The open project: new, open, welcome page, autosave, backups, shutdown."""
