"""python -m tests.proofs.app: kill, power-cut, fault and hostile-file checks."""
