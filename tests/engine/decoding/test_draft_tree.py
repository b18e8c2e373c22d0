from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quire_engine.decoding.draft_tree import ROOT, DraftTree
from tests.engine.tiny import few

PATHS = st.lists(st.lists(st.integers(0, 3), max_size=5), max_size=8)


def test_a_tree_of_its_root_alone_drafts_nothing() -> None:
    tree = DraftTree(7)
    assert (tree.tokens, tree.parents, tree.depth) == ([7], [-1], 0)
    assert tree.child(ROOT, 7) is None


def test_candidates_share_what_they_have_in_common() -> None:
    tree = DraftTree(7)
    tree.add_path([1, 2, 3])
    tree.add_path([1, 2, 4, 5])
    tree.add_path([2])
    assert tree.tokens == [7, 1, 2, 3, 4, 5, 2]
    assert tree.parents == [-1, 0, 1, 2, 2, 4, 0]
    assert tree.depth == 4


def test_the_same_token_at_another_place_is_another_node() -> None:
    tree = DraftTree(1)
    tree.add_path([1, 1, 1])
    assert tree.parents == [-1, 0, 1, 2]
    assert tree.child(tree.child(ROOT, 1) or -1, 1) == 2


@few
@given(PATHS)
def test_a_tree_holds_exactly_the_prefixes_of_its_candidates(paths: list[list[int]]) -> None:
    tree = DraftTree(9)
    for path in paths:
        tree.add_path(path)
    prefixes = {tuple(path[:end]) for path in paths for end in range(1, len(path) + 1)}
    spelt = []
    for node in range(1, len(tree.tokens)):
        tokens: list[int] = []
        at = node
        while at != ROOT:
            assert tree.parents[at] < at  # a parent comes before its children, as a pass needs it
            tokens.insert(0, tree.tokens[at])
            at = tree.parents[at]
        spelt.append(tuple(tokens))
    assert len(spelt) == len(set(spelt))
    assert set(spelt) == prefixes
    assert tree.depth == max(map(len, prefixes), default=0)
    for prefix in prefixes:
        walked: int | None = ROOT
        for token in prefix:
            assert walked is not None
            walked = tree.child(walked, token)
        assert walked is not None
        assert spelt[walked - 1] == prefix
