"""The preferences: changes apply at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from quire.preferences.pages import (
    AdvancedPage,
    AppearancePage,
    DraftingPage,
    LanguagePage,
    Named,
    WritingPage,
)
from quire.preferences.setting_fields import PreferencePage
from quire.preferences.shortcuts import ShortcutBook
from quire.preferences.shortcuts_page import ShortcutsPage
from quire.settings.settings import Settings
from quire.theme.text_size import fit
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.dialog_size import resize_within_screen

DEFAULT_SIZE = QSize(880, 600)
_LIST_PX = 168


@dataclass(frozen=True, slots=True)
class Offers:
    """The available dictionaries and interface languages, by code and name."""

    dictionaries: Sequence[Named] = ()
    languages: Sequence[Named] = ()


class PreferencesDialog(QDialog):
    """Pages of fields beside a list of the pages.

    Signals:
        edited: the new settings.
    """

    edited = Signal(object)

    def __init__(
        self,
        settings: Settings,
        book: ShortcutBook,
        themes: ThemeSwitch,
        offers: Offers,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self.setWindowTitle(self.tr("Preferences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.appearance = AppearancePage(settings, themes)
        self.writing = WritingPage(settings, offers.dictionaries)
        self.drafting = DraftingPage(settings)
        self.shortcuts = ShortcutsPage(book)
        self.language = LanguagePage(settings, offers.languages)
        self.advanced = AdvancedPage(settings)
        self._pages: list[PreferencePage] = [
            self.appearance, self.writing, self.drafting, self.language, self.advanced,
        ]  # fmt: skip
        self.page_list = QListWidget(self)
        self._stack = QStackedWidget(self)
        self._add_pages()
        self._lay_out()
        self.shortcuts.edited.connect(self._shortcuts_edited)
        for page in self._pages:
            page.edited.connect(self._edited)

    def show_settings(self, settings: Settings) -> None:
        """Show settings that were changed elsewhere."""
        self._settings = settings
        for page in self._pages:
            page.show_settings(settings)

    def show_page(self, index: int) -> None:
        """Show a page."""
        self.page_list.setCurrentRow(index)

    def _add_pages(self) -> None:
        self.page_list.setObjectName("sideList")
        self.page_list.setAccessibleName(self.tr("Pages"))
        fit(self.page_list.setFixedWidth, _LIST_PX)
        for page, name in (
            (self.appearance, self.tr("Appearance")),
            (self.writing, self.tr("Writing")),
            (self.drafting, self.tr("Drafting")),
            (self.shortcuts, self.tr("Shortcuts")),
            (self.language, self.tr("Language")),
            (self.advanced, self.tr("Advanced")),
        ):
            page.setAccessibleName(name)
            self.page_list.addItem(name)
            self._stack.addWidget(_scrolling(page) if isinstance(page, PreferencePage) else page)
        self.page_list.currentRowChanged.connect(self._stack.setCurrentIndex)
        self.page_list.setCurrentRow(0)

    def _lay_out(self) -> None:
        self.close_button = QPushButton(self.tr("Close"), self)
        self.close_button.setAutoDefault(False)
        self.close_button.clicked.connect(self.accept)
        middle = QHBoxLayout()
        middle.setContentsMargins(12, 12, 0, 0)
        middle.setSpacing(0)
        middle.addWidget(self.page_list)
        middle.addWidget(self._stack, 1)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(20, 10, 20, 14)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(middle, 1)
        layout.addLayout(buttons)
        self.setMinimumSize(720, 420)
        resize_within_screen(self, DEFAULT_SIZE)
        self.page_list.setFocus()

    @Slot(object)
    def _edited(self, settings: Settings) -> None:
        self._settings = settings
        for page in self._pages:
            if page.settings != settings:
                page.show_settings(settings)
        self.edited.emit(settings)

    @Slot(object)
    def _shortcuts_edited(self, chosen: dict[str, tuple[str, ...]]) -> None:
        self._edited(replace(self._settings, shortcuts=chosen))


def _scrolling(page: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(page)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area
