"""What the last draft wrote: where it begins, undoing it, redoing it. For a storage thread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import takewhile

from quire.domain.drafting.run import Run
from quire.domain.drafting.take_metrics import placed_spans
from quire.domain.manuscript.headings import all_headings, is_break
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.provenance import Origin
from quire.domain.manuscript.takes import Take, Takes
from quire.domain.manuscript.tree import Tree
from quire.errors import WriterProblem
from quire.services.transactions import project_text
from quire.services.transactions.take_changes import Branched, TakeChosen, branch_in, choose_in, put_aside
from quire.storage.project_file import ProjectFile
from quire.storage.unit_of_work import UnitOfWork
from quire_engine.api.user_message import UserMessage

_KNOWN_BY = (120, 40)
"""Characters beside the place where a stretch begins by which it is found in a text that was edited."""
_LONGEST_HEAD = 2_000
_KEPT = "kept_drafts"
"""The setting with the runs whose words the writer kept, and the tokens and characters of each then."""
_NOTHING_TO_TAKE_BACK = UserMessage(
    "This text doesn't end with a draft, so there is nothing to undo. Use Undo for your own changes."
)
NOTHING_TO_RETRY = UserMessage(
    "There is no draft at the end of this text to retry. Put the cursor where it should continue, "
    "then choose Redraft From Here."
)
NOTHING_BEFORE = UserMessage("There is no text to continue before that point. Choose a point further on.")
_NOTHING_TO_BRING_BACK = UserMessage(
    "There is no draft to redo at the end of this text. All takes are in the Takes panel."
)


@dataclass(frozen=True, slots=True)
class LastDraft:
    """What can be done about the last draft of a text; it is one draft in however many chapters it is.

    Attributes:
        begins_in: the text in which it begins; None where no draft can be undone here.
        start: where, in characters.
        num_chapters: the texts that it wrote into.
        aside: the take to put back at the end of the text; None where there is none.
        aside_at: how long the text must be for it.
    """

    begins_in: int | None = None
    start: int = 0
    num_chapters: int = 0
    aside: int | None = None
    aside_at: int = 0


@dataclass(frozen=True, slots=True)
class DraftPlace:
    """Where the words begin that a run wrote for its last request.

    Attributes:
        document: the text that they begin in.
        start: in characters of it.
        last: the text that they end in.
        num_chapters: from that text on.
    """

    document: Document
    start: int
    last: Document
    num_chapters: int


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The text that a draft began in, without the draft.

    Attributes:
        take_id: the take that it is now.
        tree: the book then, without the chapters that it made.
    """

    document: Document
    take_id: int
    tree: Tree


def look(file: ProjectFile, document_id: int, run: Run | None) -> LastDraft:
    """Return what can be done; `run` is the one that the text ends with, if any."""
    with file.reading() as unit:
        document = unit.manuscript.document(document_id)
        aside = _to_bring_back(unit.takes.of(document_id), len(document.text))
        found = LastDraft(aside=None if aside is None else aside.take_id, aside_at=len(document.text))
        place = None if run is None or not run.num_tokens else place_of(unit, run)
        if run is None or place is None or not ends_with(place.last, run.run_id):
            return found
        return replace(
            found, begins_in=place.document.document_id, start=place.start, num_chapters=place.num_chapters
        )


def num_drafted_chars(file: ProjectFile, run_id: int) -> int:
    """Return how many characters a run wrote."""
    with file.reading() as unit:
        return len(unit.runs.text(run_id))


def place_of(unit: UnitOfWork, run: Run) -> DraftPlace | None:
    """Return where the last words of a run begin that are in the book; None where none are.

    The writer may have changed some of them. A request whose words are all gone is passed over.
    """
    texts = _texts_of(unit, run)
    if not texts:
        return None
    whole = "".join(text.text for text in texts)
    drafted = unit.runs.text(run.run_id)
    first = _first_place(texts[0], run.run_id, drafted)
    starts = (_start_in(whole, drafted, begins, first) for begins in reversed(run.starts))
    start = next((place for place in starts if place < len(whole)), first)
    for number, text in enumerate(texts):
        if start <= len(text.text):  # a chapter that begins right there continues this text
            return DraftPlace(text, start, texts[-1], len(texts) - number)
        start -= len(text.text)
    return None


def _texts_of(unit: UnitOfWork, run: Run) -> list[Document]:
    """Return the text that a run began in and the chapters that hold words of it, in its order."""
    live = {node.node_id for node in unit.manuscript.tree().texts()}
    texts = [unit.manuscript.document(number) for number in run.texts if number in live]
    written = [text for text in texts if any(span.run_id == run.run_id for span in text.provenance.spans)]
    # a chapter that the run began continues the text before it; one that the writer split off does not
    if written and written[0].provenance.spans[0].run_id == run.run_id:
        before = [text for text in texts if text.document_id == run.texts[0] != written[0].document_id]
        written = before + written
    return written


def _start_in(whole: str, drafted: str, begins: int, first: int) -> int:
    """Return where the words begin that a run wrote after so many characters.

    Args:
        whole: the texts that it wrote into, one after the other.
        drafted: everything that it wrote.
        first: where its own words begin.
    """
    if not begins:
        return first
    place = len(whole) - len(drafted) + begins
    if place >= first and whole.endswith(drafted[begins:]):
        return place
    for known_by in _KNOWN_BY:
        before = drafted[max(begins - known_by, 0) : begins]
        place = whole.rfind(before) + len(before)
        if first <= place and before in whole:
            return place
        after = drafted[begins : begins + known_by]
        if after.strip() and (place := whole.rfind(after)) >= first:
            return place
    return first


def _first_place(document: Document, run_id: int, drafted: str) -> int:
    """Return where a run's own words begin in a document, after a heading that the document begins with.

    What the writer deleted there and brought back with Undo counts as written, and is still the run's.
    """
    places = (first for first, _, span in placed_spans(document) if span.run_id == run_id)
    own = next(places, len(document.text))
    if own == 0:
        return _head(document.text)
    for known_by in _KNOWN_BY:
        lead = drafted.find(document.text[own : own + known_by])
        if lead > 0 and document.text[:own].endswith(drafted[:lead]):
            return own - lead
    return own


def take_back(file: ProjectFile, run: Run) -> TakenBack:
    """Put aside what a run wrote last, as a take, with the chapters that it made, and put nothing in its
    place.
    """
    with file.unit() as unit:
        place = place_of(unit, run)
        if place is None or not ends_with(place.last, run.run_id):
            raise WriterProblem(_NOTHING_TO_TAKE_BACK)
        parent_id, start = unit.takes.of(place.document.document_id).innermost(place.start)
        document, take_id = put_aside(
            unit, place.document, parent_id, place.start - start, place.start, [run.run_id]
        )
        if take_id is None:
            raise WriterProblem(_NOTHING_TO_TAKE_BACK)
        unit.manuscript.save(document)
        taken_back = TakenBack(document, take_id, unit.manuscript.tree())
        project_text.keep_open(unit, document.document_id)
        unit.commit()
    return taken_back


def bring_back(file: ProjectFile, document_id: int, take_id: int | None = None) -> TakeChosen:
    """Put back a draft that was undone where the text ends; WriterProblem without one.

    The text in which it ends is returned.

    Args:
        take_id: None: the one that was put aside last. Words before it that were undone after it are back.
    """
    with file.unit() as unit:
        document = unit.manuscript.document(document_id)
        takes = unit.takes.of(document_id)
        take = _to_bring_back(takes, len(document.text))
        if take_id is not None and any(one.take_id == take_id and not one.stands for one in takes.all):
            take = _moved_to_end(unit, document, takes, takes[take_id])
        if take is None:
            raise WriterProblem(_NOTHING_TO_BRING_BACK)
        chapters = unit.aside.of(take.take_id)
        chosen = choose_in(unit, take.take_id)
        if chapters:
            live = {node.node_id for node in chosen.tree.reading_order()}
            last = next((number for number, _ in reversed(chapters) if number in live), document_id)
            chosen = replace(chosen, document=unit.manuscript.document(last))
        project_text.keep_open(unit, chosen.document.document_id)
        unit.commit()
    return chosen


def begin_again(file: ProjectFile, run: Run) -> Branched:
    """Put aside what a run wrote last, with the chapters that it made, and begin a new take in its place."""
    with file.unit() as unit:
        place = place_of(unit, run)
        if place is None:
            raise WriterProblem(NOTHING_TO_RETRY)
        before = project_text.text_before_in(unit, place.document.document_id)
        if not (before + place.document.text[: place.start]).strip():
            raise WriterProblem(NOTHING_BEFORE)
        branched = branch_in(unit, place.document, place.start, [run.run_id])
        project_text.keep_open(unit, place.document.document_id)
        unit.commit()
    return branched


def keep(file: ProjectFile, run: Run) -> None:
    """Note that the writer keeps what a run has written so far."""
    with file.unit() as unit:
        known = _kept(unit) | {run.run_id: (run.num_tokens, len(unit.runs.text(run.run_id)))}
        unit.records.save_setting(_KEPT, [[run_id, *written] for run_id, written in sorted(known.items())])
        unit.commit()


def kept(file: ProjectFile, document_id: int) -> dict[int, int]:
    """Return up to which place of a text the writer has kept the words of each run."""
    with file.reading() as unit:
        known, document = _kept(unit), unit.manuscript.document(document_id)
        here = {span.run_id for span in document.provenance.spans} & known.keys()
        runs = [run for run in unit.runs.all() if run.run_id in here]
        return {run.run_id: _kept_up_to(unit, run, document, *known[run.run_id]) for run in runs}


def _kept_up_to(unit: UnitOfWork, run: Run, document: Document, num_tokens: int, num_chars: int) -> int:
    if run.num_tokens <= num_tokens:
        return len(document.text)
    texts = _texts_of(unit, run)
    whole, drafted = "".join(text.text for text in texts), unit.runs.text(run.run_id)
    place = _start_in(whole, drafted, num_chars, _first_place(texts[0], run.run_id, drafted))
    before = takewhile(lambda text: text.document_id != document.document_id, texts)
    return place - sum(len(text.text) for text in before)


def _kept(unit: UnitOfWork) -> dict[int, tuple[int, int]]:
    stored = unit.records.setting(_KEPT)
    rows = [row for row in stored if isinstance(row, list)] if isinstance(stored, list) else []
    return {row[0]: (row[1], row[2]) for row in rows if [type(each) for each in row] == [int, int, int]}


def _moved_to_end(unit: UnitOfWork, document: Document, takes: Takes, take: Take) -> Take:
    """Move a take, and those that begin where it does, to the end of a text that has grown back before it."""
    end = len(document.text)
    if takes.standing().get(take.take_id) == end:
        return take
    parent_id, start = takes.innermost(end)
    for one in takes.beginning_at(take.parent_id, take.place):
        if not one.stands:
            unit.takes.save(replace(one, parent_id=parent_id, place=end - start))
    return unit.takes.of(document.document_id)[take.take_id]


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
