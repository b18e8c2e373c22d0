"""Reads files of other programs, in a process with limits."""
