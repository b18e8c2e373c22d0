"""What a model would have written: the words of a selection, each with its alternatives."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QTextCursor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from quire.domain.text_quality.token_surprise import ScoredPiece, Surprise, WordAlternative
from quire.editor.document import ManuscriptDocument
from quire.editor.overlay_layer import position_under
from quire.editor.utf16_positions import Utf16Positions
from quire.system.number_text import number_text
from quire.theme.fonts import figures_font, headline_font
from quire.theme.overlay_colours import kind_look, overlay_sheet
from quire.theme.text_size import fit_rows, set_scaled_font
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.dialog_size import resize_within_screen
from quire.ui.labels import plain_label

_SIZE = QSize(640, 560)
_TEXT_PX = 16
_ROW_PX = 28
_KEYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class AlternativesDialog(QDialog):
    """Shows a selection with its surprises; a click or the arrow keys select a token.

    Signals:
        redraft_asked: the character from which on the text is set aside, and its replacement.
        replace_asked: a character, the words from there on, and those to put in their place.
    """

    redraft_asked = Signal(int, str)
    replace_asked = Signal(int, str, str)

    def __init__(self, surprise: Surprise, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("alternatives")
        self.setWindowTitle(self.tr("Alternatives for Selection"))
        resize_within_screen(self, _SIZE)
        self._surprise, self._themes = surprise, themes
        self._positions = Utf16Positions(surprise.text)
        self._may_redraft = True
        self.chosen = 0
        self.text_box = self._make_text()
        self.piece_label = plain_label(self)
        self.piece_label.setWordWrap(True)
        self.table = self._make_table()
        self.replace_button = QPushButton(self)
        self.redraft_button = QPushButton(self)
        self.close_button = QPushButton(self.tr("Close"), self)
        self._lay_out()
        self.table.currentCellChanged.connect(self._refresh)
        self.table.cellActivated.connect(self._replace)
        self.replace_button.clicked.connect(self._replace)
        self.redraft_button.clicked.connect(self._redraft)
        self.close_button.clicked.connect(self.reject)
        themes.changed.connect(self._dress)
        self._dress()
        self.choose(_most_surprising(surprise))

    # ------------------------------------------------------------ input
    def choose(self, number: int) -> None:
        """Show the alternatives of a token."""
        pieces = self._surprise.pieces
        if not pieces:
            self.piece_label.setText(self.tr("No alternatives found for this selection."))
            self._refresh()
            return
        self.chosen = min(max(number, 0), len(pieces) - 1)
        piece = pieces[self.chosen]
        start, end = (self._positions.to_document(p - self._surprise.start) for p in (piece.start, piece.end))
        cursor = self.text_box.textCursor()
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        self.text_box.setTextCursor(cursor)
        self.piece_label.setText(self._piece_text(piece))
        self._fill(piece)

    def choose_place(self, place: int) -> None:
        """Show the alternatives of the token that contains a character of the whole text."""
        number = self._surprise.piece_at(place)
        if number is not None:
            self.choose(number)

    def set_may_redraft(self, *, may: bool) -> None:
        """Set whether a draft can start now."""
        self._may_redraft = may
        self._refresh()

    # ------------------------------------------------------------ events
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Select tokens in the text with pointer and keys."""
        if isinstance(event, QMouseEvent) and event.type() is QEvent.Type.MouseButtonRelease:
            at = position_under(self.text_box, event.position().toPoint())
            if at is not None:
                self.choose_place(self._surprise.start + self._positions.to_text(at))
            return True
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            step = _KEYS.get(Qt.Key(event.key()))
            if step is not None:
                self.choose(self.chosen + step)
                return True
        return super().eventFilter(watched, event)

    # ------------------------------------------------------------ building
    def _make_text(self) -> QTextEdit:
        box = QTextEdit(self)
        box.setObjectName("scoredText")
        box.setReadOnly(True)
        box.setAccessibleName(self.tr("Selected text; press Left or Right to choose a word"))
        document = ManuscriptDocument(headline_font(_TEXT_PX), box)
        document.setDocumentMargin(10)
        box.setDocument(document)
        set_scaled_font(box, headline_font, _TEXT_PX)
        document.replace_text(self._surprise.text)
        box.installEventFilter(self)
        box.viewport().installEventFilter(self)
        return box

    def _make_table(self) -> QTableWidget:
        table = QTableWidget(0, 2, self)
        table.setObjectName("echoTable")
        table.setAccessibleName(self.tr("Alternatives"))
        table.setHorizontalHeaderLabels([self.tr("Alternative"), self.tr("Probability")])
        set_scaled_font(table, figures_font)
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.verticalHeader().hide()
        fit_rows(table, _ROW_PX)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return table

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        for button in (self.replace_button, self.redraft_button, self.close_button):
            button.setAutoDefault(False)  # Enter in the table belongs to the table
        buttons.addWidget(self.replace_button)
        buttons.addWidget(self.redraft_button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 14, 18, 14)
        layout.setSpacing(10)
        layout.addWidget(self.text_box, 2)
        layout.addWidget(self.piece_label)
        layout.addWidget(self.table, 3)
        layout.addLayout(buttons)

    # ------------------------------------------------------------ inside
    def _fill(self, piece: ScoredPiece) -> None:
        self.table.setRowCount(len(piece.alternatives))
        for row, other in enumerate(piece.alternatives):
            is_current = other.text == piece.text
            shown = shown_piece(other.text)
            name = QTableWidgetItem(self.tr("{0}  (current)").format(shown) if is_current else shown)
            share = QTableWidgetItem(percent(other.probability))
            share.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.table.setItem(row, 0, name)
            self.table.setItem(row, 1, share)
        first = next((n for n, other in enumerate(piece.alternatives) if other.text != piece.text), 0)
        self.table.setCurrentCell(first, 0)
        self._refresh()

    def _alternative(self) -> WordAlternative | None:
        """Return the selected alternative, unless it is the text's own token."""
        if not self._surprise.pieces:
            return None
        piece, row = self._surprise.pieces[self.chosen], self.table.currentRow()
        if not 0 <= row < len(piece.alternatives):
            return None
        other = piece.alternatives[row]
        return None if other.text == piece.text or not other.text else other

    def _piece_text(self, piece: ScoredPiece) -> str:
        shown, odds = shown_piece(piece.text), percent(piece.probability)
        place = self.chosen + 1, len(self._surprise.pieces)
        if piece.rank is None:
            said = self.tr("{0}: {1}, none of the choices that the server lists. Piece {2} of {3}.")
            return said.format(shown, odds, *place)
        said = self.tr("{0}: {1}, choice number {2} of the model. Piece {3} of {4}.")
        return said.format(shown, odds, number_text(piece.rank), *place)

    @Slot()
    def _replace(self) -> None:
        other = self._alternative()
        if other is not None and self._may_redraft:
            piece = self._surprise.pieces[self.chosen]
            self.replace_asked.emit(piece.start, piece.text, other.text)
            self.accept()

    @Slot()
    def _redraft(self) -> None:
        other = self._alternative()
        if other is not None and self._may_redraft:
            self.redraft_asked.emit(self._surprise.pieces[self.chosen].start, other.text)
            self.accept()

    @Slot()
    def _refresh(self) -> None:
        other = self._alternative()
        for button in (self.replace_button, self.redraft_button):
            button.setEnabled(other is not None and self._may_redraft)
        with_word = "…" if other is None else shown_piece(other.text).replace("&", "&&")
        self.replace_button.setText(self.tr("Replace With {0}").format(with_word))
        self.replace_button.setToolTip(self.tr("Changes this word only; the text after it stays"))
        text = self.tr("Redraft From Here With …")
        if other is not None:
            text = self.tr("Redraft From Here With {0}").format(shown_piece(other.text)).replace("&", "&&")
        self.redraft_button.setText(text)
        self.redraft_button.setToolTip(
            self.tr("Keeps the text from here on as a take and drafts a new one starting with this word")
            if self._may_redraft
            else self.tr("A draft is in progress. Pause it first.")
        )

    @Slot()
    def _dress(self) -> None:
        tokens = self._themes.tokens
        self.setStyleSheet(overlay_sheet(tokens))
        marks = list[QTextEdit.ExtraSelection]()
        for span in self._surprise.spans():
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.text_box.document())
            cursor.setPosition(self._positions.to_document(span.start - self._surprise.start))
            cursor.setPosition(
                self._positions.to_document(span.end - self._surprise.start), QTextCursor.MoveMode.KeepAnchor
            )
            mark.cursor, mark.format = cursor, kind_look(span.kind, tokens).char_format()
            marks.append(mark)
        self.text_box.setExtraSelections(marks)


def shown_piece(text: str) -> str:
    """Return a token in quotes, with visible spaces and line ends."""
    return f"“{text.replace(' ', '␣').replace(chr(10), '↵')}”"


def percent(probability: float) -> str:
    """Return a probability formatted for the screen, small ones with more digits."""
    if probability >= 0.1:
        return f"{probability:.0%}"
    return (
        f"{number_text(100 * max(probability, 0.001), 1)}%"
        if probability >= 0.001
        else f"< {number_text(0.1, 1)}%"
    )


def _most_surprising(surprise: Surprise) -> int:
    numbers = range(len(surprise.pieces))
    return min(numbers, key=lambda number: surprise.pieces[number].probability, default=0)
