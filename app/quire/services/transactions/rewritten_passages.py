"""Answers about passages, and the passages that they replaced. Plain functions for a storage thread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from quire.domain.drafting.rewriting import Rewrite, RewriteAnswer, RewriteOrder
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.provenance import Origin
from quire.storage.project_file import ProjectFile
from quire.storage.unit_of_work import UnitOfWork

ANSWERS = "rewriting.answers"
"""The setting of the project."""
MAX_ANSWERS = 60
MAX_CHARS = 300_000
"""Of all passages and answers together; the oldest answers give way."""


def answers(file: ProjectFile) -> tuple[RewriteAnswer, ...]:
    """Return the answers that the project keeps, the oldest first."""
    with file.reading() as unit:
        return tuple(_kept(unit))


def keep_answer(file: ProjectFile, answer: RewriteAnswer) -> tuple[RewriteAnswer, ...]:
    """Add an answer and return all that are kept."""
    with file.unit() as unit:
        kept = [*_kept(unit), answer][-MAX_ANSWERS:]
        while len(kept) > 1 and sum(len(one.passage) + len(one.text) for one in kept) > MAX_CHARS:
            del kept[0]
        unit.records.save_setting(ANSWERS, [_value(one) for one in kept])
        unit.commit()
    return tuple(kept)


def credit_model(file: ProjectFile, document_id: int, start: int, text: str) -> Document:
    """Store that words of a text are the model's; nothing if they are no longer there."""
    with file.unit() as unit:
        document = unit.manuscript.document(document_id)
        end = start + len(text)
        if not text or document.text[start:end] != text:
            return document
        whole = document.provenance
        own = whole.of(len(text), Origin.REWRITTEN)
        provenance = whole.part(0, start) + own + whole.part(end, whole.num_chars)
        document = replace(document, provenance=provenance)
        unit.manuscript.save(document)
        unit.commit()
    return document


def _value(answer: RewriteAnswer) -> list[object]:
    kind, wish = answer.order.kind.value, answer.order.wish
    return [answer.document_id, answer.passage, kind, wish, answer.seed, answer.model, answer.text]


def _kept(unit: UnitOfWork) -> Iterator[RewriteAnswer]:
    """Return the stored answers; one that can't be understood is left out."""
    stored = unit.records.setting(ANSWERS)
    for value in stored if isinstance(stored, list) else ():
        match value:
            case [int(document_id), str(passage), str(kind), str(wish), int(seed), str(model), str(text)]:
                if kind in {one.value for one in Rewrite}:
                    order = RewriteOrder(Rewrite(kind), wish)
                    yield RewriteAnswer(document_id, passage, order, seed, model, text)
            case _:
                pass
