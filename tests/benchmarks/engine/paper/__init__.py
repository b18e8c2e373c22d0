"""The experiments of the TokenSwift paper (arXiv 2502.18890), with Quire's own figures beside the paper's.

    python -m tests.benchmarks.engine paper --size small --work DIR

`suite` runs them and goes on where it stopped, `experiments` says what each one compares, `systems` what
takes part, `race` how time is taken, `lossless` what becomes of the text, `paper_figures` what the paper
reports.
"""
