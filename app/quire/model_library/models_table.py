"""The models as a table, with plain descriptions."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from quire.domain.drafting.context_usage import words_in
from quire.model_library.server_texts import ServerTexts
from quire.services.model_library.model_library import KnownModel, ModelOrigin
from quire.services.model_library.model_places import PlaceKind
from quire.services.model_library.server_records import ServerRecord
from quire.system.file_sizes import size_text
from quire.system.number_text import number_text
from quire.ui.translated import translated
from quire_engine.catalog.importable import Importable
from quire_engine.catalog.inspection import ModelFacts
from quire_engine.catalog.trained_drafters import Prepared

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()


class ModelColumn(IntEnum):
    """The columns of the table."""

    NAME = 0
    FROM = 1
    SIZE = 2
    SPACE = 3
    FITS = 4


class ModelTable(QAbstractTableModel):
    """Models as a table.

    Args:
        in_use: the folder in use.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._models: tuple[KnownModel, ...] = ()
        self._in_use: Path | None = None
        self._servers = ServerTexts(self)

    @property
    def models(self) -> tuple[KnownModel, ...]:
        """Return the models in order."""
        return self._models

    def show_models(self, models: Sequence[KnownModel], in_use: Path | None) -> None:
        """Show models, and which of them is in use."""
        self.beginResetModel()
        self._models, self._in_use = tuple(models), in_use
        self.endResetModel()

    def row_of(self, path: Path) -> int:
        """Return the row of a folder, or -1."""
        return next((row for row, known in enumerate(self._models) if known.path == path), -1)

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        """Return one row per model."""
        return 0 if parent.isValid() else len(self._models)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        """Return one column per property."""
        return 0 if parent.isValid() else len(ModelColumn)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a cell; sizes are right-aligned."""
        column = ModelColumn(index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        known = self._models[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(known, column)
        if role == Qt.ItemDataRole.ToolTipRole and column is ModelColumn.NAME:
            if known.server is not None:
                return known.server.address.url
            return known.repository if known.origin is ModelOrigin.SUGGESTED else str(known.path)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the header of a column."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(ModelColumn(section))
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return {
            ModelColumn.NAME: self.tr("Model"),
            ModelColumn.FROM: self.tr("From"),
            ModelColumn.SIZE: self.tr("Size"),
            ModelColumn.SPACE: self.tr("Context"),
            ModelColumn.FITS: self.tr("On this computer"),
        }[ModelColumn(section)]

    # ------------------------------------------------------------ words
    def fits_text(self, known: KnownModel) -> str:
        """Return in a few words whether a model can be used here."""
        if known.server is not None:
            return self.tr("Runs elsewhere")
        if known.origin is ModelOrigin.UNFINISHED:
            return self.tr("Incomplete")
        if known.gguf is not None:
            return self.tr("Import first")
        if known.facts is None or (known.verdict is not None and not known.verdict.is_usable):
            return self.tr("Not usable")
        if known.fit is None:
            return self.tr("Checking…")
        if known.is_best:
            return self.tr("Recommended")
        if known.fit.fits:
            return self.tr("Fits, slow") if known.is_slow else self.tr("Fits")
        return self.tr("Fits shorter texts") if known.fit.largest_goal else self.tr("Too large")

    def from_text(self, known: KnownModel) -> str:
        """Return where a model is."""
        if known.server is not None:
            return known.server.address.host
        match known.place:
            case PlaceKind.LM_STUDIO:
                return "LM Studio"
            case PlaceKind.OLLAMA:
                return "Ollama"
            case PlaceKind.HUB_CACHE:
                return self.tr("Hugging Face cache")
            case PlaceKind.INSTALLED:
                return self.tr("Came with Quire")
            case _:
                if known.is_unadapted:
                    return self.tr("Imported, original")
                return {
                    ModelOrigin.BUILT_IN: self.tr("Built in"),
                    ModelOrigin.ADDED: self.tr("Your folder"),
                    ModelOrigin.DOWNLOADED: self.tr("Downloaded"),
                    ModelOrigin.UNFINISHED: self.tr("Downloaded"),
                    ModelOrigin.FOUND: self.tr("Your folder"),
                    ModelOrigin.SUGGESTED: self.tr("To download"),
                    ModelOrigin.IMPORTED: self.tr("Imported"),
                    ModelOrigin.SERVER: "",  # its host is shown
                }[known.origin]

    def details(self, known: KnownModel) -> tuple[str, ...]:
        """Return facts about a model, one per line."""
        if known.server is not None:
            return self._details_of_server(known.server)
        if known.gguf is not None:
            return self._details_of_file(known, known.gguf)
        if known.facts is None:
            return tuple(
                line for line in (translated(known.problem), self._licence(known), str(known.path)) if line
            )
        facts = known.facts
        sizes = facts.architecture
        kind = self.tr("Chat model") if facts.is_chat else self.tr("Story model")
        count = self._count_text(facts.num_parameters)
        lines = [
            f"{count} · {size_text(facts.num_bytes)}",
            f"{kind}. {self._space(known, facts)}."
            + (f" {sizes.rope[0].upper()}{sizes.rope[1:]}." if sizes.rope else ""),
            "" if known.fit is None else translated(known.fit.advice),
            self._download_text(known),
            self.verdict_text(known),
            self.prepared_text(known) if known.can_be_prepared else "",
            self.adapter_text(known),
            self._licence(known),
            *map(translated, facts.notes),
        ]
        return tuple(line for line in lines if line)

    def _details_of_server(self, server: ServerRecord) -> tuple[str, ...]:
        address, can = server.address, server.abilities
        return (
            " · ".join(filter(None, (address.model, can.kind, address.url))),
            " ".join(filter(None, (self._servers.leaves(address), self._servers.exposed(address)))),
            *self._servers.abilities(can),
        )

    def _details_of_file(self, known: KnownModel, file: Importable) -> tuple[str, ...]:
        kind = self.tr("Chat model") if file.is_chat else self.tr("Story model")
        lines = (
            f"{file.title} · {self._count_text(file.num_parameters)} · {file.quantisation} · "
            f"{size_text(file.num_bytes)}",
            f"{kind}.",
            self.tr(
                "Quire imports its tokenizer and settings (about {0}), and reads the file where it is."
            ).format(size_text(file.imported_bytes)),
            self._licence(known),
            str(known.path),
        )
        return tuple(line for line in lines if line)

    def _count_text(self, parameters: int) -> str:
        if parameters >= 1e9:
            return self.tr("{0} billion parameters").format(number_text(parameters / 1e9, 1))
        return self.tr("{0} million parameters").format(number_text(parameters / 1e6))

    def verdict_text(self, known: KnownModel) -> str:
        """Return what loading a model showed; empty until it was loaded."""
        if known.verdict is None:
            return ""
        if known.verdict.is_usable:
            name = known.verdict.number_format
            return self.tr("Checked: works in {0}").format(self.tr("Fast (int8)") if name == "int8" else name)
        return self.tr("Can't be used: {0}").format(translated(known.verdict.problem))

    def obstacle_to_training(self, known: KnownModel | None, *, is_training: bool) -> str:
        """Return why no draft model can be trained for a model; empty where one can."""
        if known is None:
            return self.tr("Choose a model first.")
        if known.server is not None:
            return self.tr("{0} runs on a server: only the server itself can speed it up.").format(
                translated(known.title)
            )
        if known.origin is ModelOrigin.BUILT_IN:
            return self.tr("The built-in model comes with its draft model: there is nothing to train.")
        if is_training:
            return self.tr("A model is being sped up. Wait until that is done, or stop it.")
        if not known.can_be_prepared:
            return self.tr("{0} can't be sped up.").format(translated(known.title))
        return ""

    def small_text(self, known: KnownModel | None) -> str:
        """Return what 8-bit numbers do to a model; None: to any."""
        if known is not None and known.facts is not None and not known.facts.has_integer_form:
            return self.tr(
                "Uses about half the memory and changes the wording. Slower without a GPU: this family of "
                "models isn't fast yet."
            )
        return self.tr("Faster without a GPU, in about half the memory. Changes the wording.")

    def adapter_text(self, known: KnownModel) -> str:
        """Return whether the training on novels is part of an imported model; empty where there is none."""
        if known.origin is not ModelOrigin.IMPORTED or not known.has_adapter:
            return ""
        if known.is_adapted:
            return self.tr("With Quire's training on novels")
        return self.tr("As its makers published it, without Quire's training on novels")

    def prepared_text(self, known: KnownModel) -> str:
        """Return whether a model is accelerated."""
        return {
            None: "",
            Prepared.YES: self.tr("Accelerated (draft model trained)"),
            Prepared.NO: self.tr("Not accelerated: choose Speed Up for faster drafts"),
            Prepared.BEGUN: self.tr("Training was stopped: choose Speed Up to resume it"),
            Prepared.OTHER: self.tr(
                "Its draft model belongs to another model: choose Speed Up to train a new one"
            ),
        }[known.prepared]

    def _download_text(self, known: KnownModel) -> str:
        """Return what would be downloaded from where, and what to expect of it."""
        if known.origin is not ModelOrigin.SUGGESTED or known.facts is None:
            return ""
        said = self.tr("Downloads {0} from huggingface.co/{1}.").format(
            size_text(known.facts.num_bytes), known.repository
        )
        if known.is_slow:
            return said + " " + self.tr("Without a graphics card it writes slowly.")
        return said

    def _licence(self, known: KnownModel) -> str:
        if known.origin is ModelOrigin.BUILT_IN:
            return self.tr("Licence: same as Quire (MIT)")
        is_known = known.facts is not None or known.gguf is not None
        named = known.licence or (self.tr("not stated") if is_known else "")
        return self.tr("Licence: {0}").format(named) if named else ""

    def _text(self, known: KnownModel, column: ModelColumn) -> str:
        facts = known.facts
        if known.server is not None and column is ModelColumn.SPACE and known.context:
            return self.tr("{0} words").format(number_text(words_in(known.context)))
        if column is ModelColumn.NAME:
            name = translated(known.title)
            return f"\u25cf {name}" if known.path == self._in_use else name
        if column is ModelColumn.FROM:
            return self.from_text(known)
        if column is ModelColumn.FITS:
            return self.fits_text(known)
        if known.gguf is not None and column is ModelColumn.SIZE:
            return size_text(known.gguf.num_bytes)
        if facts is None:
            return "\u2013"
        if column is ModelColumn.SIZE:
            return size_text(facts.num_bytes)
        if not known.context:
            return self.tr("Checking…")
        return self.tr("{0} words").format(number_text(words_in(known.context)))

    def _space(self, known: KnownModel, facts: ModelFacts) -> str:
        """Return how much a model remembers here, and how much more it could."""
        own = number_text(words_in(facts.context_length))
        if not known.context:
            return self.tr("Remembers at most {0} words").format(own)
        here = number_text(words_in(known.context))
        if known.context == facts.context_length:
            return self.tr("Remembers about {0} words").format(here)
        return self.tr("Remembers about {0} words here (at most {1})").format(here, own)


def _alignment(column: ModelColumn) -> Qt.AlignmentFlag:
    right = column in (ModelColumn.SIZE, ModelColumn.SPACE)
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
