"""TriForce (arXiv 2404.11912), simplified: drafts that are themselves drafted.

The target drafts over a retrieval cache, selected once and not renewed, and a cheaper drafter guesses ahead
for it, so that one pass over that cache brings several draft tokens. In the original the cheaper drafter is a
small model of the same family over a cache of its newest tokens, the retrieval cache holds chunks and not
single positions, and both levels verify by rejection sampling. Here a small model made of the model's own
layers guesses ahead (`small_model`), or n-grams of the text, or the feature drafter, and both levels compare
tokens drawn with the shared noise. What is drafted is the same with and without the first level; only its
cost differs.
"""

from __future__ import annotations

from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.drafter import Drafter, DrafterInput, Observed
from quire_engine.drafting.paper.partial_cache_drafter import GAMMA, PartialDrafter
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.attention import PartialPass


class HierarchicalDrafter(PartialDrafter):
    """A chain by the target over a static partial cache, guessed ahead by another drafter.

    Args:
        runner: the target.
        guesser: guesses ahead, one chain at a time.
        budget: positions of the partial cache.
    """

    def __init__(self, runner: PassRunner, guesser: Drafter, budget: int) -> None:
        super().__init__(runner, None, budget, "static")
        self._guesser = guesser
        self.num_partial_passes = 0

    def reset(self) -> None:
        """Forget the selection, and what the guesser knows by position."""
        super().reset()
        self._guesser.reset()

    def observe(self, observed: Observed) -> None:
        """Let the guesser learn."""
        self._guesser.observe(observed)

    def _draft_after(self, pass_: PartialPass, path: list[int], request: DrafterInput) -> None:
        """Add rows as far as the guesses hold, and the one after them, with one partial pass."""
        guesses = self._guessed(path, request)
        self.num_partial_passes += 1
        _, hidden = self._forward(pass_, [request.root_token, *path, *guesses])
        rows = self._rows_of(hidden[len(path) :])
        self._rows.append(rows[0])
        held = list(path)
        for guess, row in zip(guesses, rows[1:], strict=True):
            best = self._proposed(len(held), held, request).token_ids
            if best[:1] != (guess,):
                break
            held.append(guess)
            self._rows.append(row)

    def _guessed(self, path: list[int], request: DrafterInput) -> list[int]:
        """Return the guesser's best chain after a path, as far as the draft goes."""
        self._guesser.begin(request)
        tree, node = DraftTree(request.root_token), ROOT
        for depth in range(min(GAMMA, request.max_depth) - 1):
            found = self._guesser.expand(tree, [node])[0].token_ids  # along the path, too: it learns the way
            if depth >= len(path) and not found:
                break
            node = tree.add_child(node, path[depth] if depth < len(path) else found[0])
        return tree.tokens[1 + len(path) :]
