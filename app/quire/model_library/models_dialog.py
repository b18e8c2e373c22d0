"""The available models: what they are, whether they fit, and where to get others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from quire.model_library.download_box import ModelDownloadBox
from quire.model_library.draft_model_box import DraftModelBox
from quire.model_library.drafter_training_dialog import PrepareDialog
from quire.model_library.model_file_dialog import ModelFileDialog
from quire.model_library.model_questions import ImportQuestion
from quire.model_library.models_table import ModelColumn, ModelTable
from quire.services.model_library.drafter_training import PrepareState
from quire.services.model_library.model_library import KnownModel, ModelOrigin
from quire.system.file_sizes import size_text
from quire.system.number_text import number_text
from quire.theme.text_size import fit, fit_rows
from quire.ui.dialog_size import keep_at_least, resize_within_screen
from quire.ui.dropped_files import model_in
from quire.ui.file_dialogs import FolderDialog
from quire.ui.form_parts import caption
from quire.ui.labels import plain_label
from quire.ui.progress_row import WorkRow
from quire.ui.translated import translated
from quire_engine.catalog.trained_drafters import Prepared

_SIZE = QSize(920, 640)
_SMALLEST = QSize(860, 440)
_ROW_PX = 32
_DETAILS_PX = 84
"""Height of the details, whatever is selected: longer ones scroll, and nothing moves."""
_TABLE_PX = 130
_BAR_PX = 160
_CHECKING_PX = 6


class ModelsDialog(QDialog):
    """Shows the list and asks for changes; it changes nothing itself.

    Signals:
        use_asked: a KnownModel.
        import_asked: a KnownModel in a GGUF file, and an ImportWish.
        import_stopped: stop the import.
        resume_asked: a KnownModel.
        remove_asked: a KnownModel.
        weights_asked: a KnownModel, and how its weights are loaded.
        draft_model_asked: a KnownModel, and the folder of the one that drafts ahead for it; empty for none.
        heads_asked: a KnownModel, and the folder of draft heads for it.
        selected: the KnownModel whose details are shown, or None.
        add_asked: a folder.
        server_asked: add a model on another computer.
        prepare_asked: a KnownModel, the texts to train on, whether to include the open book, and for how
            many minutes.
    """

    use_asked = Signal(object)
    import_asked = Signal(object, object)
    import_stopped = Signal()
    weights_asked = Signal(object, str)
    draft_model_asked = Signal(object, str)
    heads_asked = Signal(object, Path)
    selected = Signal(object)
    add_asked = Signal(Path)
    server_asked = Signal()
    remove_asked = Signal(object)
    resume_asked = Signal(object)
    prepare_asked = Signal(object, object, bool, int)
    stop_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Models"))
        keep_at_least(self, _SMALLEST)
        resize_within_screen(self, _SIZE)
        self._in_use: Path | None = None
        self._is_preparing = self._has_book = False
        self.table = ModelTable(self)
        self.view = self._made_view()
        self.checking = self._made_checking()
        self.details = plain_label(self)
        self.details.setWordWrap(True)
        self.details.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.details_area = QScrollArea(self)
        self.details_area.setWidgetResizable(True)
        self.details_area.setFrameShape(QFrame.Shape.NoFrame)
        self.details_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.details_area.setWidget(self.details)
        fit(self.details_area.setFixedHeight, _DETAILS_PX)
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.use_button = self._button(self.tr("Use"))
        self.use_button.setProperty("primary", True)
        self.prepare_button = self._button(self.tr("Speed Up…"))
        self.add_button = self._button(self.tr("Add Folder…"))
        self.file_button = self._button(self.tr("Add File…"))
        self.file_button.setToolTip(self.tr("A model in a single .gguf file"))
        self.server_button = self._button(self.tr("On Another Computer…"))
        self.server_button.setToolTip(self.tr("Draft with a model that a server runs"))
        self.remove_button = self._button(self.tr("Remove…"))
        self.small_box = QCheckBox(self.tr("&Fast (8-bit numbers)"), self)
        self.small_said = caption(self)
        self.draft_model = DraftModelBox(self)
        self.downloads = ModelDownloadBox(self)
        self.row = WorkRow(self)
        self.row.bar.setMaximumWidth(_BAR_PX)
        self.import_row = WorkRow(self)
        self.import_row.bar.setMaximumWidth(_BAR_PX)
        self.said = caption(self)
        self.close_button = self._button(self.tr("Close"))
        self.more = QWidget(self)
        self.more_button = QToolButton(self)
        self.more_button.setObjectName("plain")
        self.more_button.setCheckable(True)
        self.setAcceptDrops(True)
        self._lay_out()
        self._wire()
        self._fold(False)

    @property
    def chosen(self) -> KnownModel | None:
        """Return the model of the selected row."""
        row = self.view.currentIndex().row()
        return self.table.models[row] if 0 <= row < len(self.table.models) else None

    def show_models(self, models: Sequence[KnownModel], in_use: Path, *, has_book: bool) -> None:
        """Show the list; keep the selection, or else select the model in use.

        Args:
            models: the models.
            in_use: the folder in use.
            has_book: whether a book is open.
        """
        chosen = self.chosen
        self._in_use, self._has_book = in_use, has_book
        self.table.show_models(models, in_use)
        self.checking.setVisible(any(known.facts and known.is_usable and not known.fit for known in models))
        row = -1 if chosen is None else self.table.row_of(chosen.path)
        self.choose(models[row].path if row >= 0 else in_use)

    def choose(self, path: Path) -> None:
        """Select the row of a folder, if there is one."""
        row = max(self.table.row_of(path), 0)
        self.view.selectionModel().setCurrentIndex(
            self.table.index(row, 0),
            QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows,
        )
        self._refresh()

    def say(self, sentence: str) -> None:
        """Show the result of something."""
        self.said.setText(translated(sentence))

    def show_preparing(self, name: str) -> None:
        """Show that a draft model is being trained."""
        self._is_preparing = True
        self.row.begin(self.tr("Speeding up {0}").format(name))
        self._refresh()

    def show_state(self, name: str, state: PrepareState) -> None:
        """Show the progress of training."""
        self.row.show_share(state.fraction)
        if not self.row.stop_button.isEnabled():
            return
        stage = {
            "given text": self.tr("reading your text"),
            "own text": self.tr("generating text"),
            "heads": self.tr("training part 1 of 2"),
            "feature": self.tr("training") if state.is_timed else self.tr("training part 2 of 2"),
        }.get(state.stage, self.tr("testing"))
        words = self.tr("Speeding up {0}: {1}").format(name, stage)
        if state.minutes_left:
            words += self.tr(", about {0} min left").format(number_text(state.minutes_left))
        self.row.label.show_text(words)

    def begin_import(self, name: str) -> None:
        """Show that a file is being imported."""
        self.import_row.begin(self.tr("Importing {0}…").format(name))
        self.say("")
        self._refresh()

    def end_import(self, sentence: str) -> None:
        """Show that the import has ended."""
        self.import_row.end()
        self.say(sentence)
        self._refresh()

    def end_preparing(self, sentence: str) -> None:
        """Show that training has ended."""
        self._is_preparing = False
        self.row.end()
        self.say(sentence)
        self._refresh()

    @Slot()
    def ask_to_prepare(self) -> PrepareDialog | None:
        """Ask what to train on; say why where there is nothing to train."""
        known = self.chosen
        if known is None or not self.prepare_button.isEnabled():
            self.say(self.prepare_button.toolTip())
            return None
        is_begun = known.prepared is Prepared.BEGUN
        dialog = PrepareDialog(
            translated(known.title), has_book=self._has_book, is_begun=is_begun, parent=self
        )
        dialog.wanted.connect(
            lambda texts, book, minutes: self.prepare_asked.emit(known, texts, book, minutes)
        )
        dialog.open()
        return dialog

    @Slot()
    def ask_for_folder(self) -> FolderDialog:
        """Let the writer choose the folder of a model."""
        dialog = FolderDialog(self.tr("Choose Model Folder"), parent=self)
        dialog.fileSelected.connect(self._add)
        dialog.open()
        return dialog

    @Slot()
    def ask_for_file(self) -> ModelFileDialog:
        """Let the writer choose a model in a file."""
        dialog = ModelFileDialog(self)
        dialog.fileSelected.connect(self._add)
        dialog.open()
        return dialog

    # ------------------------------------------------------------ Qt events
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Unfold the rest when a download in it shows its progress."""
        if watched is self.downloads.row and event.type() is QEvent.Type.ShowToParent:
            self.more_button.setChecked(True)
        return super().eventFilter(watched, event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a model in a file, or a folder."""
        if model_in(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add what was dropped."""
        path = model_in(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.add_asked.emit(path)

    # ------------------------------------------------------------ inside
    @Slot(str)
    def _add(self, path: str) -> None:
        self.add_asked.emit(Path(path))

    @Slot()
    def _use(self) -> None:
        known = self.chosen
        if known is None or not self.use_button.isEnabled():
            return
        if known.origin is ModelOrigin.UNFINISHED:
            self.resume_asked.emit(known)
        elif known.origin is ModelOrigin.SUGGESTED:
            self.more_button.setChecked(True)
            self.downloads.look_up(known.repository)
        elif known.gguf is not None:
            question = ImportQuestion(known, known.gguf, self)
            question.agreed.connect(lambda wish: self.import_asked.emit(known, wish))
            question.open()
        else:
            self.use_asked.emit(known)

    @Slot(bool)
    def _ask_for_weights(self, smaller: bool) -> None:
        if self.chosen is not None:
            self.weights_asked.emit(self.chosen, "int8" if smaller else "full")

    @Slot(str)
    def _ask_for_draft_model(self, small: str) -> None:
        if self.chosen is not None:
            self.draft_model_asked.emit(self.chosen, small)

    @Slot(Path)
    def _ask_for_heads(self, source: Path) -> None:
        if self.chosen is not None:
            self.heads_asked.emit(self.chosen, source)

    @Slot()
    def _remove(self) -> None:
        """Remove a folder from the list, asking first if a download would be deleted."""
        known = self.chosen
        if known is None or not self.remove_button.isEnabled():
            return
        if known.origin in (ModelOrigin.ADDED, ModelOrigin.SERVER):
            self.remove_asked.emit(known)
            return
        held = known.facts or known.gguf
        size = "" if held is None else f" ({size_text(held.num_bytes)})"
        is_import = known.origin is ModelOrigin.IMPORTED
        title = self.tr("Delete Imported Model?") if is_import else self.tr("Delete Download?")
        box = QMessageBox(QMessageBox.Icon.Question, title, "", parent=self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("Delete {0}{1} from this computer?").format(translated(known.title), size))
        box.setInformativeText(
            self.tr("You can import it again from its file. Your texts are not affected.")
            if is_import
            else self.tr("You can download it again. Your texts are not affected.")
        )
        delete = box.addButton(self.tr("Delete"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole))
        delete.clicked.connect(lambda: self.remove_asked.emit(known))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    @Slot()
    def _refresh(self) -> None:
        known = self.chosen
        unfinished = known is not None and known.origin is ModelOrigin.UNFINISHED
        usable = known is not None and known.is_usable
        is_used = known is not None and known.path == self._in_use
        self.details.setText("" if known is None else "\n".join(self.table.details(known)))
        self._show_weights(known)
        self.selected.emit(known)
        suggested = known is not None and known.origin is ModelOrigin.SUGGESTED
        is_file = known is not None and known.gguf is not None
        labels = {ModelOrigin.UNFINISHED: self.tr("Resume"), ModelOrigin.SUGGESTED: self.tr("Download…")}
        self.use_button.setText(self.tr("Use") if known is None else labels.get(known.origin, self.tr("Use")))
        can_import = is_file and not self.import_row.isVisibleTo(self)
        self.use_button.setEnabled(unfinished or suggested or can_import or (usable and not is_used))
        obstacle = self.table.obstacle_to_training(known, is_training=self._is_preparing)
        self.prepare_button.setEnabled(not obstacle)
        self.prepare_button.setToolTip(obstacle or self.tr("Train a draft model: faster drafting, same text"))
        self.remove_button.setEnabled(known is not None and known.is_removable and not is_used)
        is_deleted = known is not None and known.is_ours
        self.remove_button.setText(self.tr("Delete…") if is_deleted else self.tr("Remove"))

    def _show_weights(self, known: KnownModel | None) -> None:
        can_be_smaller = known is not None and known.can_be_smaller
        is_small = known is not None and known.is_small
        # the request can be undone
        self.small_box.setEnabled(can_be_smaller or (is_small and known is not None and known.is_usable))
        self.small_box.setChecked(is_small)
        if known is not None and known.server is not None:
            said = self.tr("How the model computes is decided where it runs.")
        elif can_be_smaller or known is None or not known.is_usable:
            said = self.table.small_text(known)
        else:
            said = self.tr("8-bit numbers are not available for this model.")
        self.small_said.setText(said)
        self.small_box.setAccessibleDescription(said)

    def _made_view(self) -> QTableView:
        view = QTableView(self)
        view.setObjectName("sessions")  # matches the other tables
        view.setModel(self.table)
        view.setAccessibleName(self.tr("Models"))
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setShowGrid(False)
        view.setMinimumHeight(_TABLE_PX)
        view.setTabKeyNavigation(False)
        view.verticalHeader().hide()
        fit_rows(view, _ROW_PX)
        header = view.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(ModelColumn.NAME, QHeaderView.ResizeMode.Stretch)
        return view

    def _made_checking(self) -> QProgressBar:
        bar = QProgressBar(self)
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setFixedHeight(_CHECKING_PX)
        bar.setAccessibleName(self.tr("Checking…"))
        kept = bar.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # the list stays where it is
        bar.setSizePolicy(kept)
        return bar

    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        return button

    def _wire(self) -> None:
        self.view.selectionModel().currentRowChanged.connect(self._refresh)
        self.more_button.toggled.connect(self._fold)
        self.downloads.row.installEventFilter(self)
        self.view.doubleClicked.connect(self._use)
        self.small_box.clicked.connect(self._ask_for_weights)  # by the writer, not by showing a model
        self.draft_model.chosen.connect(self._ask_for_draft_model)
        self.draft_model.heads_asked.connect(self._ask_for_heads)
        self.use_button.clicked.connect(self._use)
        self.prepare_button.clicked.connect(self.ask_to_prepare)
        self.add_button.clicked.connect(self.ask_for_folder)
        self.file_button.clicked.connect(self.ask_for_file)
        self.server_button.clicked.connect(self.server_asked)
        self.remove_button.clicked.connect(self._remove)
        self.row.stop_wanted.connect(self.stop_asked)
        self.import_row.stop_wanted.connect(self.import_stopped)
        self.close_button.clicked.connect(self.accept)
        for key, slot in (("Del", self._remove), ("Return", self._use)):
            shortcut = QShortcut(QKeySequence(key), self.view)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(slot)

    def _lay_out(self) -> None:
        small = QHBoxLayout()
        small.setSpacing(14)
        small.addWidget(self.small_box)
        small.addWidget(self.small_said, 1)
        more = QVBoxLayout(self.more)
        more.setContentsMargins(0, 0, 0, 0)
        more.setSpacing(10)
        adding = (self.add_button, self.file_button, self.server_button)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (*adding, self.prepare_button, self.remove_button):
            buttons.addWidget(button)
        more.addLayout(buttons)
        more.addLayout(small)
        more.addWidget(self.draft_model)
        more.addWidget(self.downloads)
        kept = (
            self.draft_model.sizePolicy()
        )  # what a model has not keeps its place: the list stays where it is
        kept.setRetainSizeWhenHidden(True)
        self.draft_model.setSizePolicy(kept)
        bottom = QHBoxLayout()
        bottom.setSpacing(12)
        bottom.addWidget(self.more_button)
        bottom.addWidget(self.said, 1)
        bottom.addWidget(self.use_button)
        bottom.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.checking)
        layout.addWidget(self.details_area)
        layout.addWidget(self.more)
        layout.addWidget(self.row)
        layout.addWidget(self.import_row)
        layout.addLayout(bottom)

    @Slot(bool)
    def _fold(self, is_open: bool) -> None:
        self.more.setVisible(is_open)
        self.more_button.setText(self.tr("More ▾") if is_open else self.tr("More ▸"))
