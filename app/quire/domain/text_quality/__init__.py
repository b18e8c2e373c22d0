"""Echoes, loops, variety, alarms, overlay spans."""
