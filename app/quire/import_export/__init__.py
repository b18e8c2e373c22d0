"""Import, export, print, plain-text mirror."""
