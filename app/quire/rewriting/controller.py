"""Opens bars at passages, asks the model about one after the other, and keeps answers."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, Slot
from PySide6.QtGui import QColor, QResizeEvent, QTextBlock, QTextCharFormat, QTextCursor

from quire.domain.drafting.presets import for_model
from quire.domain.drafting.rewriting import Passage, RewriteAnswer, RewriteOrder, answer_of, query_of
from quire.domain.manuscript.book_quotes import BookQuotes
from quire.domain.manuscript.provenance import change_between
from quire.editor.plain_text import to_manuscript
from quire.editor.text_layers import Mark
from quire.editor.utf16_positions import Utf16Positions
from quire.errors import WriterProblem
from quire.rewriting.rewrite_bar import RewriteBar
from quire.theme.text_size import scaled
from quire.ui.translated import translated
from quire_engine.api.load_progress import LoadStage
from quire_engine.api.messages import ModelLoaded
from quire_engine.api.queries import WriteText

if TYPE_CHECKING:  # SQLAlchemy is slow to import
    from quire.app import App
    from quire.services.project.project_session import ProjectSession
    from quire_engine.api.messages import LoadProgressed

_GAP_PX = 6
_ROOM_PX = 320
"""Height of a bar with a long answer."""
_MANY_PARAMETERS = 2_000_000_000
"""A guess: of smaller chat models only SmolLM2 was tried, which rewrites poorly, and no larger one."""


@dataclass(eq=False, slots=True)
class _Open:
    """A passage with a bar.

    Attributes:
        first, last: its ends, which move with the text's changes; what is typed at them is outside.
        text: the passage as it was when the bar opened.
        order: the last one that was given.
        task: writes an answer now.
        is_stopped: before that could begin.
    """

    bar: RewriteBar
    first: QTextCursor
    last: QTextCursor
    text: str
    document_id: int
    order: RewriteOrder | None = None
    task: asyncio.Task[None] | None = None
    is_stopped: bool = False

    @property
    def start(self) -> int:
        """Where the passage begins, as a position of the document."""
        return self.first.position()

    @property
    def end(self) -> int:
        """Where it ends."""
        return max(self.last.position(), self.first.position())

    @property
    def text_now(self) -> str:
        """Its words now."""
        words = QTextCursor(self.first)
        words.setPosition(self.end, QTextCursor.MoveMode.KeepAnchor)
        return _text_of(words)


class RewritingController(QObject):
    """Opens a bar at the selection, asks the model, and puts an answer in place of the passage."""

    def __init__(self, app: App) -> None:
        super().__init__(app.window)
        window = app.window
        self._app, self._window, self._current, self._tasks = app, window, app.current, app.tasks
        self._editor = window.editor
        self._open: list[_Open] = []
        self._session: ProjectSession | None = None
        self._look = QTextCharFormat()
        self._action = window.commands.rewrite
        self._action.triggered.connect(self.open_bar)
        self._editor.layers.add(self)
        self._editor.viewport().installEventFilter(self)
        self._editor.verticalScrollBar().valueChanged.connect(self._place_all)
        self._editor.document().contentsChanged.connect(self._text_changed)
        window.status.changed.connect(self._refresh)
        window.themes.changed.connect(self._dress)
        app.events.text_followed.subscribe("rewriting", self._follow)
        self._dress()
        self._refresh()

    @property
    def bars(self) -> tuple[RewriteBar, ...]:
        """The open bars, the oldest first."""
        return tuple(one.bar for one in self._open)

    # ------------------------------------------------------------ opening and closing
    @Slot()
    def open_bar(self) -> None:
        """Open a bar at the selection, or at the paragraph of the caret; go to it where there is one."""
        words, session = self._chosen(), self._current.session
        if session is None or self._window.status.read_only or not words.hasSelection():
            return
        start, end = words.selectionStart(), words.selectionEnd()
        caret = self._editor.textCursor()
        one = next(
            (
                one
                for one in self._open
                if (one.start, one.end) == (start, end)
                or (not caret.hasSelection() and one.start <= caret.position() <= one.end)
            ),
            None,
        )
        if one is None:
            bar = RewriteBar(self._window.themes.tokens, self._editor.viewport())
            first, last = QTextCursor(words), QTextCursor(words)
            first.setPosition(start)
            last.setPosition(end)
            last.setKeepPositionOnInsert(True)
            one = _Open(bar, first, last, _text_of(words), session.document_id)
            bar.order_given.connect(partial(self._start, one))
            bar.retry_asked.connect(partial(self._retry, one))
            bar.stop_asked.connect(partial(self._stop, one))
            bar.keep_asked.connect(partial(self._keep, one))
            bar.closed.connect(partial(self._discard, one))
            bar.resized.connect(partial(self._place, one))
            self._open.append(one)
            bar.say(self._about_model())
            self._tasks.run_now(partial(self._recall, session, one))
        self._look_at(one)
        self._place(one)
        one.bar.choose()
        self._editor.layers.refresh(self)

    async def _recall(self, session: ProjectSession, one: _Open) -> None:
        """Show the answers that this passage has had."""
        from quire.services.transactions.rewritten_passages import answers

        kept = _answers_to(one, await session.read(answers))
        if kept and one in self._open and one.task is None:
            one.order = kept[-1].order
            one.bar.show_answers(kept)

    async def _follow(self, session: ProjectSession) -> None:
        """Close the bars of another text."""
        if session is not self._session:
            self._session = session
            session.before_close(self._rest)
        for one in [one for one in self._open if one.document_id != session.document_id]:
            await self._ended(one)

    async def _rest(self) -> None:
        """Close every bar, before the project is closed."""
        for one in list(self._open):
            await self._ended(one)

    async def _ended(self, one: _Open) -> None:
        task = one.task
        self._close(one)
        if task is not None:
            await asyncio.wait({task})

    def _discard(self, one: _Open) -> None:
        self._close(one)
        self._editor.setFocus()

    def _close(self, one: _Open) -> None:
        self._stop(one)
        if one in self._open:
            self._open.remove(one)
            one.bar.hide()
            one.bar.deleteLater()
            self._editor.layers.refresh(self)

    # ------------------------------------------------------------ asking
    def _start(self, one: _Open, order: RewriteOrder) -> None:
        one.order, one.is_stopped = order, False
        is_waiting = any(other.task is not None for other in self._open)
        one.bar.show_asking(
            self.tr("Waiting for the answer before this one…") if is_waiting else self.tr("Asking the model…")
        )
        self._tasks.run_now(partial(self._ask, one, order))

    def _retry(self, one: _Open) -> None:
        if one.order is not None:
            self._start(one, one.order)

    def _stop(self, one: _Open) -> None:
        one.is_stopped = True
        if one.task is not None:
            one.task.cancel()

    async def _ask(self, one: _Open, order: RewriteOrder) -> None:
        if one not in self._open:
            return
        one.task, sentence = asyncio.current_task(), ""
        kept: list[RewriteAnswer] = []
        try:
            if not one.is_stopped:
                answer, sentence = await self._answer(one, order)
                kept = [answer]  # shown even where it can't be stored
                kept = await self._keep_all(one, answer)
        except asyncio.CancelledError:
            pass
        except WriterProblem as problem:
            sentence = translated(problem.message)
        finally:
            one.task = None
            if one in self._open and kept:
                one.bar.show_answers(kept, sentence)
            elif one in self._open:
                one.bar.show_stopped(sentence)

    async def _answer(self, one: _Open, order: RewriteOrder) -> tuple[RewriteAnswer, str]:
        """Write an answer; return it and a sentence about it."""
        from quire.services.drafting.drafting import NUM_SEEDS

        session = self._current.require_session()
        if one.text_now != one.text or session.document_id != one.document_id:
            raise WriterProblem("These words were changed. Select them again.")
        text = self._editor.text()
        places = Utf16Positions(text)
        start, end = places.to_text(one.start), places.to_text(one.end)
        # of the text on the screen, which may be newer than the stored one
        before = (await session.story()).removesuffix(session.text)
        passage = Passage.of(before + text, len(before) + start, len(before) + end)
        seed, written = secrets.randbelow(NUM_SEEDS), list[str]()
        sampling = replace(self._app.steering.sampling, seed=seed)
        questions = await self._app.drafts.questions()
        models = list[ModelLoaded]()

        def query_for(loaded: ModelLoaded) -> WriteText:
            models.append(loaded)
            return query_of(passage, order, for_model(sampling, loaded.scale), loaded.context_length)

        def show(piece: str) -> None:
            written.append(piece)
            if one in self._open:
                one.bar.show_written(answer_of("".join(written), passage.text))

        answered = await questions.write(query_for, show, partial(self._show_load, one))
        said = answer_of(answered.text, passage.text, was_asked=answered.was_asked)
        answer = BookQuotes.of(before + text).followed(passage.before[-1:], said)
        if not answer:
            raise WriterProblem("The model wrote nothing here. Retry, or choose another model.")
        cut = self.tr("The answer went on and on, so it was cut here.") if answered.is_cut else ""
        kept = RewriteAnswer(one.document_id, one.text, order, seed, models[-1].identity.name, answer)
        return kept, cut or self._about_model()

    async def _keep_all(self, one: _Open, answer: RewriteAnswer) -> list[RewriteAnswer]:
        """Keep an answer in the project, and return all that this passage has had."""
        from quire.services.transactions.rewritten_passages import keep_answer

        return _answers_to(one, await self._current.require_session().write(keep_answer, answer))

    def _show_load(self, one: _Open, progress: LoadProgressed) -> None:
        if one in self._open:
            share = f"{progress.fraction:.0%}" if progress.stage is not LoadStage.CHECKING else ""
            one.bar.say(f"{self.tr('Loading the model…')} {share}".rstrip())

    def _about_model(self) -> str:
        """Return a warning about a model that probably rewrites poorly; empty for others."""
        model = self._app.drafts.loaded_model
        if model is None or model.identity.is_on_server:
            return ""
        if not model.has_chat_template:
            return self.tr("This model only continues stories. A chat model rewrites better.")
        if model.num_parameters < _MANY_PARAMETERS:
            return self.tr("This model is small, so expect little. A larger chat model rewrites better.")
        return ""

    # ------------------------------------------------------------ keeping
    def _keep(self, one: _Open, answer: str) -> None:
        if self._may_keep(one):
            self._tasks.enqueue(partial(self._put, one, answer))

    async def _put(self, one: _Open, answer: str) -> None:
        """Put an answer in place of the passage, as one step that can be undone."""
        from quire.services.transactions.rewritten_passages import credit_model

        session = self._current.session
        if session is None or not self._may_keep(one):
            return
        text = self._editor.text()
        places = Utf16Positions(text)
        start, end = places.to_text(one.start), places.to_text(one.end)
        self._close(one)
        self._editor.replace_part(start, end, answer)
        self._editor.setFocus()
        await self._current.autosave.store()
        # only what differs: undoing it then changes just these words back
        kept, _, new = change_between(one.text, answer)
        own = answer[kept : kept + new]
        await session.change_text(credit_model, one.document_id, start + kept, own)

    def _may_keep(self, one: _Open) -> bool:
        session = self._current.session
        return (
            self._window.status.is_at_rest
            and session is not None
            and session.document_id == one.document_id
            and one.text_now == one.text
        )

    def _look_at(self, one: _Open) -> None:
        """Update the buttons of a passage's bar."""
        one.bar.allow_keeping(may_keep=self._may_keep(one), is_gone=one.text_now != one.text)

    # ------------------------------------------------------------ on the page
    def marks_of(self, block: QTextBlock) -> Sequence[Mark]:
        """Return the passages of a block that have a bar."""
        marks: list[Mark] = []
        first, length = block.position(), block.length() - 1
        for one in self._open:
            start, end = max(one.start - first, 0), min(one.end - first, length)
            if start < end:
                marks.append(Mark(start, end - start, self._look))
        return marks

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the page."""
        if isinstance(event, QResizeEvent):
            self._place_all()
        return super().eventFilter(watched, event)

    @Slot()
    def _place_all(self) -> None:
        for one in self._open:
            self._place(one)

    def _place(self, one: _Open) -> None:
        """Put a bar below its passage; above it where there is no room below."""
        if one not in self._open:
            return
        bar, room = one.bar, self._editor.viewport().rect()
        first, last = self._caret_rect(one.start), self._caret_rect(one.end)
        below = room.height() - last.bottom()
        if below >= scaled(_ROOM_PX) or below >= first.top():  # an answer that grows keeps to its side
            top = min(last.bottom() + _GAP_PX, room.height() - bar.height() - _GAP_PX)
        else:
            top = first.top() - _GAP_PX - bar.height()
        top = max(top, 0)
        left = max(min(int(self._editor.document().documentMargin()), room.width() - bar.width()), 0)
        bar.move(left, top)
        bar.setVisible(last.bottom() > 0 and first.top() < room.height())

    def _caret_rect(self, position: int) -> QRect:
        caret = QTextCursor(self._editor.document())
        caret.setPosition(position)
        return self._editor.cursorRect(caret)

    @Slot()
    def _text_changed(self) -> None:
        for one in list(self._open):
            if one.start == one.end:
                self._close(one)
            else:
                self._look_at(one)
                self._place(one)

    def _chosen(self) -> QTextCursor:
        """Return the selected words without white space at their ends, else the caret's paragraph."""
        caret = self._editor.textCursor()
        if not caret.hasSelection():
            caret.select(QTextCursor.SelectionType.BlockUnderCursor)
        raw = _text_of(caret)
        start = caret.selectionStart() + len(raw) - len(raw.lstrip())
        end = caret.selectionEnd() - (len(raw) - len(raw.rstrip()))
        words = QTextCursor(self._editor.document())
        words.setPosition(min(start, end))
        words.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        return words

    @Slot()
    def _refresh(self) -> None:
        self._action.setEnabled(self._window.status.is_at_rest)
        for one in self._open:
            self._look_at(one)

    @Slot()
    def _dress(self) -> None:
        tokens = self._window.themes.tokens
        self._look.setBackground(QColor(tokens.selection))
        for one in self._open:
            one.bar.dress(tokens)
        self._editor.layers.refresh(self)


def _text_of(words: QTextCursor) -> str:
    return to_manuscript(words.selectedText())


def _answers_to(one: _Open, answers: Sequence[RewriteAnswer]) -> list[RewriteAnswer]:
    return [kept for kept in answers if (kept.document_id, kept.passage) == (one.document_id, one.text)]
