"""Longer proofs that nothing is lost: `python -m quire.proofs --minutes N`."""
