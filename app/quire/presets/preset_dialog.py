"""The presets: view, edit, save, import and export them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from quire.domain.drafting.presets import BUILT_IN, Preset, by_name, sampling_values
from quire.presets.preset_form import PresetForm
from quire.theme.fonts import interface_font
from quire.theme.text_size import fit, set_scaled_font
from quire.ui.dialog_size import resize_within_screen
from quire.ui.file_dialogs import ThemedFileDialog
from quire.ui.form_parts import caption
from quire.ui.translated import translated

_SIZE = QSize(780, 590)
_FILTER = "*.json"


class PresetDialog(QDialog):
    """Shows presets; it is updated through show_presets().

    Signals:
        chosen: use this preset for the project.
        saved: one of the writer's own.
        deleted: one of the writer's own.
        import_asked: with the file.
        export_asked: with the file and its preset.
    """

    chosen = Signal(Preset)
    saved = Signal(Preset)
    deleted = Signal(str)
    import_asked = Signal(Path)
    export_asked = Signal(Path, list)

    def __init__(self, own: Sequence[Preset], chosen: Preset, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Presets"))
        resize_within_screen(self, _SIZE)
        self._presets: tuple[Preset, ...] = ()
        self._in_use = chosen
        self.list = QListWidget(self)
        self.list.setObjectName("sideList")
        self.list.setAccessibleName(self.tr("Presets"))
        set_scaled_font(self.list, interface_font)
        fit(self.list.setFixedWidth, 200)
        self.name_edit = QLineEdit(self)
        self.name_edit.setAccessibleName(self.tr("Preset name"))
        self.note = caption(self)
        self.form = PresetForm(self)
        self.hint = caption(self)
        self.problem = caption(self)
        self.save_button = self._button(self.tr("Save"))
        self.delete_button = self._button(self.tr("Delete"))
        self.import_button = self._button(self.tr("Import…"))
        self.export_button = self._button(self.tr("Export…"))
        self.use_button = self._button(self.tr("Use Preset"))
        self.use_button.setProperty("primary", True)
        self.close_button = self._button(self.tr("Close"))
        self._lay_out()
        self._connect()
        self.show_presets(own, chosen)

    def show_presets(self, own: Sequence[Preset], chosen: Preset, show: str = "") -> None:
        """List the presets, and mark the project's own; show: the one to select."""
        self._in_use = chosen
        self._presets = (*BUILT_IN, *own)
        if by_name(chosen.name, own) is None:
            self._presets = (*self._presets, chosen)
        wanted = by_name(show or chosen.name, (*own, chosen)) or chosen
        with QSignalBlocker(self.list):
            self.list.clear()
            for preset in self._presets:
                in_use = preset.name == chosen.name
                title = translated(preset.title)
                self.list.addItem(self.tr("{0} (in use)").format(title) if in_use else title)
            self.list.setCurrentRow(next(n for n, one in enumerate(self._presets) if one.name == wanted.name))
        self.problem.setText("")
        self._show()

    def show_problem(self, sentence: str) -> None:
        """Show why something failed."""
        self.problem.setText(translated(sentence))

    @property
    def edited(self) -> Preset:
        """Return the preset with the values of the fields."""
        typed = " ".join(self.name_edit.text().split())
        name = self._current.name if typed == translated(self._current.title) else typed
        return Preset(name, self.form.sampling, self._current.note if name == self._current.name else "")

    # ------------------------------------------------------------ inside
    @property
    def _current(self) -> Preset:
        return self._presets[max(self.list.currentRow(), 0)]

    @Slot()
    def _show(self) -> None:
        preset = self._current
        with QSignalBlocker(self.name_edit):
            self.name_edit.setText(translated(preset.title))
        self.note.setText(translated(preset.note))
        self.note.setVisible(bool(preset.note))
        self.form.show_sampling(preset.sampling)
        self._check()

    @Slot()
    def _check(self) -> None:
        preset, edited = self._current, self.edited
        is_changed = sampling_values(edited.sampling) != sampling_values(preset.sampling)
        is_new = bool(edited.name) and edited.name.casefold() != preset.name.casefold()
        taken = by_name(edited.name, ())
        self.save_button.setText(self.tr("Save As New") if is_new else self.tr("Save"))
        self.save_button.setEnabled(bool(edited.name) and taken is None and (is_changed or is_new))
        is_own = any(one is preset for one in self._presets[len(BUILT_IN) :])
        self.delete_button.setEnabled(is_own and not is_changed)
        self.use_button.setEnabled(not is_changed and not is_new and preset.name != self._in_use.name)
        said = ""
        if taken is not None and is_changed:
            said = self.tr("{0} is built in. To keep your changes, save them under another name.")
        elif is_changed and not is_new:
            said = self.tr("Save your changes to {0}, or enter another name to save a new preset.")
        elif preset.built_in and not is_new:
            said = self.tr("Quire adapts the temperature and penalty of {0} to each model.")
        self.hint.setText(said.format(translated(edited.title)))

    @Slot()
    def _save(self) -> None:
        self.saved.emit(self.edited)

    @Slot()
    def _delete(self) -> None:
        self.deleted.emit(self._current.name)

    @Slot()
    def _use(self) -> None:
        self.chosen.emit(self._current)

    @Slot()
    def _ask_to_import(self) -> None:
        dialog = self._file_dialog(self.tr("Import Presets"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._import)
        dialog.open()

    @Slot()
    def _ask_to_export(self) -> None:
        dialog = self._file_dialog(self.tr("Export {0}").format(self._current.name))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("json")
        dialog.selectFile(f"{self._current.name}.json")
        dialog.fileSelected.connect(self._export)
        dialog.open()

    @Slot(str)
    def _import(self, path: str) -> None:
        self.import_asked.emit(Path(path))

    @Slot(str)
    def _export(self, path: str) -> None:
        self.export_asked.emit(Path(path), [self._current])

    def _file_dialog(self, title: str) -> QFileDialog:
        dialog = ThemedFileDialog(title, None, self)
        dialog.setNameFilters([self.tr("Presets ({0})").format(_FILTER), self.tr("All files (*)")])
        return dialog

    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        return button

    def _connect(self) -> None:
        self.list.currentRowChanged.connect(self._show)
        self.name_edit.textChanged.connect(self._check)
        self.form.changed.connect(self._check)
        self.save_button.clicked.connect(self._save)
        self.delete_button.clicked.connect(self._delete)
        self.use_button.clicked.connect(self._use)
        self.import_button.clicked.connect(self._ask_to_import)
        self.export_button.clicked.connect(self._ask_to_export)
        self.close_button.clicked.connect(self.accept)

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addWidget(self.list, 1)
        left.addWidget(self.import_button)
        left.addWidget(self.export_button)
        scroll = QScrollArea(self)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setStyleSheet("QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; }")
        self.form.setContentsMargins(0, 0, 14, 0)
        scroll.setWidget(self.form)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.name_edit, 1)
        head.addWidget(self.save_button)
        head.addWidget(self.delete_button)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addLayout(head)
        right.addWidget(self.note)
        right.addWidget(scroll, 1)
        right.addWidget(self.hint)
        right.addWidget(self.problem)
        columns = QHBoxLayout()
        columns.setSpacing(20)
        columns.addLayout(left)
        columns.addLayout(right, 1)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.use_button)
        buttons.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(14)
        layout.addLayout(columns, 1)
        layout.addLayout(buttons)
