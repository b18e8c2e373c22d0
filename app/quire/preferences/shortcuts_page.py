"""Every action with its keys, to search and change."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from quire.preferences.shortcuts import ShortcutBook, ShortcutConflict, ShortcutLine, shown_keys
from quire.ui.labels import plain_label

_NAME = Qt.ItemDataRole.UserRole
_ROW = QSize(0, 26)
_LEAVING = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)


class KeyField(QKeySequenceEdit):
    """Captures the next key that is pressed; Tab still moves the focus."""

    def event(self, event: QEvent) -> bool:
        """Let Tab move to the next field instead of capturing it."""
        if isinstance(event, QKeyEvent) and event.key() in _LEAVING:
            if event.type() is QEvent.Type.KeyPress:
                self.focusNextPrevChild(event.key() == Qt.Key.Key_Tab)
            return True
        return super().event(event)


class ShortcutsPage(QWidget):
    """The list, and below it the buttons to change one action.

    Signals:
        edited: all keys that the writer chose.
    """

    edited = Signal(object)

    def __init__(self, book: ShortcutBook, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._book = book
        self._items: dict[str, QTreeWidgetItem] = {}
        self._groups: dict[str, QTreeWidgetItem] = {}
        self._offered: tuple[str, str] | None = None
        self._build()
        self._lay_out()
        self._fill()
        book.changed.connect(self._refresh)
        self._choose_first()

    def _build(self) -> None:
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(self.tr("Search by name or key"))
        self.search.setAccessibleName(self.tr("Search the actions"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.list = QTreeWidget(self)
        self.list.setObjectName("shortcutList")
        self.list.setAccessibleName(self.tr("Actions and keys"))
        self.list.setHeaderLabels([self.tr("Action"), self.tr("Keys")])
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setStretchLastSection(False)
        self.list.header().resizeSection(1, 220)
        self.list.setUniformRowHeights(True)
        self.list.setRootIsDecorated(False)
        self.list.setItemsExpandable(False)
        self.list.setIndentation(10)
        self.list.setTabKeyNavigation(False)
        self.list.currentItemChanged.connect(self._show_chosen)
        self.key_field = KeyField(self)
        self.key_field.setAccessibleName(self.tr("Press new keys"))
        self.key_field.setMaximumSequenceLength(1)
        self.key_field.keySequenceChanged.connect(self._take)
        self.remove_button = self._button(self.tr("&Clear"), self._remove)
        self.reset_button = self._button(self.tr("&Reset"), self._reset)
        self.reset_all_button = self._button(self.tr("Reset &All"), self._reset_all)
        self.sentence = plain_label(self)
        self.sentence.setObjectName("caption")
        self.sentence.setWordWrap(True)
        self.sentence.setMinimumHeight(34)
        self.anyway_button = self._button(self.tr("Re&assign"), self._take_anyway)
        self.anyway_button.hide()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 22, 28, 22)
        layout.setSpacing(10)
        layout.addWidget(self.search)
        layout.addWidget(self.list, 1)
        keys = QHBoxLayout()
        label = plain_label(self, text=self.tr("New keys"))
        label.setBuddy(self.key_field)
        for widget in (label, self.key_field, self.remove_button, self.reset_button):
            keys.addWidget(widget)
        keys.addStretch(1)
        keys.addWidget(self.reset_all_button)
        layout.addLayout(keys)
        said = QHBoxLayout()
        said.addWidget(self.sentence, 1)
        said.addWidget(self.anyway_button)
        layout.addLayout(said)

    def _button(self, text: str, slot: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        button.clicked.connect(slot)
        return button

    # ------------------------------------------------------------ the list
    def _fill(self) -> None:
        for line in self._book.lines():
            if line.menu not in self._groups:
                self._groups[line.menu] = self._group(line.menu)
            item = QTreeWidgetItem(self._groups[line.menu])
            item.setData(0, _NAME, line.name)
            item.setSizeHint(0, _ROW)
            self._items[line.name] = item
        self.list.expandAll()
        self._refresh()

    def _group(self, menu: str) -> QTreeWidgetItem:
        group = QTreeWidgetItem(self.list, [menu, ""])
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        group.setFirstColumnSpanned(True)
        group.setSizeHint(0, _ROW)
        font = group.font(0)
        font.setWeight(QFont.Weight.DemiBold)
        group.setFont(0, font)
        return group

    @Slot()
    def _refresh(self) -> None:
        """Show the current keys; changed ones are bold and labelled."""
        for line in self._book.lines():
            if line.name in self._items:
                _write(self._items[line.name], line, self.tr("{0} (changed)").format(line.text))
        self._show_chosen()

    @Slot(str)
    def _filter(self, wanted: str) -> None:
        words = wanted.casefold().split()
        used: set[str] = set()
        for line in self._book.lines():
            fits = all(word in f"{line.menu} {line.text} {line.keys}".casefold() for word in words)
            self._items[line.name].setHidden(not fits)
            used.update([line.menu] if fits else [])
        for menu, group in self._groups.items():
            group.setHidden(menu not in used)
        current = self.list.currentItem()
        if current is None or current.isHidden():
            self._choose_first()

    def _choose_first(self) -> None:
        first = next((item for item in self._items.values() if not item.isHidden()), None)
        self.list.setCurrentItem(first)  # type: ignore[arg-type]  # None: nothing is chosen

    def choose(self, name: str) -> None:
        """Select an action."""
        self.list.setCurrentItem(self._items[name])

    @property
    def chosen(self) -> str | None:
        """Return the name of the selected action, or None."""
        item = self.list.currentItem()
        return None if item is None or item.isHidden() else item.data(0, _NAME)

    # ------------------------------------------------------------ the keys of one action
    @Slot()
    def _show_chosen(self) -> None:
        name = self.chosen
        self._offer(None)
        self.key_field.setEnabled(name is not None)
        self.remove_button.setEnabled(name is not None and bool(self._book.keys(name)))
        self.reset_button.setEnabled(name is not None and name in self._book.chosen)
        self.reset_all_button.setEnabled(bool(self._book.chosen))
        self.sentence.setText("")
        self.key_field.blockSignals(True)
        self.key_field.clear()
        self.key_field.blockSignals(False)

    @Slot(QKeySequence)
    def _take(self, sequence: QKeySequence) -> None:
        name, key = self.chosen, sequence.toString(QKeySequence.SequenceFormat.PortableText)
        self._offer(None)
        if name is None or not key:
            return
        shown, refusal, owner = shown_keys([key]), self._book.refusal(name, key), self._book.owner(key, name)
        if refusal is ShortcutConflict.OPENS_MENU:
            self.sentence.setText(self.tr("{0} opens a menu. Choose different keys.").format(shown))
        elif refusal is ShortcutConflict.WRITES:
            self.sentence.setText(
                self.tr("{0} is needed for typing. Add Ctrl or Alt, or use a function key.").format(shown)
            )
        elif owner is not None:
            self.sentence.setText(
                self.tr("{0} is already assigned to “{1}”. Reassigning removes it there.").format(
                    shown, self._book.text(owner)
                )
            )
            self._offer((name, key))
        else:
            self._bind(name, key)

    @Slot()
    def _take_anyway(self) -> None:
        if self._offered is not None:
            self._bind(*self._offered)
            self.key_field.setFocus()

    def _bind(self, name: str, key: str) -> None:
        self.edited.emit(self._book.rebound(name, [key]))
        self.sentence.setText(
            self.tr("{0} is now assigned to “{1}”.").format(shown_keys([key]), self._book.text(name))
        )

    @Slot()
    def _remove(self) -> None:
        if self.chosen is not None:
            self.edited.emit(self._book.rebound(self.chosen, []))

    @Slot()
    def _reset(self) -> None:
        if self.chosen is not None:
            self.edited.emit(self._book.reset(self.chosen))

    @Slot()
    def _reset_all(self) -> None:
        self.edited.emit({})

    def _offer(self, offered: tuple[str, str] | None) -> None:
        self._offered = offered
        self.anyway_button.setVisible(offered is not None)


def _write(item: QTreeWidgetItem, line: ShortcutLine, changed: str) -> None:
    item.setText(0, line.text)
    item.setText(1, line.keys)
    font = item.font(1)
    font.setWeight(QFont.Weight.DemiBold if line.changed else QFont.Weight.Normal)
    item.setFont(1, font)
    item.setData(0, Qt.ItemDataRole.AccessibleTextRole, changed if line.changed else line.text)
