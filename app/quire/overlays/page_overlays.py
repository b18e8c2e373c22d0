"""What overlays add to the page; present from the first show on, so that the page keeps its size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from quire.overlays.overlay_picker import OverlayLegend, OverlayPicker

if TYPE_CHECKING:
    from quire.app import App


class PageOverlays:
    """The picker and the legend in the header."""

    def __init__(self, app: App) -> None:
        page, themes = app.window.page, app.window.themes
        self.picker = OverlayPicker(themes, page)
        self.legend = OverlayLegend(themes, page)
        page.header.add(self.picker, self.legend)
        self.picker.overlay_shown.connect(page.header.place)
        # Shift+Tab leaves the text for what precedes it; the picker comes after it
        QWidget.setTabOrder(page.editor, self.picker)
