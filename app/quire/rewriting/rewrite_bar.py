"""The bar at a passage, with the choice of a change and the model's answers."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from quire.domain.drafting.rewriting import MAX_WISH_CHARS, Rewrite, RewriteAnswer, RewriteOrder
from quire.theme.colour_tokens import Tokens
from quire.theme.fonts import headline_font
from quire.theme.text_size import fit, scaled, set_scaled_font
from quire.ui.form_parts import GrowingEdit, arrow_button, bar_button, caption

_WIDTH_PX = 560
_TEXT_PX = 15
_LINES = (1, 9)


class RewriteBar(QFrame):
    """Asks what to do with a passage, and then shows the answers one at a time.

    Signals:
        order_given: a RewriteOrder.
        stop_asked, retry_asked: the answer in progress, or another answer to the same order.
        keep_asked: the answer on the screen, to be put in place of the passage.
        closed: by the writer; nothing was changed.
        resized: the bar needs another place.
    """

    order_given = Signal(object)
    stop_asked = Signal()
    retry_asked = Signal()
    keep_asked = Signal(str)
    closed = Signal()
    resized = Signal()

    def __init__(self, tokens: Tokens, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("rewriteBar")
        self.setAccessibleName(self.tr("Rewrite the selection"))
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)  # below it is the text
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._answers: list[RewriteAnswer] = []
        self._shown = 0
        self._is_asking = self._may_keep = False
        self._is_gone = False
        self.order_buttons = {
            kind: bar_button(self, text, tip)
            for kind, text, tip in (
                (Rewrite.REWRITE, self.tr("Rewrite"), self.tr("The same, better told")),
                (Rewrite.EXPAND, self.tr("Expand"), self.tr("The same at twice the length")),
                (Rewrite.SHORTEN, self.tr("Shorten"), self.tr("The same at half the length")),
                (Rewrite.DESCRIBE, self.tr("Describe"), self.tr("More to see, hear, smell and feel")),
                (Rewrite.REPHRASE, self.tr("In Other Words"), self.tr("The same, sentence by sentence")),
            )
        }
        self.wish = QLineEdit(self)
        self.wish.setMaxLength(MAX_WISH_CHARS)
        self.wish.setPlaceholderText(self.tr("Or say how: sadder, from her side, in the past tense…"))
        self.wish.setAccessibleName(self.tr("How the passage should change"))
        self.hint = caption(self)
        self.progress = QProgressBar(self)
        self.progress.setRange(0, 0)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Writing an answer"))
        self.progress.setFixedHeight(4)
        self.answer = GrowingEdit(self.tr("The model's answer"), "", _LINES, self)
        self.answer.setReadOnly(True)
        set_scaled_font(self.answer, headline_font, _TEXT_PX)
        self.keep_button = bar_button(
            self, self.tr("Keep"), self.tr("Put the answer in place of the passage")
        )
        self.retry_button = bar_button(
            self, self.tr("Retry"), self.tr("Ask again; this answer is kept beside")
        )
        self.close_button = bar_button(self, self.tr("Discard"), self.tr("Leave the passage as it is (Esc)"))
        self.stop_button = bar_button(self, self.tr("Stop"), self.tr("Stop writing this answer (Esc)"))
        ends = (self.keep_button, self.retry_button, self.close_button, self.stop_button)
        for button in (*self.order_buttons.values(), *ends):
            button.setAutoDefault(True)  # Enter presses it
        self.previous_button = arrow_button(self, "<", self.tr("Previous answer"))
        self.count = caption(self)
        self.next_button = arrow_button(self, ">", self.tr("Next answer"))
        self._turning: tuple[QWidget, ...] = (self.previous_button, self.count, self.next_button)
        self.answer.document().documentLayout().documentSizeChanged.connect(self._grow)
        self._lay_out()
        self._wire()
        self.dress(tokens)
        self._refresh()

    # ------------------------------------------------------------ input
    def say(self, sentence: str) -> None:
        """Show a sentence under the choices: about the model, or about what went wrong."""
        self.hint.setText(sentence)
        self._refresh()

    def show_asking(self, sentence: str) -> None:
        """Show that an answer is on its way."""
        had_focus = self._has_focus
        self._is_asking = True
        self.answer.show_text("")
        self.say(sentence)
        if had_focus:
            self.stop_button.setFocus()

    def show_written(self, text: str) -> None:
        """Show the answer as far as it is written."""
        self.hint.clear()
        self.answer.show_text(text)
        self.answer.verticalScrollBar().setValue(self.answer.verticalScrollBar().maximum())
        self._refresh()

    def show_stopped(self, sentence: str = "") -> None:
        """Show that writing was stopped; the unfinished answer is dropped."""
        had_focus, self._is_asking = self._has_focus, False
        self.say(sentence)
        self._show_answer(take_focus=had_focus)

    def show_answers(self, answers: list[RewriteAnswer], sentence: str = "") -> None:
        """Show the newest of the answers to this passage, and a sentence about it."""
        had_focus, self._is_asking = self._has_focus, False
        self._answers, self._shown = answers, len(answers) - 1
        self.say(sentence)
        self._show_answer(take_focus=had_focus and not self.wish.text())

    def allow_keeping(self, *, may_keep: bool, is_gone: bool = False) -> None:
        """Set whether an answer can be put in place of the passage now; is_gone: its words were changed."""
        if is_gone and not self._is_gone:
            self.hint.setText(
                self.tr("You changed these words, so no answer can replace them. Copy what you need.")
            )
        if (may_keep, is_gone) != (self._may_keep, self._is_gone):
            self._may_keep, self._is_gone = may_keep, is_gone
            self._refresh()

    @property
    def _has_focus(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def choose(self) -> None:
        """Take the focus, so that Enter rewrites, or keeps the answer."""
        (self.keep_button if self._answers else self.wish).setFocus()

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of a theme."""
        self.setStyleSheet(
            f"#rewriteBar {{ background: {tokens.raised}; border: 1px solid {tokens.edge};"
            f" border-radius: 8px; }}"
            f" #rewriteBar QPlainTextEdit {{ background: transparent; border: none; color: {tokens.ink}; }}"
            f" #rewriteBar QPushButton {{ background: transparent; border: none; color: {tokens.ink};"
            f" padding: 3px 9px; min-height: 20px; border-radius: 5px; }}"
            f" #rewriteBar QPushButton:hover {{ background: {tokens.hover}; }}"
            f" #rewriteBar QPushButton:disabled {{ color: {tokens.faint_ink}; }}"
            f" #rewriteBar QPushButton:focus {{ border: 2px solid {tokens.accent}; padding: 1px 7px; }}"
        )

    # ------------------------------------------------------------ events
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc stops, then closes; no other key reaches the text below."""
        if event.key() == Qt.Key.Key_Escape:
            (self.stop_asked if self._is_asking else self.closed).emit()
        event.accept()

    # ------------------------------------------------------------ inside
    def _show_answer(self, *, take_focus: bool) -> None:
        """Show the chosen answer; the focus stays with a writer who went on writing meanwhile."""
        self.answer.show_text(self._answers[self._shown].text if self._answers else "")
        self._refresh()
        if take_focus:
            self.choose()

    def _turn(self, steps: int) -> None:
        self._shown = min(max(self._shown + steps, 0), len(self._answers) - 1)
        self._show_answer(take_focus=False)

    def _give(self, kind: Rewrite, _checked: bool = False) -> None:
        self.order_given.emit(RewriteOrder(kind))

    @Slot()
    def _ask_by_wish(self) -> None:
        wish = " ".join(self.wish.text().split())
        self.order_given.emit(RewriteOrder(Rewrite.WISH, wish) if wish else RewriteOrder(Rewrite.REWRITE))

    def _refresh(self) -> None:
        asking, has_answer = self._is_asking, bool(self._answers)
        for button in self.order_buttons.values():
            button.setEnabled(not asking and not self._is_gone)
        self.wish.setEnabled(not asking and not self._is_gone)
        self.retry_button.setEnabled(not self._is_gone)
        self.hint.setVisible(bool(self.hint.text()))
        self.progress.setVisible(asking)
        self.answer.setVisible(bool(self.answer.toPlainText()))
        self.stop_button.setVisible(asking)
        self.close_button.setVisible(not asking)
        for button in (self.keep_button, self.retry_button):
            button.setVisible(has_answer and not asking)
        self.keep_button.setEnabled(self._may_keep)
        several = len(self._answers) > 1 and not asking
        for turning in self._turning:
            turning.setVisible(several)
        if several:
            self.count.setText(self.tr("{0} of {1}").format(self._shown + 1, len(self._answers)))
            self.previous_button.setEnabled(self._shown > 0)
            self.next_button.setEnabled(self._shown < len(self._answers) - 1)
        self._grow()

    @Slot()
    def _grow(self) -> None:
        """Take the height that is needed; the answer's is known once its lines are laid out."""
        self.adjustSize()
        self.resized.emit()

    def _wire(self) -> None:
        for kind, button in self.order_buttons.items():
            button.clicked.connect(partial(self._give, kind))
        self.wish.returnPressed.connect(self._ask_by_wish)
        self.keep_button.clicked.connect(lambda: self.keep_asked.emit(self._answers[self._shown].text))
        self.retry_button.clicked.connect(self.retry_asked)
        self.stop_button.clicked.connect(self.stop_asked)
        self.close_button.clicked.connect(self.closed)
        self.previous_button.clicked.connect(lambda: self._turn(-1))
        self.next_button.clicked.connect(lambda: self._turn(1))

    def _lay_out(self) -> None:
        fit(self.setFixedWidth, _WIDTH_PX)
        orders, ends = QHBoxLayout(), QHBoxLayout()
        for row in (orders, ends):
            row.setSpacing(2)
        for button in self.order_buttons.values():
            orders.addWidget(button)
        orders.addStretch(1)
        for button in (self.keep_button, self.retry_button, self.close_button, self.stop_button):
            ends.addWidget(button)
        ends.addStretch(1)
        for turning in self._turning:
            ends.addWidget(turning)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(scaled(8), scaled(8), scaled(8), scaled(6))
        layout.setSpacing(scaled(6))
        layout.addLayout(orders)
        parts: tuple[QWidget, ...] = (self.wish, self.hint, self.progress, self.answer)
        for part in parts:
            layout.addWidget(part)
        layout.addLayout(ends)
