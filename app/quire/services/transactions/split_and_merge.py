"""Splits and merges texts, also the one that a run writes into. Plain functions for a storage thread.

Runs are not changed: what a model has read is theirs, not the text's. A run can be resumed only in its own
text and only while the story up to its end is what it left, so one whose text was split or merged never is:
the text is shown without a paused draft, and Continue begins a new one.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import accumulate

from quire.domain.drafting.chapter_advance_rules import Turn
from quire.domain.drafting.run import Run, RunState
from quire.domain.drafting.take_metrics import runs_in
from quire.domain.manuscript import title_headings, tree_edits
from quire.domain.manuscript.chapter_splitting import MAX_CHARS, TextSection, cut
from quire.domain.manuscript.headings import all_headings
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.project_records import Snapshot, SnapshotReason
from quire.domain.manuscript.provenance import Origin, Provenance
from quire.domain.manuscript.takes import merged_takes, split_takes
from quire.domain.manuscript.tree import NodeKind, Tree, text_up_to
from quire.errors import WriterProblem
from quire.storage.project_file import ProjectFile
from quire.storage.unit_of_work import UnitOfWork
from quire_engine.api.heading_grammar import MAX_HEADING
from quire_engine.api.user_message import UserMessage, joined

_NUMBERED = re.compile(r"(?P<title>.*) \((?P<number>\d{1,4})\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Edited:
    """The result of an edit.

    Attributes:
        tree: the new one.
        open_id: the text to show from now on; None: the one that is shown.
        new_id: the new node.
        text_ids: texts that are new, changed or deleted.
        run_ids: runs that were deleted with their text.
        runs: every run that is left, where that changed.
        said: a message for the writer; empty: none.
    """

    tree: Tree
    open_id: int | None = None
    new_id: int | None = None
    text_ids: tuple[int, ...] = ()
    run_ids: tuple[int, ...] = ()
    runs: tuple[Run, ...] | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class Turned:
    """`first` is what stays of the text that the run wrote into; `rest` the one that it writes into now.

    Attributes:
        heading: how the heading of `rest` was changed, because Quire numbers the chapters.
    """

    tree: Tree
    first: Document
    rest: Document
    run: Run
    heading: title_headings.HeadingChange | None = None


def split(file: ProjectFile, document_id: int, place: int, title: str = "") -> Edited:
    """Split off everything from a place on into a new text, with the takes that begin there.

    Takes that begin before the place extend beyond it and stay; then a snapshot of the text is taken first.

    Args:
        title: of the second text; empty: its heading, or the number after that of the first where the next
            text has another one, or the title of the first with a number.
    """
    with file.unit() as unit:
        tree = unit.manuscript.tree()
        document = unit.manuscript.document(document_id)
        _refuse_running(unit, document_id)
        if not (document.text[:place].strip() and document.text[place:].strip()):
            raise WriterProblem(
                "There is nothing to split here: all the text is on one side. Put the cursor where "
                "the new text should begin."
            )
        reaching = len(split_takes(unit.takes.of(document_id), place, tree.next_id).reaching)
        snapshot = _keep(unit, f"Before splitting {document.title}", [document]) if reaching else ""
        new_id = tree.next_id
        title = title or _title_of(document, place) or _title_after(tree, document)
        tree = _split(unit, tree, document, place, title)
        runs = unit.runs.all()
        unit.commit()
    said = _said_of(reaching, snapshot)
    return Edited(tree, new_id, new_id, (document_id, new_id), runs=runs, said=said)


def merge(file: ProjectFile, document_id: int) -> Edited:
    """Merge a text, with its takes, into the one before it, and move it to the trash.

    The story reads as before. Where the first text has alternatives, the one in the text grows by the second
    text; then a snapshot of both is taken first.
    """
    with file.unit() as unit:
        tree = unit.manuscript.tree()
        merged = tree_edits.merged(tree, document_id, datetime.now(UTC))
        _refuse_running(unit, document_id, merged.into_id)
        first, second = unit.manuscript.document(merged.into_id), unit.manuscript.document(document_id)
        both = _joined(first, second)
        if len(both.text) > MAX_CHARS:
            raise WriterProblem(
                "Together they would have {length:,} characters; the limit is {most:,}. Move some "
                "text elsewhere before merging.",
                length=len(both.text),
                most=MAX_CHARS,
            )
        takes, into = unit.takes.of(document_id), unit.takes.of(merged.into_id)
        grows = sum(1 for take in into.all if not take.stands) if into.last is not None else 0
        snapshot = _keep(unit, f"Before merging {first.title}", [first, second]) if grows else ""
        unit.manuscript.save(both)
        offset = len(both.text) - len(second.text)
        unit.comments.join(document_id, merged.into_id, offset)
        for take in merged_takes(takes, into, merged.into_id, offset):
            unit.takes.save(take)
        for node in merged.nodes:
            unit.manuscript.save_node(node)
        unit.commit()
    said = (
        UserMessage(
            "The take at the end of the first text now includes the second text. {snapshot}",
            snapshot=snapshot,
        )
        if grows
        else ""
    )
    tree = tree_edits.changed(tree, merged.nodes)
    return Edited(tree, merged.into_id, text_ids=(merged.into_id, document_id), said=said)


def cut_long(file: ProjectFile, document_id: int, max_chars: int = MAX_CHARS) -> Edited:
    """Cut a text that is too long at its headings, or else between paragraphs; a shorter one stays whole."""
    with file.unit() as unit:
        tree = unit.manuscript.tree()
        document = unit.manuscript.document(document_id)
        if len(document.text) <= max_chars:
            return Edited(tree)
        _refuse_running(unit, document_id)
        pieces = _with_headings_of_parts(cut(document.text, max_chars=max_chars))
        if len(pieces) == 1:
            return Edited(
                tree,
                said=UserMessage(
                    "A paragraph is never divided, and “{title}” has only one.", title=document.title
                ),
            )
        places = [0, *accumulate(len(piece.text) for piece in pieces)]
        takes = unit.takes.of(document_id)
        reaching = len(split_takes(takes, places[1], tree.next_id).reaching)
        snapshot = _keep(unit, f"Before cutting {document.title}", [document]) if reaching else ""
        new_ids = []
        for number in range(len(pieces) - 1, 0, -1):  # from the last, so that earlier places stay valid
            new_ids.append(tree.next_id)
            title = _title_of_piece(pieces[number], document.title, number + 1)
            tree = _split(unit, tree, unit.manuscript.document(document_id), places[number], title)
        runs = unit.runs.all()
        unit.commit()
    said = UserMessage(
        "“{title}” was too long for one text, so it was split into {number}.",
        title=document.title,
        number=len(pieces),
    )
    more = _said_of(reaching, snapshot)
    text_ids = (document_id, *reversed(new_ids))
    return Edited(tree, None, None, text_ids, runs=runs, said=joined(said, more))


def split_off(
    unit: UnitOfWork, tree: Tree, document: Document, place: int, title: str, *, is_chapter: bool = False
) -> tuple[Tree, int]:
    """Split off what a run writes within a transaction; return the tree then, and the new text.

    Args:
        is_chapter: it is a chapter of its own, numbered on, and not the rest of one that has become too long.
    """
    new_id = tree.next_id
    title = title or _title_of(document, place)
    title = title or (_title_after(tree, document) if is_chapter else _numbered(document.title, 2))
    return _split(unit, tree, document, place, title, is_new=True), new_id


def advance_chapter(file: ProjectFile, run: Run, turn: Turn) -> Turned:
    """Split off everything from a place on into a new text, and continue the run there.

    The number in its heading becomes the next one of the book. A resumed run reads its own tokens, so it
    continues as if nothing had been changed.

    Args:
        turn: its place is in the text as far as it is stored; without a title it uses the heading there, or
            the next number.
    """
    with file.unit() as unit:
        document = unit.manuscript.document(run.document_id)
        unfolded = "".join(chunk.text for chunk in unit.runs.unfolded(run.run_id))
        document = document.drafted(unfolded, run.run_id)
        unit.manuscript.save(document)
        unit.runs.mark_folded(run.run_id)
        tree = unit.manuscript.tree()
        heading = _heading(tree, document, turn) if turn.title and turn.is_chapter else None
        title = turn.title if heading is None else heading.new + turn.title[heading.end - heading.start :]
        tree, new_id = split_off(unit, tree, document, turn.place, title, is_chapter=turn.is_chapter)
        first = unit.manuscript.document(document.document_id)
        rest = unit.manuscript.document(new_id)
        if heading is not None:
            rest = _with(rest, heading, run.run_id)
            unit.manuscript.save(rest)
        run = run.turned_to(new_id)
        unit.runs.save(run)
        unit.commit()
    return Turned(tree, first, rest, run, heading)


def _heading(tree: Tree, document: Document, turn: Turn) -> title_headings.HeadingChange | None:
    """Return how the heading of the new chapter changes, counted from the beginning of the chapter."""
    order = [node for node in tree.reading_order() if tree.is_read_before(node.node_id, document.document_id)]
    chapters = [node.title for node in order if node.kind is NodeKind.CHAPTER]
    written = [
        heading.title
        for heading in all_headings(document.text[: turn.place])
        if heading.kind is NodeKind.CHAPTER and not _is_drafted(document, heading.start)
    ]
    before = (*reversed(written), *reversed(chapters))
    return title_headings.numbered_on(document.text[turn.place :], turn.title, before, len(chapters))


def _is_drafted(document: Document, place: int) -> bool:
    """Return whether a model wrote a heading: its numbers do not count."""
    kind = document.provenance.kind_at(place)
    return kind is not None and kind[0].is_the_models


def _with(document: Document, change: title_headings.HeadingChange, run_id: int) -> Document:
    whole = document.provenance
    new = Provenance.of(len(change.new), Origin.DRAFTED, run_id)
    provenance = whole.part(0, change.start) + new + whole.part(change.end, whole.num_chars)
    return replace(document, text=change.applied(document.text), provenance=provenance)


def _split(
    unit: UnitOfWork, tree: Tree, document: Document, place: int, title: str, *, is_new: bool = False
) -> Tree:
    """Split a text within a transaction; return the tree as it is then."""
    document_id, new_id = document.document_id, tree.next_id
    nodes = tree_edits.split_off(tree, document_id, title, is_new=is_new)
    split_tree = tree_edits.changed(tree, nodes)
    rest = document.part(place, len(document.text))
    new = split_tree.node(new_id)
    unit.manuscript.add(new, Document(new_id, new.title, rest.text, rest.provenance))
    for node in nodes:
        if node.node_id != new_id:
            unit.manuscript.save_node(node)
    unit.comments.part(document_id, place, new_id)
    unit.manuscript.save(document.part(0, place))
    if not is_new:  # a draft that goes on in its own chapter is still the take that began before
        for take in split_takes(unit.takes.of(document_id), place, new_id).gone:
            unit.takes.save(take)
        _follow(unit, document_id, new_id, runs_in(rest, 0))
    return split_tree


def _follow(unit: UnitOfWork, document_id: int, new_id: int, run_ids: Collection[int]) -> None:
    """Note that words which runs wrote are in a new text, too."""
    for run in unit.runs.all():
        if run.run_id in run_ids and document_id in run.texts:
            at = run.texts.index(document_id) + 1
            unit.runs.save(run.wrote_into(*run.texts[:at], new_id, *run.texts[at:]))


def _joined(first: Document, second: Document) -> Document:
    """Return two texts as one, with the separator that reading them one after the other had."""
    text = text_up_to((first.text, second.text))
    between = len(text) - len(first.text) - len(second.text)
    first = first.followed_by("\n" * between, Provenance.of(between, Origin.WRITTEN))
    return first.followed_by(second.text, second.provenance)


def _keep(unit: UnitOfWork, title: str, documents: list[Document]) -> str:
    """Take a snapshot of texts; return the sentence that says so."""
    title = tree_edits.cleaned_title(title)
    number, now = unit.snapshots.next_id(), datetime.now(UTC)
    unit.snapshots.take(Snapshot(number, title, SnapshotReason.BEFORE_RESTORE, now), documents)
    return UserMessage("The previous version is in the snapshot “{title}”.", title=title)


def _said_of(reaching: int, snapshot: str) -> str:
    if not reaching:
        return ""
    if reaching == 1:
        return UserMessage(
            "A take starts before this point. It stays complete, with the first text. {snapshot}",
            snapshot=snapshot,
        )
    return UserMessage(
        "{number} takes start before this point. They stay complete, with the first text. {snapshot}",
        number=reaching,
        snapshot=snapshot,
    )


def _title_of(document: Document, place: int) -> str:
    """Return the title in the heading of the second half of a text; empty without one."""
    start = document.text[place : place + 4 * MAX_HEADING]
    found = next(iter(all_headings(start)), None)
    if found is not None and found.title and not start[: found.start].strip():
        return found.title
    return ""


def _title_after(tree: Tree, document: Document) -> str:
    """Return the title of a new chapter after a text: the next number, unless another text has it."""
    is_chapter = tree.node(document.document_id).kind is NodeKind.CHAPTER
    titles = (node.title for node in tree.reading_order())
    title = title_headings.title_after(document.title, titles) if is_chapter else ""
    return title or _numbered(document.title, 2)


def _numbered(title: str, number: int) -> str:
    """Return a title with a number after it; an existing number is incremented."""
    if match := _NUMBERED.fullmatch(title):
        return f"{match['title']} ({int(match['number']) + number - 1})"
    return f"{title} ({number})" if title else ""


def _title_of_piece(piece: TextSection, title: str, number: int) -> str:
    is_continued = not piece.title or piece.title.startswith("(")
    return _numbered(title, number) if is_continued else piece.title


def _with_headings_of_parts(pieces: tuple[TextSection, ...]) -> list[TextSection]:
    """Leave the heading of a part with the chapter below it: within a chapter no part can begin."""
    whole: list[TextSection] = []
    heading = ""
    for piece in pieces[:-1]:
        if piece.kind is NodeKind.PART:
            heading += piece.text
        else:
            whole.append(_below_heading(heading, piece))
            heading = ""
    whole.append(_below_heading(heading, pieces[-1]))
    return whole


def _below_heading(heading: str, piece: TextSection) -> TextSection:
    return TextSection(NodeKind.CHAPTER, piece.title, heading + piece.heading, heading + piece.text)


def _refuse_running(unit: UnitOfWork, *document_ids: int) -> None:
    """Refuse to change a text that a run is writing into: its words would end up in the wrong place."""
    if any(run.state is RunState.RUNNING and run.document_id in document_ids for run in unit.runs.all()):
        raise WriterProblem("This text is being drafted. Pause the draft first.")
