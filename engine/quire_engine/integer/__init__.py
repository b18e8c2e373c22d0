"""Passes in whole numbers: the same bits at any width, with any number of threads, on any processor."""
