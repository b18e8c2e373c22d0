"""The bar above the page: find and replace in the open text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from quire.domain.manuscript.find_replace import MAX_QUERY_CHARS
from quire.editor.search_matches import FoundPlaces
from quire.search.query_field import EntryField, QueryField
from quire.system.number_text import number_text
from quire.theme.icons import icon
from quire.theme.search_colours import finding_sheet
from quire.theme.text_size import fit, fit_icon
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import plain_label
from quire.ui.translated import translated

if TYPE_CHECKING:
    from quire.editor.manuscript_editor import ManuscriptEditor

_MAX_FIELD_PX = 460
_COUNT_PX = 104


class FindBar(QFrame):
    """Finds while the writer types, shows the count, and replaces one match or all.

    Signals:
        replaced: the digest of the text before, and all changes as a tuple of Change.
    """

    replaced = Signal(str, object)

    def __init__(self, editor: ManuscriptEditor, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self.setAccessibleName(self.tr("Find in this text"))
        self._editor, self._themes = editor, themes
        self._said = ""
        self.places = FoundPlaces(editor, self)
        self.query_field = QueryField(self.tr("Find in this text"), self)
        self.previous_button = self._tool(self.tr("Previous match (Shift+Return)"))
        self.next_button = self._tool(self.tr("Next match (Return)"))
        self.count_label = plain_label(self)
        self.count_label.setObjectName("findCount")
        fit(self.count_label.setFixedWidth, _COUNT_PX)
        self.close_button = self._tool(self.tr("Close (Esc)"))
        self.replacement_field = EntryField(self)
        self.replacement_field.setPlaceholderText(self.tr("Replace with"))
        self.replacement_field.setAccessibleName(self.tr("Replace with"))
        self.replace_button = QPushButton(self.tr("Replace"), self)
        self.replace_all_button = QPushButton(self.tr("Replace All"), self)
        self.problem_label = plain_label(self)
        self.problem_label.setObjectName("findProblem")
        self.problem_label.setWordWrap(True)
        self._lay_out()
        self._wire()
        self._dress()
        self._refresh()
        self.hide()

    # ------------------------------------------------------------ input
    @Slot()
    def open_to_find(self) -> None:
        """Open, and search for the selection."""
        self._open(replacing=self.isVisible() and self.replacement_field.isVisible())

    @Slot()
    def open_to_replace(self) -> None:
        """Open with a field for the replacement."""
        self._open(replacing=True)

    @Slot()
    def close_bar(self) -> None:
        """Close, remove the marks and return the focus to the text."""
        if self.isVisible():
            self.hide()
            self.places.switch(on=False)
            self._editor.setFocus()

    @Slot()
    def find_next(self) -> None:
        """Go to the next match."""
        self._said = ""
        self.places.go()

    @Slot()
    def find_previous(self) -> None:
        """Go to the previous match."""
        self._said = ""
        self.places.go(backwards=True)

    @Slot()
    def replace_one(self) -> None:
        """Replace the selected match and go to the next."""
        self._said = ""
        self.places.replace_chosen(self.replacement_field.text())

    @Slot()
    def replace_all(self) -> None:
        """Replace every match in the text."""
        count = self.places.replace_all(self.replacement_field.text())
        if count:
            self._said = (
                self.tr("1 replaced") if count == 1 else self.tr("{0} replaced").format(number_text(count))
            )
        self._refresh()

    # ------------------------------------------------------------ events
    def event(self, event: QEvent) -> bool:
        """Keep Esc from the window's shortcuts: it closes the bar and does not pause a draft."""
        if event.type() is QEvent.Type.ShortcutOverride and _is_escape(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Esc."""
        if _is_escape(event):
            self.close_bar()
            event.accept()
            return
        super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle Esc in the text as well while the bar is open."""
        if self.isVisible() and _is_escape(event):
            if event.type() is QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() is QEvent.Type.KeyPress:
                self.close_bar()
                return True
        return super().eventFilter(watched, event)

    # ------------------------------------------------------------ building
    def _tool(self, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("plain")
        button.setToolTip(name)
        button.setAccessibleName(name)
        fit_icon(button, 16)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _lay_out(self) -> None:
        fit(self.query_field.setMaximumWidth, _MAX_FIELD_PX)
        fit(self.replacement_field.setMaximumWidth, _MAX_FIELD_PX)
        self.query_field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        ways, replacing = QHBoxLayout(), QHBoxLayout()
        for button in (self.previous_button, self.next_button):
            ways.addWidget(button)
        ways.addSpacing(4)
        ways.addWidget(self.count_label)
        ways.setSpacing(2)
        for push in (self.replace_button, self.replace_all_button):
            replacing.addWidget(push)
        replacing.setSpacing(8)
        replacing.addStretch(1)
        layout = QGridLayout(self)
        layout.setContentsMargins(24, 8, 16, 8)
        layout.setHorizontalSpacing(8)
        layout.setVerticalSpacing(6)
        layout.addWidget(self.query_field, 0, 0)
        layout.addLayout(ways, 0, 1)
        layout.addWidget(self.close_button, 0, 3)
        layout.addWidget(self.replacement_field, 1, 0)
        layout.addLayout(replacing, 1, 1, 1, 3)
        layout.addWidget(self.problem_label, 2, 0, 1, 4)
        layout.setColumnStretch(0, 3)
        layout.setColumnStretch(2, 1)

    def _wire(self) -> None:
        self.query_field.query_changed.connect(self._look)
        self.query_field.field.entered.connect(self._go)
        self.replacement_field.entered.connect(self.replace_one)
        self.previous_button.clicked.connect(self.find_previous)
        self.next_button.clicked.connect(self.find_next)
        self.close_button.clicked.connect(self.close_bar)
        self.replace_button.clicked.connect(self.replace_one)
        self.replace_all_button.clicked.connect(self.replace_all)
        self.places.changed.connect(self._refresh)
        self.places.replaced.connect(self.replaced)
        self._editor.installEventFilter(self)
        self._themes.changed.connect(self._dress)

    # ------------------------------------------------------------ slots
    def _open(self, *, replacing: bool) -> None:
        was_open = self.isVisible()
        for part in (self.replacement_field, self.replace_button, self.replace_all_button):
            part.setVisible(replacing)
        self.show()
        if not was_open:
            self.places.switch(on=True)
        selected = self._editor.textCursor().selectedText()
        if self._is_to_be_found(selected):
            self.query_field.field.setText(selected)
        self._look()
        self.query_field.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.query_field.field.selectAll()

    def _is_to_be_found(self, selected: str) -> bool:
        """Return whether the selection is words within a line; otherwise the last query is kept."""
        in_one_line = bool(selected) and "\u2029" not in selected and "\u2028" not in selected
        return in_one_line and len(selected) <= MAX_QUERY_CHARS and not self.query_field.query.is_regex

    @Slot()
    def _look(self) -> None:
        self._said = ""
        self.places.look_for(self.query_field.query)

    @Slot(bool)
    def _go(self, backwards: bool) -> None:
        self._said = ""
        self.places.go(backwards=backwards)

    @Slot()
    def _refresh(self) -> None:
        count, may_replace = self.places.num_matches, self.places.may_replace
        self.count_label.setText(self._said or self._counted())
        self.problem_label.setText(translated(self.places.problem))
        self.problem_label.setVisible(bool(self.places.problem))
        for button in (self.previous_button, self.next_button):
            button.setEnabled(count > 0)
        for push in (self.replace_button, self.replace_all_button):
            push.setEnabled(count > 0 and may_replace)
            push.setToolTip("" if may_replace else self.tr("The text is locked. Pause the draft to replace."))

    def _counted(self) -> str:
        count, chosen = self.places.num_matches, self.places.chosen
        if not self.query_field.query.text or self.places.problem:
            return ""
        if count == 0:
            return self.tr("Nothing found")
        if chosen is not None:
            return self.tr("{0} of {1}").format(number_text(chosen + 1), number_text(count))
        return self.tr("1 match") if count == 1 else self.tr("{0} matches").format(number_text(count))

    @Slot()
    def _dress(self) -> None:
        tokens = self._themes.tokens
        self.setStyleSheet(finding_sheet(tokens))
        self.places.set_tokens(tokens)
        self.previous_button.setIcon(icon("up", tokens.ink, tokens.faint_ink, size=16))
        self.next_button.setIcon(icon("down", tokens.ink, tokens.faint_ink, size=16))
        self.close_button.setIcon(icon("close", tokens.soft_ink, size=16))


def _is_escape(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
