"""python -m tests.proofs.engine: equality, odds, device law, model-folder fuzzer."""
