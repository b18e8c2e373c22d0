"""Questions before a model is imported or used; both say what happens to the files."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QMessageBox, QWidget

from quire.services.model_library.model_imports import ImportWish
from quire.services.model_library.model_library import KnownModel, ModelOrigin
from quire.system.file_sizes import size_text
from quire.ui.translated import translated
from quire_engine.catalog.importable import Importable


class ModelQuestion(QMessageBox):
    """Asks one thing; opened without blocking, deleted when it is closed."""

    def __init__(self, title: str, asked: str, about: str, yes: str, parent: QWidget | None = None) -> None:
        super().__init__(QMessageBox.Icon.Question, title, "", parent=parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(asked)
        self.setInformativeText(about)
        self.yes_button = self.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
        self.no_button = self.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(self.yes_button)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)


class ImportQuestion(ModelQuestion):
    """Asks before an import, with the room that it takes.

    Signals:
        agreed: an ImportWish.

    Args:
        to_use: the model is also used from then on.
    """

    agreed = Signal(object)

    def __init__(
        self, known: KnownModel, source: Importable, parent: QWidget | None = None, *, to_use: bool = False
    ) -> None:
        asked = self.tr("Import {0} and write with it?") if to_use else self.tr("Import {0}?")
        kept = ""
        if known.origin is not ModelOrigin.DOWNLOADED:
            kept = self.tr("The original is not changed; Quire reads it where it is, so keep it there.")
        about = self.tr("This takes about {0} of disk space and a few seconds.")
        super().__init__(
            self.tr("Import Model?"),
            asked.format(translated(known.title)),
            f"{about.format(size_text(source.imported_bytes))} {kept}".strip(),
            self.tr("Import"),
            parent,
        )
        self._licence = known.licence
        self.adapted_box: QCheckBox | None = None
        if known.has_adapter:
            self.adapted_box = QCheckBox(self.tr("Add Quire's training on &novels"), self)
            self.adapted_box.setToolTip(
                self.tr("The model then continues a story. Without it, it is what its makers published.")
            )
            self.adapted_box.setChecked(True)
            self.setCheckBox(self.adapted_box)
        self.yes_button.clicked.connect(self._agree)

    @Slot()
    def _agree(self) -> None:
        is_adapted = self.adapted_box is None or self.adapted_box.isChecked()
        self.agreed.emit(ImportWish(is_adapted, self._licence))


class UseQuestion(ModelQuestion):
    """Asks before a model that needs no import is used.

    Signals:
        agreed: yes.
    """

    agreed = Signal()

    def __init__(self, known: KnownModel, parent: QWidget | None = None) -> None:
        about = self.tr("Its folder stays where it is.")
        if known.origin is ModelOrigin.IMPORTED:
            about = self.tr("It was imported before.")
        super().__init__(
            self.tr("Use Model?"),
            self.tr("Write with {0}?").format(translated(known.title)),
            about,
            self.tr("Use"),
            parent,
        )
        self.yes_button.clicked.connect(self.agreed)
