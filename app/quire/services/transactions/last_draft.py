"""What the last draft wrote: where it begins, undoing it, redoing it. For a storage thread."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile

from quire.domain.drafting.run import Run
from quire.domain.drafting.take_metrics import placed_spans
from quire.domain.manuscript.headings import all_headings, is_break
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.provenance import Origin
from quire.domain.manuscript.takes import Take, Takes
from quire.errors import WriterProblem
from quire.services.transactions.take_changes import choose, put_aside
from quire.storage.project_file import ProjectFile
from quire.storage.unit_of_work import UnitOfWork
from quire_engine.api.user_message import UserMessage
from quire_engine.metrics.word_count import end_of_word, ends_sentence

_KNOWN_BY = 120
"""Characters before a stretch by which its place is found in a text that was edited."""
_LONGEST_HEAD = 2_000
_NOTHING_TO_TAKE_BACK = UserMessage(
    "This text doesn't end with a draft, so there is nothing to undo. Use Undo for your own changes."
)
_NOTHING_TO_BRING_BACK = UserMessage(
    "There is no draft to redo at the end of this text. All takes are in the Takes panel."
)


@dataclass(frozen=True, slots=True)
class LastDraft:
    """What can be done about the last draft of a text.

    Attributes:
        start: where its last stretch begins, in characters; None where the text does not end with a draft.
        began_earlier: it began in a text before this one.
        aside: the take to put back at the end of the text; None where there is none.
        aside_at: how long the text must be for it.
        num_later: consecutive texts after this one that it continued in.
    """

    start: int | None = None
    began_earlier: bool = False
    aside: int | None = None
    aside_at: int = 0
    num_later: int = 0


def look(file: ProjectFile, document_id: int, run: Run | None) -> LastDraft:
    """Return what can be done; `run` is the one that the text ends with, if any."""
    with file.reading() as unit:
        document = unit.manuscript.document(document_id)
        aside = _to_bring_back(unit.takes.of(document_id), len(document.text))
        aside_id = None if aside is None else aside.take_id
        if run is None or not run.num_tokens:
            return LastDraft(aside=aside_id, aside_at=len(document.text))
        drafted = unit.runs.text(run.run_id)
        return LastDraft(
            start_of_stretch(document, drafted, run),
            _began_earlier(unit, document_id, run.run_id),
            aside_id,
            len(document.text),
            _num_later(unit, document_id, run.run_id),
        )


def start_of_last_stretch(file: ProjectFile, document_id: int, run: Run) -> int:
    """Return where in a document the words begin that a run wrote for the last request."""
    with file.reading() as unit:
        return start_of_stretch(unit.manuscript.document(document_id), unit.runs.text(run.run_id), run)


def start_of_stretch(document: Document, drafted: str, run: Run) -> int:
    """Return where in a document the words begin that a run wrote for the last request.

    Where these words began in another document, it is where the run's own words begin in this one, after a
    heading that they begin with. The writer may have changed some of them.

    Args:
        drafted: everything that it wrote.
    """
    own = [first for first, _, span in placed_spans(document) if span.run_id == run.run_id]
    if not own:
        return len(document.text)
    begins = _end_of_stretch(drafted, run.goal_start)
    tail = len(drafted) - begins
    place = len(document.text) - tail
    if place >= own[0] and document.text.endswith(drafted[begins:]):
        return place
    if begins and (known := drafted[max(begins - _KNOWN_BY, 0) : begins]):
        found = document.text.rfind(known)
        if found >= 0 and own[0] <= found + len(known) < len(document.text):
            return found + len(known)
    return _first_place(document, run.run_id)


def _first_place(document: Document, run_id: int) -> int:
    """Return where a run's own words begin in a document, after a heading that the document begins with."""
    own = next(first for first, _, span in placed_spans(document) if span.run_id == run_id)
    return _head(document.text) if own == 0 else own


def take_back(file: ProjectFile, document_id: int, run: Run) -> Document:
    """Put aside what a run wrote last, as a take, and put nothing in its place."""
    with file.unit() as unit:
        document = unit.manuscript.document(document_id)
        if not ends_with(document, run.run_id):
            raise WriterProblem(_NOTHING_TO_TAKE_BACK)
        if run.document_id != document_id:
            raise WriterProblem("This draft continues in another chapter. Undo it there first.")
        place = start_of_stretch(document, unit.runs.text(run.run_id), run)
        if place == len(document.text):  # the last request wrote nothing: use the one before it
            place = _first_place(document, run.run_id)
        parent_id, start = unit.takes.of(document_id).innermost(place)
        document = put_aside(unit, document, parent_id, place - start, place)
        unit.manuscript.save(document)
        unit.commit()
    return document


def bring_back(file: ProjectFile, document_id: int) -> Document:
    """Put back the take that was put aside last where the text ends; WriterProblem without one."""
    with file.reading() as unit:
        document = unit.manuscript.document(document_id)
        take = _to_bring_back(unit.takes.of(document_id), len(document.text))
    if take is None:
        raise WriterProblem(_NOTHING_TO_BRING_BACK)
    return choose(file, take.take_id, document_id)


def ends_with(document: Document, run_id: int) -> bool:
    """Return whether a document ends with a run's own words."""
    spans = document.provenance.spans
    return bool(spans) and spans[-1].kind == (Origin.DRAFTED, run_id)


def _to_bring_back(takes: Takes, end: int) -> Take | None:
    starts = takes.standing()
    found = [take for take in takes.all if starts.get(take.take_id) == end and not take.stands]
    return max((take for take in found if take.trashed is None), key=_put_aside_at, default=None)


def _put_aside_at(take: Take) -> tuple[datetime, int]:
    return take.updated or datetime.min.replace(tzinfo=UTC), take.take_id


def _began_earlier(unit: UnitOfWork, document_id: int, run_id: int) -> bool:
    """Return whether a run wrote the end of the text before a document, and continued in this one."""
    order = [node.node_id for node in unit.manuscript.tree().reading_order()]
    place = order.index(document_id) if document_id in order else 0
    return place > 0 and ends_with(unit.manuscript.document(order[place - 1]), run_id)


def _num_later(unit: UnitOfWork, document_id: int, run_id: int) -> int:
    """Return in how many of the texts right after a document a run continued."""
    order = [node.node_id for node in unit.manuscript.tree().reading_order()]
    later = order[order.index(document_id) + 1 :] if document_id in order else []
    wrote = (Origin.DRAFTED, run_id)
    texts = (unit.manuscript.document(one) for one in later)
    return sum(1 for _ in takewhile(lambda text: any(s.kind == wrote for s in text.provenance.spans), texts))


def _head(text: str) -> int:
    """Return where the words of a text begin, after the heading that it begins with."""
    start = text[:_LONGEST_HEAD]
    heading = next(iter(all_headings(start)), None)
    if (
        heading is None
        or start[: heading.start].strip()
        or is_break(start[heading.start : heading.end].strip())
    ):
        return 0
    return heading.end if start[heading.end :].strip() else 0


def _end_of_stretch(drafted: str, num_words: int) -> int:
    """Return where a run ended when it had this many whole words.

    A word counts once something follows it, so the one that the stretch ended with may not be among them.
    """
    counted = end_of_word(drafted, num_words)
    if num_words == 0 or ends_sentence(drafted[:counted].rpartition("\n")[2]):
        return counted
    return end_of_word(drafted, num_words + 1)
