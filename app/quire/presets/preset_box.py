"""The choice of the project's preset in the bar above the page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from quire.domain.drafting.presets import BUILT_IN, DEFAULT, Preset
from quire.theme.text_size import fit
from quire.ui.calm_fields import CalmCombo
from quire.ui.translated import translated

_EDIT = "edit"


class PresetBox(CalmCombo):
    """Lists the presets.

    Signals:
        preset_chosen: the preset that was chosen.
        edit_asked: open the presets dialog.
    """

    preset_chosen = Signal(Preset)
    edit_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presets: tuple[Preset, ...] = ()
        self.setAccessibleName(self.tr("Preset"))
        fit(self.setFixedWidth, 132)
        self.activated.connect(self._choose)
        self.show_presets(BUILT_IN, DEFAULT)

    @property
    def preset(self) -> Preset:
        """Return the preset that is shown."""
        return self._presets[self._shown]

    def show_presets(self, presets: Sequence[Preset], chosen: Preset) -> None:
        """List presets; chosen: the project's own, which may be missing on this computer."""
        known = next((one for one in presets if one.name.casefold() == chosen.name.casefold()), None)
        self._presets = tuple(presets) if known is not None else (*presets, chosen)
        self._shown = self._presets.index(known or chosen)
        with QSignalBlocker(self):
            self.clear()
            for preset in self._presets:
                self.addItem(translated(preset.title))
                self.setItemData(self.count() - 1, translated(preset.note), Qt.ItemDataRole.ToolTipRole)
            self.addItem(self.tr("Edit Presets…"), _EDIT)
            self.setCurrentIndex(self._shown)
        self._say()

    @Slot(int)
    def _choose(self, index: int) -> None:
        if self.itemData(index) == _EDIT or index >= len(self._presets):
            self.setCurrentIndex(self._shown)
            self.edit_asked.emit()
            return
        changed, self._shown = index != self._shown, index
        self._say()
        if changed:
            self.preset_chosen.emit(self.preset)

    def _say(self) -> None:
        preset = self.preset
        self.setToolTip(
            self.tr("{0}. Applies from the next draft.").format(translated(preset.note).rstrip("."))
        )
        if not preset.note:
            self.setToolTip(self.tr("How freely the model chooses its words. Applies from the next draft."))
