"""Find and replace in the whole book, beside the page."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from quire.domain.manuscript.find_replace import Query, Replacement
from quire.errors import WriterProblem
from quire.search.query_field import EntryField, QueryField
from quire.search.result_delegate import FoundDelegate
from quire.search.results_model import FoundRows
from quire.services.project.book_search import BookHits, BookReplacement, ChosenMatches, Replaced, TextHits
from quire.system.number_text import number_text
from quire.theme.fonts import interface_font
from quire.theme.search_colours import finding_sheet
from quire.theme.text_size import set_scaled_font
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import plain_label
from quire.ui.translated import translated


class SearchPanel(QFrame):
    """Lists matches with their lines, chapter by chapter, and replaces the ticked ones.

    Signals:
        search_asked: with a Query.
        place_chosen: a text and the range of characters in it.
        replace_asked: with a BookReplacement.
        stop_asked: cancel the running search.
    """

    search_asked = Signal(Query)
    stop_asked = Signal()
    place_chosen = Signal(int, int, int)
    replace_asked = Signal(BookReplacement)

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("searchPanel")
        self.setAccessibleName(self.tr("Find in book"))
        self._themes = themes
        self._hits: BookHits | None = None
        self._is_searching = False
        self._is_replacing = False
        self._is_locked = False
        self._has_ticked = False
        self._summary = ""
        self.query_field = QueryField(self.tr("Find in book"), self, stacked=True)
        self.replace_switch = self._make_switch()
        self.find_button = QPushButton(self.tr("Find"), self)
        self.replacement_field = EntryField(self)
        self.replacement_field.setPlaceholderText(self.tr("Replace with"))
        self.replacement_field.setAccessibleName(self.tr("Replace with"))
        self.replace_button = QPushButton(self)
        self.summary_label = plain_label(self)
        self.summary_label.setObjectName("findSummary")
        self.summary_label.setWordWrap(True)
        self.problem_label = plain_label(self)
        self.problem_label.setObjectName("findProblem")
        self.problem_label.setWordWrap(True)
        self._delegate = FoundDelegate(self)
        self.rows = FoundRows(interface_font(weight=QFont.Weight.DemiBold), self)
        self.tree = self._make_tree()
        self._counting = QTimer(self)  # after the click that ticks is handled
        self._counting.setSingleShot(True)
        self._counting.setInterval(0)
        self._counting.timeout.connect(self._refresh)
        self._lay_out()
        self._wire()
        self._dress()
        self._refresh()

    @property
    def title(self) -> str:
        """Return the title of its tab."""
        return self.tr("Find")

    # ------------------------------------------------------------ input
    @Slot()
    def open_to_find(self) -> None:
        """Focus the search field."""
        self.query_field.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.query_field.field.selectAll()

    def show_progress(self, num_searched: int, num_texts: int) -> None:
        """Show the progress of the search."""
        self._is_searching = True
        self._summary = self.tr("Searching {0} of {1}").format(
            number_text(num_searched), number_text(num_texts)
        )
        self._refresh()

    def show_hits(self, hits: BookHits) -> None:
        """List the matches."""
        self._is_searching = False
        self._hits = hits
        self._summary = self._summary_of(hits)
        self.rows.show_hits(hits.texts, [self._title_of(text) for text in hits.texts])
        self.tree.expandAll()
        self._refresh()

    def show_nothing(self, sentence: str = "") -> None:
        """List nothing and show a sentence, for example why the search is not possible."""
        self._is_searching = False
        self._hits = None
        self._summary = ""
        self.rows.show_hits()
        self._refresh(sentence)

    def show_problem(self, sentence: str) -> None:
        """Show why nothing was replaced; the matches stay."""
        self._is_searching = False
        self._refresh(sentence)

    def show_replaced(self, done: Replaced) -> None:
        """Show what was replaced, and where the previous state of the book was saved."""
        self.show_nothing()
        count = self.tr("1 replaced.") if done.num_replaced == 1 else self.tr("{0} replaced.")
        self._summary = count.format(number_text(done.num_replaced))
        if done.snapshot is not None:
            kept = self.tr("The earlier version is saved as snapshot “{0}”.").format(done.snapshot.title)
            self._summary = f"{self._summary} {kept}"
        self._refresh()

    def set_locked(self, *, locked: bool) -> None:
        """Disable replacing while the text cannot change; searching still works."""
        if locked != self._is_locked:
            self._is_locked = locked
            self._refresh()

    # ------------------------------------------------------------ building
    def _make_switch(self) -> QToolButton:
        switch = QToolButton(self)
        switch.setObjectName("findOption")
        switch.setText(self.tr("Replace"))
        switch.setToolTip(self.tr("Replace selected"))
        switch.setAccessibleName(switch.toolTip())
        switch.setCheckable(True)
        switch.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return switch

    def _make_tree(self) -> QTreeView:
        tree = QTreeView(self)
        tree.setObjectName("found")
        tree.setAccessibleName(self.tr("Matches"))
        tree.setHeaderHidden(True)
        tree.setRootIsDecorated(False)
        tree.setIndentation(8)
        set_scaled_font(tree, interface_font)
        tree.setItemDelegate(self._delegate)
        tree.setModel(self.rows)
        tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        return tree

    def _lay_out(self) -> None:
        self.query_field.options.addWidget(self.replace_switch)
        self.query_field.options.addStretch(1)
        finding = QHBoxLayout()
        finding.setSpacing(8)
        finding.addWidget(self.find_button, 1)
        finding.addWidget(self.replace_button, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.query_field)
        layout.addWidget(self.replacement_field)
        layout.addLayout(finding)
        layout.addWidget(self.problem_label)
        layout.addWidget(self.summary_label)
        layout.addWidget(self.tree, 1)

    def _wire(self) -> None:
        self.query_field.query_changed.connect(self._refresh_now)
        self.query_field.field.entered.connect(self._ask)
        self.find_button.clicked.connect(self._find_or_stop)
        self.replace_switch.toggled.connect(self._show_check_boxes)
        self.replacement_field.textEdited.connect(self._refresh_now)
        self.replace_button.clicked.connect(self._replace)
        self.rows.ticked.connect(self._note_tick)
        self.tree.pressed.connect(self._pressed)
        self.tree.clicked.connect(self._clicked)
        self.tree.activated.connect(self._go_to)
        self._themes.changed.connect(self._dress)

    def _title_of(self, text: TextHits) -> str:
        title = " ".join(text.title.split()) or self.tr("Untitled")
        return self.tr("{0}  ({1})").format(title, number_text(len(text.hits)))

    # ------------------------------------------------------------ slots
    @Slot()
    def _find_or_stop(self) -> None:
        if self._is_searching:
            self._is_searching = False
            self._summary = self.tr("Stopped")
            self.stop_asked.emit()
            self._refresh()
        else:
            self._ask()

    @Slot()
    def _ask(self) -> None:
        query = self.query_field.query
        if query.text:
            self.show_nothing()
            self._is_searching = True
            self._refresh()
            self.search_asked.emit(query)

    @Slot()
    def _replace(self) -> None:
        hits, order = self._hits, self._order()
        if hits is not None and order is not None and order.texts:
            self.replace_asked.emit(order)

    @Slot()
    def _show_check_boxes(self) -> None:
        self._is_replacing = self.replace_switch.isChecked()
        self.rows.set_replacing(on=self._is_replacing)
        self._refresh()

    @Slot()
    def _note_tick(self) -> None:
        self._has_ticked = True
        self._counting.start()

    @Slot(QModelIndex)
    def _pressed(self, index: QModelIndex) -> None:
        self._has_ticked = False

    @Slot(QModelIndex)
    def _clicked(self, index: QModelIndex) -> None:
        if not self._has_ticked:  # clicking a check box does not open the match
            self._go_to(index)

    @Slot(QModelIndex)
    def _go_to(self, index: QModelIndex) -> None:
        place = self.rows.place_of(index)
        if place is not None:
            document_id, hit = place
            self.place_chosen.emit(document_id, hit.match.start, hit.match.end)

    @Slot()
    def _refresh_now(self) -> None:
        self._refresh()

    # ------------------------------------------------------------ inside
    def _refresh(self, problem: str = "") -> None:
        template: Replacement | None = None
        if self._is_replacing and self._hits is not None:
            try:
                template = Replacement.of(self.replacement_field.text(), self._hits.query)
            except WriterProblem as error:
                problem = problem or error.message
        self._delegate.template = template
        self.tree.viewport().update()
        self.replacement_field.setVisible(self._is_replacing)
        self.replace_button.setVisible(self._is_replacing)
        count = self.rows.num_ticked()
        self.replace_button.setText(
            self.tr("Replace {0}").format(number_text(count)) if count else self.tr("Replace")
        )
        is_current = self._hits is not None and self._hits.query == self.query_field.query
        may_replace = count > 0 and is_current and template is not None and not self._is_locked
        self.replace_button.setEnabled(may_replace)
        self.replace_button.setToolTip(self._why_not(is_current=is_current))
        self.find_button.setText(self.tr("Stop") if self._is_searching else self.tr("Find"))
        self.summary_label.setText(self._summary)
        self.summary_label.setVisible(bool(self._summary))
        self.problem_label.setText(translated(problem))
        self.problem_label.setVisible(bool(problem))

    def _why_not(self, *, is_current: bool) -> str:
        if self._is_locked:
            return self.tr("The text is locked. Pause the draft to replace.")
        if self._hits is not None and not is_current:
            return self.tr("Search again before replacing.")
        return ""

    def _summary_of(self, hits: BookHits) -> str:
        if hits.num_hits == 0:
            return self.tr("Nothing found")
        found = (
            self.tr("1 match")
            if hits.num_hits == 1
            else self.tr("{0} matches").format(number_text(hits.num_hits))
        )
        if hits.more:
            return self.tr("First {0}; there are more").format(found)
        texts = len(hits.texts)
        return found if texts == 1 else self.tr("{0} in {1} texts").format(found, number_text(texts))

    def _order(self) -> BookReplacement | None:
        if self._hits is None:
            return None
        texts = (
            ChosenMatches(text.document_id, text.title, text.digest, tuple(hit.match for hit in ticked))
            for text, ticked in self.rows.ticked_hits()
        )
        return BookReplacement(self._hits.query, self.replacement_field.text(), tuple(texts))

    @Slot()
    def _dress(self) -> None:
        self.setStyleSheet(finding_sheet(self._themes.tokens))
        self._delegate.tokens = self._themes.tokens
        self.tree.viewport().update()
