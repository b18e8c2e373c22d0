"""The manual in its own window: contents, search and page."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt, QUrl, Slot
from PySide6.QtGui import (
    QKeySequence,
    QPalette,
    QShortcut,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QTextBrowser,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from quire.help.manual import LINK, ManualPage, manual_pages, pages_with
from quire.theme.fonts import headline_font
from quire.theme.text_size import fit, set_scaled_font
from quire.ui.dialog_size import resize_within_screen
from quire.ui.labels import plain_label

_SIZE = QSize(980, 680)
_CONTENTS_PX = 250
_TEXT_PX = 15
_MARGIN_PX = 30
_MAX_MARKS = 200
_LINE_PERCENT = 106.0


class ManualText(QTextBrowser):
    """Shows a page; it opens neither files nor connections."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("compared")
        set_scaled_font(self, headline_font, _TEXT_PX)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)

    def loadResource(self, type: int, name: QUrl | str) -> Any:
        """Load nothing: pages have no external resources."""
        return None

    def show_page(self, page: ManualPage) -> None:
        """Show a page from its beginning."""
        self.setMarkdown(page.text)
        self.document().setDocumentMargin(_MARGIN_PX)
        self._space_out()
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.Start)
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(0)

    def mark(self, query: str) -> int:
        """Mark every match of the words of a query and go to the first; return their number."""
        marks: list[QTextEdit.ExtraSelection] = []
        colours = QTextCharFormat()
        colours.setBackground(self.palette().color(QPalette.ColorRole.Highlight))
        colours.setForeground(self.palette().color(QPalette.ColorRole.HighlightedText))
        for word in query.split():
            cursor = self.document().find(word)
            while not cursor.isNull() and len(marks) < _MAX_MARKS:
                found = QTextEdit.ExtraSelection()
                found.cursor, found.format = cursor, colours
                marks.append(found)
                cursor = self.document().find(word, cursor, QTextDocument.FindFlag(0))
        self.setExtraSelections(marks)
        if marks:
            first = QTextCursor(marks[0].cursor)
            first.clearSelection()
            self.setTextCursor(first)
            self.ensureCursorVisible()
        return len(marks)

    def _space_out(self) -> None:
        """Add the paragraph and heading spacing that Markdown lacks."""
        block = self.document().begin()
        while block.isValid():
            cursor, look = QTextCursor(block), block.blockFormat()
            level, in_table = look.headingLevel(), cursor.currentTable() is not None
            look.setTopMargin(16 if level > 1 else 0)
            look.setBottomMargin(0 if in_table else 10 if level != 1 else 16)
            look.setLineHeight(_LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            cursor.setBlockFormat(look)
            block = block.next()


class ManualDialog(QDialog):
    """Stays open beside the window and blocks nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Manual"))
        self.setModal(False)
        self._pages = manual_pages()
        self.search_edit = QLineEdit(self)
        self.search_edit.setAccessibleName(self.tr("Search the manual"))
        self.search_edit.setPlaceholderText(self.tr("Search the manual"))
        self.search_edit.setClearButtonEnabled(True)
        self.contents = QListWidget(self)
        self.contents.setObjectName("sideList")
        self.contents.setAccessibleName(self.tr("Contents"))
        self.contents.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.found_label = plain_label(self)
        self.found_label.setObjectName("caption")
        self.found_label.setWordWrap(True)
        self.text = ManualText(self)
        self.text.setAccessibleName(self.tr("Manual page"))
        self._lay_out()
        self.search_edit.textChanged.connect(self._search)
        self.search_edit.returnPressed.connect(self.text.setFocus)
        self.contents.currentItemChanged.connect(self._show_chosen)
        self.text.anchorClicked.connect(self._follow)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.search_edit.setFocus)
        self._search()

    def show_page(self, name: str) -> None:
        """Show the page with a name; do nothing if there is none."""
        self.search_edit.clear()
        for row in range(self.contents.count()):
            if self._page_at(row).name == name:
                self.contents.setCurrentRow(row)

    @property
    def page(self) -> ManualPage | None:
        """Return the page that is shown."""
        row = self.contents.currentRow()
        return self._page_at(row) if row >= 0 else None

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addWidget(self.search_edit)
        left.addWidget(self.found_label)
        left.addWidget(self.contents, 1)
        for widget in (self.search_edit, self.contents, self.found_label):
            fit(widget.setFixedWidth, _CONTENTS_PX)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(16)
        layout.addLayout(left)
        layout.addWidget(self.text, 1)
        resize_within_screen(self, _SIZE)

    @Slot()
    def _search(self) -> None:
        """List the pages with the words; stay on the current page if it has them, too."""
        query = self.search_edit.text().strip()
        shown = self.page
        found = pages_with(self._pages, query)
        self.contents.clear()
        for page in found:
            item = QListWidgetItem(page.title)
            item.setData(Qt.ItemDataRole.UserRole, page.name)
            self.contents.addItem(item)
        self.found_label.setVisible(bool(query))
        if found:
            self.found_label.setText(
                self.tr("Found on {0} of {1} pages").format(len(found), len(self._pages))
            )
            self.contents.setCurrentRow(next((row for row, page in enumerate(found) if page == shown), 0))
        else:
            self.found_label.setText(self.tr("No pages found."))
        self.text.mark(query)

    @Slot()
    def _show_chosen(self) -> None:
        page = self.page
        if page is not None:
            self.text.show_page(page)
            self.text.mark(self.search_edit.text())

    @Slot(QUrl)
    def _follow(self, link: QUrl) -> None:
        if link.toString().startswith(LINK):
            self.show_page(link.toString().removeprefix(LINK))

    def _page_at(self, row: int) -> ManualPage:
        name = self.contents.item(row).data(Qt.ItemDataRole.UserRole)
        return next(page for page in self._pages if page.name == name)
