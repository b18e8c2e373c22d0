"""Drafters that exist only for the TokenSwift paper's experiments."""
