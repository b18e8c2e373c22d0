"""The model catalog: inspect model folders, check whether they fit, download them. Needs no torch."""
