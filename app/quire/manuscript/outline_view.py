"""The outline: the book as a table in which synopsis and status can be edited."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Slot,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QPlainTextEdit,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from quire.domain.manuscript.tree import Status
from quire.manuscript.book_view import BookView
from quire.manuscript.outline_model import OutlineColumn, OutlineTable
from quire.manuscript.synopsis_panel import StatusBox
from quire.manuscript.tree_model import BookTreeModel
from quire.theme.fonts import figures_font
from quire.theme.text_size import fit_rows, follow, scaled, set_scaled_font

_ROW_PX = 34
_TITLE_SHARE, _MIN_TITLE_PX, _MAX_TITLE_PX = 0.36, 150, 440
_STATUS_PX = 96
_FIGURE_PX = 80
_SYNOPSIS_PX, _MIN_SYNOPSIS_PX = 108, 320
Index = QModelIndex | QPersistentModelIndex


class SynopsisDelegate(QStyledItemDelegate):
    """Edits a synopsis in any number of lines; Ctrl+Return or leaving the field ends it."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Return the field."""
        field = QPlainTextEdit(parent)
        field.setAccessibleName(self.tr("Synopsis"))
        field.setTabChangesFocus(True)
        return field

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """Give the field more room than the row has."""
        rect, room = QRect(option.rect), editor.parentWidget()
        rect.setSize(QSize(max(rect.width(), scaled(_MIN_SYNOPSIS_PX)), scaled(_SYNOPSIS_PX)))
        if room is not None and rect.bottom() > room.height():
            rect.moveBottom(room.height())
        editor.setGeometry(rect)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Show the current text."""
        if isinstance(editor, QPlainTextEdit):
            editor.setPlainText(str(index.data(Qt.ItemDataRole.EditRole)))
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Request the new text."""
        if isinstance(editor, QPlainTextEdit):
            model.setData(index, editor.toPlainText())

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        """Treat Return as a line break, since a synopsis may have several lines."""
        is_return = isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_return and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                return False
            if isinstance(editor, QWidget):
                self.commitData.emit(editor)
                self.closeEditor.emit(editor)
            return True
        return super().eventFilter(editor, event)


class StatusDelegate(QStyledItemDelegate):
    """Edits a status."""

    def __init__(self, book: BookTreeModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._texts = book.texts

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Return the combo box."""
        box = StatusBox(self._texts, parent)
        box.activated.connect(self._choose)
        return box

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Show the current status."""
        if isinstance(editor, StatusBox):
            editor.show_status(Status(str(index.data(Qt.ItemDataRole.EditRole))))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Request the new status."""
        if isinstance(editor, StatusBox):
            model.setData(index, editor.status.value)

    @Slot()
    def _choose(self) -> None:
        box = self.sender()
        if isinstance(box, StatusBox):
            self.commitData.emit(box)
            self.closeEditor.emit(box)


class OutlineView(BookView):
    """Shows the book as a table, a row for each part, chapter and scene."""

    def __init__(self, book: BookTreeModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = OutlineTable(book, self)
        self.view = self._make_view(book)
        self.hint.show_text(self.tr("Double-click (or F2) to edit a synopsis or status."))
        self.copy_button = QPushButton(self.tr("Copy as CSV"), self)
        self.copy_button.setToolTip(self.tr("Copies the selected rows, or all of them"))
        self.lay_out(self.tr("Outline"), self.view, self.copy_button)
        self.table.edit_asked.connect(self.edit_asked)
        self.view.doubleClicked.connect(self._choose)
        self.copy_button.clicked.connect(self.copy)

    def go_to(self, node_id: int) -> None:
        """Select the row of a text."""
        row = self.table.row_of(node_id)
        if row is not None:
            index = self.table.index(row, OutlineColumn.SYNOPSIS)
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def open_chosen(self) -> None:
        """Open the text of the selected row."""
        self._open(self.view.currentIndex())

    @Slot()
    def copy(self) -> None:
        """Copy the selected rows, or all, to the clipboard."""
        selection = self.view.selectionModel()
        rows = sorted({index.row() for index in selection.selectedIndexes()}) if selection is not None else []
        QGuiApplication.clipboard().setText(self.table.as_csv(rows if len(rows) > 1 else None))

    def event(self, event: QEvent) -> bool:
        """Keep Ctrl+C from the window's shortcuts."""
        if event.type() is QEvent.Type.ShortcutOverride and _copies(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the selected rows."""
        if _copies(event):
            self.copy()
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------ inside
    def _make_view(self, book: BookTreeModel) -> QTableView:
        view = _OutlineTableView(self)
        view.setObjectName("sessions")  # matches the table of sessions
        view.setModel(self.table)
        view.setAccessibleName(self.tr("Book outline"))
        set_scaled_font(view, figures_font)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        view.setItemDelegateForColumn(OutlineColumn.SYNOPSIS, SynopsisDelegate(view))
        view.setItemDelegateForColumn(OutlineColumn.STATUS, StatusDelegate(book, view))
        view.verticalHeader().hide()
        fit_rows(view, _ROW_PX)
        header = view.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(OutlineColumn.SYNOPSIS, QHeaderView.ResizeMode.Stretch)
        follow(view, "columns", _size_columns)
        return view

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        if index.column() not in (OutlineColumn.SYNOPSIS, OutlineColumn.STATUS):
            self._open(index)

    def _open(self, index: QModelIndex) -> None:
        node = self.table.node_at(index)
        if node is not None:
            self.document_chosen.emit(node.node_id)


class _OutlineTableView(QTableView):
    """A table that leaves some keys to its parent and gives titles a share of the width."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the titles their share of the width, and the rest to the synopsis."""
        share = round(_TITLE_SHARE * self.viewport().width())
        width = min(max(share, _MIN_TITLE_PX), scaled(_MAX_TITLE_PX))
        self.horizontalHeader().resizeSection(OutlineColumn.TITLE, width)
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave copying to the outline."""
        if _copies(event):
            event.ignore()
        else:
            super().keyPressEvent(event)


def _size_columns(view: QTableView) -> None:
    for column in OutlineColumn:
        if column not in (OutlineColumn.TITLE, OutlineColumn.SYNOPSIS):
            px = _FIGURE_PX if column.is_number else _STATUS_PX
            view.horizontalHeader().resizeSection(column, scaled(px))


def _copies(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Copy)
