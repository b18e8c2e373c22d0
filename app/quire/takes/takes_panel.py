"""The alternative continuations of the open text, beside the page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QMessageBox,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from quire.domain.drafting.take_metrics import TakeFigures
from quire.takes.metrics_views import FigureRows
from quire.takes.take_groups import TakeGroup, TakeLine
from quire.takes.take_labels import TakeTexts
from quire.theme.fonts import interface_font
from quire.theme.text_size import follow, set_scaled_font
from quire.ui.action_table import add_to_menu, new_action
from quire.ui.labels import plain_label
from quire.ui.translated import translated

_LINE = Qt.ItemDataRole.UserRole


class TakesPanel(QFrame):
    """Lists takes by their start, with nested takes after their parent, and the trash.

    Signals:
        take_chosen: put this one into the text.
        compare_asked: compare one with the current text, or two with each other; a tuple of numbers.
        charts_asked: show or hide its run in the charts.
        beside_asked: show it beside the text; its number and name.
        again_asked: reproduce it.
        delete_asked: delete takes in the trash permanently; a tuple of numbers, or None for all.
        figures_wanted: show the metrics of this one.
    """

    take_chosen = Signal(int)
    compare_asked = Signal(object)
    charts_asked = Signal(int, bool)
    beside_asked = Signal(int, str)
    again_asked = Signal(int)
    rename_asked = Signal(int, str)
    trash_asked = Signal(int)
    restore_asked = Signal(int)
    delete_asked = Signal(object)
    figures_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._locked = False
        self._over_charts: int | None = None
        self.texts = TakeTexts(self)
        self.commands = TakeActions(self)
        self.hint = plain_label(
            self, text=self.tr("No takes yet. Use Retry or Redraft From Here to create one.")
        )
        self.note = plain_label(self)
        for label in (self.hint, self.note):
            label.setObjectName("caption")
            label.setWordWrap(True)
        self.note.hide()
        self.list = self._make_list()
        self.commands.bind_to(self.list)
        self.rows = FigureRows(self)
        self.choose_button = QPushButton(self.tr("Use This Take"), self)
        self.compare_button = QPushButton(self.tr("Compare"), self)
        self._lay_out()
        self._wire()
        self.show_takes(())

    @property
    def title(self) -> str:
        """Return the title of its tab."""
        return self.tr("Takes")

    # ------------------------------------------------------------ input
    def show_takes(self, groups: Sequence[TakeGroup], trashed: Sequence[TakeLine] = ()) -> None:
        """List these takes; keep the selection, or else select the last current one."""
        chosen = self._current()
        self.list.clear()
        self._add_groups(groups)
        if trashed:
            heading = self._heading(self.tr("In the trash"), 0)
            heading.setToolTip(self.tr("Items are deleted after 30 days."))
            self.list.addItem(heading)
            for line in trashed:
                self.list.addItem(self._item(line))
        for row in self._rows_to_choose(None if chosen is None else chosen.take_id):
            self.list.setCurrentRow(row)
        has_any = bool(groups or trashed)
        self.hint.setVisible(not has_any)
        for part in (self.list, self.rows, self.choose_button, self.compare_button):
            part.setVisible(has_any)
        self._refresh()

    def show_note(self, sentence: str) -> None:
        """Show a note on what Retry will do; hide it if it is empty."""
        self.note.setText(translated(sentence))
        self.note.setVisible(bool(sentence))

    def show_figures(self, take_id: int, figures: TakeFigures) -> None:
        """Show the metrics of a take, if it is still selected."""
        line = self._current()
        if line is not None and line.take_id == take_id:
            self.rows.show_rows(self.texts.figures(figures))

    def show_over_charts(self, take_id: int | None) -> None:
        """Set the take whose run is shown in the charts."""
        self._over_charts = take_id
        self._refresh()

    def set_locked(self, *, locked: bool) -> None:
        """Disable changes while the text cannot change."""
        self._locked = locked
        self._refresh()

    def want_figures(self) -> None:
        """Request the metrics of the selected take."""
        line = self._current()
        if line is not None:
            self.figures_wanted.emit(line.take_id)

    # ------------------------------------------------------------ building
    def _make_list(self) -> QListWidget:
        found = QListWidget(self)
        found.setObjectName("sideList")
        found.setAccessibleName(self.tr("Takes"))
        found.setWordWrap(True)
        found.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        found.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        found.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        found.setItemDelegate(IndentedItems(found))
        set_scaled_font(found, interface_font)
        follow(found, "headings", _size_headings)
        return found

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.choose_button, 1)
        buttons.addWidget(self.compare_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.hint)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.rows)
        layout.addWidget(self.note)
        layout.addLayout(buttons)
        layout.addStretch()  # without takes the hints are at the top

    def _wire(self) -> None:
        self.choose_button.clicked.connect(self._choose)
        self.compare_button.clicked.connect(self._compare)
        self.list.itemActivated.connect(self._choose)
        self.list.currentItemChanged.connect(self._current_changed)
        self.list.itemSelectionChanged.connect(self._refresh)
        self.list.customContextMenuRequested.connect(self._show_menu)
        do = self.commands
        do.choose.triggered.connect(self._choose)
        do.compare.triggered.connect(self._compare)
        do.charts.triggered.connect(self._lay_over_charts)
        do.open_beside.triggered.connect(self._ask_for_beside)
        do.again.triggered.connect(self._ask_again)
        do.rename.triggered.connect(self._ask_for_name)
        do.trash.triggered.connect(self._trash)
        do.restore.triggered.connect(self._restore)
        do.delete.triggered.connect(self._ask_to_delete)
        do.empty.triggered.connect(self._ask_to_empty)

    def _add_groups(self, groups: Sequence[TakeGroup]) -> None:
        for group in groups:
            self.list.addItem(self._heading(self.texts.heading(group.after), group.depth))
            for line in group.lines:
                if isinstance(line, TakeGroup):
                    self._add_groups((line,))
                else:
                    self.list.addItem(self._item(line))

    def _heading(self, text: str, depth: int) -> QListWidgetItem:
        item = QListWidgetItem(text)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setFont(_heading_font())
        IndentedItems.set_depth(item, depth)
        return item

    def _item(self, line: TakeLine) -> QListWidgetItem:
        title = self.texts.title(line)
        item = QListWidgetItem(f"{title}\n{line.opening}" if line.opening else title)
        item.setData(_LINE, line)
        IndentedItems.set_depth(item, 0 if line.days_left is not None else line.depth)
        spoken = f"{title}. {line.opening}"
        if line.depth:
            spoken = self.tr("{0} (inside another take)").format(spoken)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
        if line.stands:
            font = QFont()  # its size is that of the list
            font.setWeight(QFont.Weight.DemiBold)
            item.setFont(font)
        return item

    # ------------------------------------------------------------ selection
    def _line_at(self, row: int) -> TakeLine | None:
        item = self.list.item(row)
        line = None if item is None else item.data(_LINE)
        return line if isinstance(line, TakeLine) else None

    def _current(self) -> TakeLine | None:
        return self._line_at(self.list.currentRow())

    def _selected(self) -> list[TakeLine]:
        rows = sorted(index.row() for index in self.list.selectedIndexes())
        return [line for row in rows if (line := self._line_at(row)) is not None]

    def _rows_to_choose(self, take_id: int | None) -> list[int]:
        lines = [(row, line) for row in range(self.list.count()) if (line := self._line_at(row)) is not None]
        same = [row for row, line in lines if line.take_id == take_id]
        return same[:1] or [row for row, line in lines if line.stands][-1:]

    def _changeable(self) -> TakeLine | None:
        """Return the take that can be changed now."""
        line = self._current()
        return None if self._locked or line is None else line

    # ------------------------------------------------------------ slots
    @Slot()
    def _choose(self) -> None:
        line = self._changeable()
        if line is not None and not line.stands and line.days_left is None:
            self.take_chosen.emit(line.take_id)

    @Slot()
    def _compare(self) -> None:
        if self.compare_button.isEnabled():
            self.compare_asked.emit(tuple(line.take_id for line in self._selected()))

    @Slot(bool)
    def _lay_over_charts(self, on: bool) -> None:
        if (line := self._current()) is not None:
            self.charts_asked.emit(line.take_id, on)

    @Slot()
    def _ask_for_beside(self) -> None:
        if (line := self._current()) is not None:
            self.beside_asked.emit(line.take_id, self.texts.name(line))

    @Slot()
    def _ask_again(self) -> None:
        if (line := self._changeable()) is not None and line.has_run and line.days_left is None:
            self.again_asked.emit(line.take_id)

    @Slot()
    def _ask_for_name(self) -> None:
        line = self._changeable()
        if line is None or line.days_left is not None:
            return
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Rename Take"))
        dialog.setLabelText(self.tr("Name (leave empty to use its number)"))
        dialog.setTextValue(line.title)
        dialog.textValueSelected.connect(lambda text: self.rename_asked.emit(line.take_id, text))
        dialog.open()

    @Slot()
    def _trash(self) -> None:
        line = self._changeable()
        if line is not None and not line.stands and line.days_left is None:
            self.trash_asked.emit(line.take_id)

    @Slot()
    def _restore(self) -> None:
        line = self._changeable()
        if line is not None and line.days_left is not None:
            self.restore_asked.emit(line.take_id)

    @Slot()
    def _ask_to_delete(self) -> None:
        line = self._changeable()
        if line is not None and line.days_left is not None:
            question = self.tr("Permanently delete {0}?").format(self.texts.name(line))
            self._ask_for_good(question, (line.take_id,))

    @Slot()
    def _ask_to_empty(self) -> None:
        if not self._locked:
            self._ask_for_good(self.tr("Permanently delete all takes in this text's trash?"), None)

    def _ask_for_good(self, question: str, take_ids: tuple[int, ...] | None) -> None:
        """Ask before something is deleted permanently."""
        box = QMessageBox(QMessageBox.Icon.NoIcon, self.tr("Trash"), question, parent=self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setInformativeText(
            self.tr("This also deletes takes that begin in it and its draft data. Snapshots are kept.")
        )
        delete = box.addButton(self.tr("Delete Permanently"), QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        delete.clicked.connect(lambda: self.delete_asked.emit(take_ids))
        box.open()

    @Slot(QPoint)
    def _show_menu(self, place: QPoint) -> None:
        line = self._current()
        if line is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.commands.fill(menu, in_trash=line.days_left is not None)
        menu.popup(self.list.viewport().mapToGlobal(place))

    @Slot()
    def _current_changed(self) -> None:
        self.rows.show_rows(self.texts.figures(None))
        self._refresh()
        self.want_figures()

    @Slot()
    def _refresh(self) -> None:
        line, selected = self._current(), self._selected()
        in_trash = line is not None and line.days_left is not None
        free = line is not None and not self._locked
        aside = free and line is not None and not line.stands and not in_trash
        self.choose_button.setEnabled(aside)
        self.compare_button.setEnabled(len(selected) == 2 or (len(selected) == 1 and not selected[0].stands))
        do = self.commands
        do.choose.setEnabled(aside)
        do.compare.setEnabled(self.compare_button.isEnabled())
        do.trash.setEnabled(aside)
        for action in (do.restore, do.delete, do.empty):
            action.setEnabled(free and in_trash)
        do.rename.setEnabled(free and not in_trash)
        do.again.setEnabled(free and not in_trash and line is not None and line.has_run)
        do.open_beside.setEnabled(line is not None)
        do.charts.setEnabled(line is not None and line.has_run)
        do.charts.setChecked(line is not None and line.take_id == self._over_charts)


_DEPTH = Qt.ItemDataRole.UserRole + 10


_STEP_PX = 14


_DEEPEST = 5
"""Maximum depth of indentation, so that there is room for words."""


class IndentedItems(QStyledItemDelegate):
    """Indents each item by its depth."""

    @staticmethod
    def set_depth(item: QListWidgetItem, depth: int) -> None:
        """Set the depth of an item."""
        item.setData(_DEPTH, depth)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw an item indented."""
        moved = QStyleOptionViewItem(option)
        moved.rect.adjust(_indent(index), 0, 0, 0)
        super().paint(painter, moved, index)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of an item at its reduced width."""
        moved = QStyleOptionViewItem(option)
        moved.rect.adjust(_indent(index), 0, 0, 0)
        return super().sizeHint(moved, index)


def _indent(index: QModelIndex | QPersistentModelIndex) -> int:
    depth = index.data(_DEPTH)
    return _STEP_PX * min(depth, _DEEPEST) if isinstance(depth, int) else 0


class TakeActions(QObject):
    """The actions of the list of takes, and of the last draft; what they do is decided where they are
    connected.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        add = partial(new_action, self)
        self.choose = add(self.tr("Use &This Take"))
        self.compare = add(self.tr("&Compare"))
        self.charts = add(self.tr("Show in C&harts"), checked=False)
        self.open_beside = add(self.tr("Open as &Second Text"))
        self.again = add(
            self.tr("&Redraft This Take"),
            tip=self.tr("Drafts this take again, word for word"),
        )
        self.rename = add(self.tr("&Rename…"), "F2")
        self.trash = add(self.tr("Move to T&rash"), "Del", tip=self.tr("Deleted after 30 days"))
        self.restore = add(self.tr("&Restore"))
        self.delete = add(self.tr("&Delete Permanently…"), "Del")
        self.empty = add(self.tr("&Empty Trash…"))

    def bind_to(self, view: QWidget) -> None:
        """Restrict keys with another meaning in a text to a view."""
        for action in (self.rename, self.trash, self.delete):
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            view.addAction(action)

    def fill(self, menu: QMenu, *, in_trash: bool) -> None:
        """Fill the menu of a take."""
        if in_trash:
            add_to_menu(menu, self.restore, self.compare, self.open_beside, None, self.delete, self.empty)
        else:
            add_to_menu(menu, self.choose, self.compare, self.open_beside, self.charts, None)
            add_to_menu(menu, self.again, self.rename, None, self.trash)


def _heading_font() -> QFont:
    return interface_font(11, QFont.Weight.Medium)


def _size_headings(found: QListWidget) -> None:
    for row in range(found.count()):
        if (item := found.item(row)).flags() == Qt.ItemFlag.NoItemFlags:
            item.setFont(_heading_font())
