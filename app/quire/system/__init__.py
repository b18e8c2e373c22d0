"""The operating system: folders, process, sleep, memory, atomic files."""
