"""Numbers about text and runs; pure Python. These are the one set of definitions that every figure follows.

word: a stretch of characters without white space or dashes that holds a letter or a digit.
unit: a word or a punctuation mark as it is compared (`distinct_n.units_of`): what gauges of style count,
    so that one human band serves every model.
tokens_per_s: generated tokens / seconds spent in steps; reading and pauses are not counted.

step: one draft plus one verify pass. A plain step has `draft_depth` 0.
draft_depth: longest drafted path of a step, the root not counted: the paper's gamma, where that is fixed.
num_nodes: nodes of the tree, the root not counted.
num_accepted: draft tokens on the accepted path; neither the root nor the bonus token is one of them.
tokens_per_pass: mean number of tokens that a step adds; accepted + 1, unless a goal cut the last step.
alpha: acceptance rate (paper, Eq. 4): accepted / drafted depth, summed over steps. With a fixed depth it is
    the paper's accepted / (steps x gamma). Never accepted / nodes.
beta: n-gram acceptance rate (as the paper's released code counts it): accepted tokens of those steps whose
    whole accepted path came from phrases / drafted depth, summed over steps. It is a part of alpha.
phrase_share: accepted tokens credited to phrases / all accepted tokens (the window's "Phrase reuse").
source: a token that several drafters proposed is credited to the one that rated it highest.
kept_at_depth d: steps that accepted d tokens or more / steps that drafted d or deeper.

distinct_n: different n-grams / all n-grams of a text or of a window of it; 1 - distinct_n is repetition.
    By tokens it is the paper's Distinct-n, by units the window's "Variety".
speedup: time of a baseline / our time in one run, against our own plain decoding and against `generate`.
cost_of_a_pass: milliseconds of a verify pass / milliseconds of a plain, unpadded one.
ceiling: tokens_per_pass / cost_of_a_pass: the speed-up there would be if drafting and drawing were free.
"""
