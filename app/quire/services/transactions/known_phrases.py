"""Texts whose phrases may recur in a draft, and what was counted in them.

All of it only makes drafts faster. What was counted is stored when a draft has ended, found again by the
digest of its text, and counted anew where it is missing, damaged or of another text. Plain functions for a
storage thread.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from quire.domain.manuscript.manuscript import digest_of
from quire.storage.phrase_repository import PhraseTable
from quire.storage.problems import ProjectDamaged
from quire.storage.project_file import ProjectFile
from quire.storage.unit_of_work import UnitOfWork
from quire_engine.api.known_texts import CountedText, KnownText

MAX_NEW_CHARS = 1_000_000
"""Text without stored phrases that one draft counts, about a second's work; the next draft counts more."""
MAX_REPEATED_CHARS = 200_000
"""Of takes put aside, the newest: here each phrase counts, also those seen once, which are not stored."""

BLOCK_CHARS = 500_000
"""Of later chapters that are counted together: a phrase may come once in each of them. An edit outdates the
block that it is in."""

_BETWEEN = "\n\n"


def known_texts(file: ProjectFile, document_id: int, tokenizer: str) -> tuple[KnownText, ...]:
    """Return takes of a text put aside, and later texts of the book, with what was counted in them.

    Args:
        tokenizer: digest of the one that the model has; empty: nothing is stored for it.
    """
    with file.reading() as unit:
        takes = list(dict.fromkeys(_takes_aside(unit, document_id)))
        later = blocks_of(list(_later_texts(unit, document_id)))
        sources = {digest_of(text): text for text in (*takes, *later)}
        stored = unit.phrases.of(tokenizer, sources.keys()) if tokenizer else {}
    repeated, new = MAX_REPEATED_CHARS, MAX_NEW_CHARS
    found: list[KnownText] = []
    for text in takes:
        if (repeated := repeated - len(text)) >= 0:
            found.append(KnownText(text))
            sources.pop(digest_of(text))
    for source, text in sources.items():
        data = stored.get(source, b"")
        if data or (new := new - len(text)) >= 0:
            found.append(KnownText(text, data))
    return tuple(found)


def store_counted(
    file: ProjectFile, tokenizer: str, known: Sequence[KnownText], counted: Sequence[CountedText]
) -> None:
    """Store what a draft counted in known texts, in place of what was counted in others."""
    tables = {
        (source := digest_of(known[one.place].text)): PhraseTable(
            source, tokenizer, one.max_context, one.num_tokens, one.data
        )
        for one in counted
    }
    with file.unit() as unit:
        for source in unit.phrases.of(tokenizer, tables.keys()):
            del tables[source]
        if tables:
            unit.phrases.keep_only({digest_of(one.text) for one in known})
            unit.phrases.save(tuple(tables.values()))
            unit.commit()


def _takes_aside(unit: UnitOfWork, document_id: int) -> Iterator[str]:
    """Yield the texts of takes put aside, the newest first."""
    for take in reversed(unit.takes.of(document_id).all):
        if take.stands:
            continue
        with contextlib.suppress(ProjectDamaged):
            if text := unit.takes.text(take.take_id).text:
                yield text


def _later_texts(unit: UnitOfWork, document_id: int) -> Iterator[str]:
    order = [node.node_id for node in unit.manuscript.tree().reading_order()]
    for number in order[order.index(document_id) + 1 :] if document_id in order else []:
        if text := unit.manuscript.document(number).text:
            yield text


def blocks_of(texts: Sequence[str]) -> list[str]:
    """Return texts joined to blocks, the first ones first.

    They are cut from the end, so that the same blocks follow whichever chapter is drafted.
    """
    blocks: list[str] = []
    block: list[str] = []
    for text in reversed(texts):
        if block and sum(map(len, block)) + len(text) > BLOCK_CHARS:
            blocks.append(_BETWEEN.join(reversed(block)))
            block = []
        block.append(text)
    if block:
        blocks.append(_BETWEEN.join(reversed(block)))
    return blocks[::-1]
