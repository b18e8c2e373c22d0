"""The export dialog: format, style, chapters and file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from quire.book_formats.export_settings import (
    ExportSettings,
    ExportStyle,
    Format,
    Numbering,
    Paper,
    Scope,
    Separator,
)
from quire.book_formats.exporter import free_name
from quire.domain.manuscript.project_file_names import file_stem_of
from quire.domain.manuscript.tree import Node
from quire.import_export.book_options_dialog import BookDialog, chosen_in
from quire.system.number_text import number_text
from quire.ui.file_dialogs import FolderDialog
from quire.ui.labels import ElidedLabel, plain_label


@dataclass(frozen=True, slots=True)
class ExportStart:
    """The initial state of the dialog.

    Attributes:
        nodes: what can be chosen.
        recipe: the export settings.
        folder: where the file is saved.
        name: the name of the file, without its ending.
        pieces: what can be exported besides the book, with word counts.
        check: what the writer should know about a draft, or empty.
    """

    nodes: tuple[Node, ...]
    recipe: ExportSettings
    folder: Path
    name: str
    pieces: Mapping[Scope, int] = field(default_factory=dict)
    check: str = ""


class ExportDialog(BookDialog):
    """Asks for export settings; open it with open().

    Signals:
        export_wanted: the export settings, and the path of the file.
    """

    export_wanted = Signal(ExportSettings, Path)

    def __init__(self, start: ExportStart, parent: QWidget | None = None) -> None:
        super().__init__(start.nodes, start.recipe.chosen, start.recipe, start.check, parent)
        self.setWindowTitle(self.tr("Export Manuscript"))
        self.setMinimumWidth(760)
        self._folder = start.folder
        recipe = start.recipe
        scopes = self._scopes(start.pieces)
        scope = recipe.scope if recipe.scope in dict(scopes) else Scope.BOOK
        self.scope_box = self._combo(self.tr("Content"), scopes, scope)
        self.format_box = self._combo(self.tr("Format"), self._formats(), recipe.format)
        self.numbering_box = self._combo(self.tr("Chapter titles"), self._numberings(), recipe.numbering)
        self.separator_box = self._combo(self.tr("Scene breaks"), self._separators(), recipe.separator)
        self.closing_box = self._tick_box(self.tr("Add a page disclosing AI use"), on=recipe.closing_page)
        self.closing_box.setToolTip(
            self.tr("States how many words were written, drafted, and drafted then edited")
        )
        self.comments_box = self._tick_box(self.tr("Include open comments"), on=recipe.comments)
        self.comments_box.setToolTip(
            self.tr("Shown as margin comments in Word; other formats leave them out")
        )
        self.author_edit = self._line(self.tr("Author"), recipe.author)
        self.contact_edit = self._line(self.tr("Contact, for a manuscript's title page"), recipe.contact)
        self.hint_label = plain_label(self)
        self.all_button = self._button(self.tr("All"))
        self.none_button = self._button(self.tr("None"))
        self.name_edit = QLineEdit(file_stem_of(start.name) or "Manuscript", self)
        self.name_edit.setAccessibleName(self.tr("File name"))
        self.ending_label = plain_label(self)
        self.folder_label = ElidedLabel(self)
        self.folder_button = self._button(self.tr("Change…"))
        self.do_button.setText(self.tr("Export"))
        self._lay_out()
        self._connect()
        self._check()

    def begin_work(self) -> None:
        """Show that the file is being written, and disable the inputs."""
        self._begin(self.tr("Writing {0}").format(self._path.name))

    @property
    def recipe(self) -> ExportSettings:
        """Return the chosen export settings."""
        return ExportSettings(
            chosen_in(self.format_box, Format),
            chosen_in(self.look_box, ExportStyle),
            self.title_page_box.isChecked(),
            chosen_in(self.numbering_box, Numbering),
            chosen_in(self.separator_box, Separator),
            chosen_in(self.paper_box, Paper),
            self.picker.chosen,
            chosen_in(self.scope_box, Scope),
            self.closing_box.isChecked(),
            self.comments_box.isChecked(),
            self.author_edit.text(),
            self.contact_edit.text(),
        )

    @property
    def _path(self) -> Path:
        ending = chosen_in(self.format_box, Format).value
        return self._folder / f"{file_stem_of(self.name_edit.text())}.{ending}"

    def _line(self, name: str, text: str) -> QLineEdit:
        line = QLineEdit(text, self)
        line.setPlaceholderText(name)
        line.setAccessibleName(name)
        line.setToolTip(name)
        return line

    def _scopes(self, pieces: Mapping[Scope, int]) -> list[tuple[Scope, str]]:
        texts = {
            Scope.TEXT: self.tr("The open text ({0})"),
            Scope.TAKE: self.tr("Its last take ({0})"),
            Scope.SELECTION: self.tr("The selection ({0})"),
        }
        counted = {
            scope: self.tr("1 word")
            if num_words == 1
            else self.tr("{0} words").format(number_text(num_words))
            for scope, num_words in pieces.items()
        }
        named = [(scope, texts[scope].format(counted[scope])) for scope in texts if scope in pieces]
        return [(Scope.BOOK, self.tr("The book: chapters selected here")), *named]

    def _formats(self) -> list[tuple[Format, str]]:
        return [
            (Format.DOCX, self.tr("Word document (.docx)")),
            (Format.ODT, self.tr("OpenDocument text (.odt)")),
            (Format.EPUB, self.tr("EPUB book (.epub)")),
            (Format.PDF, self.tr("PDF (.pdf)")),
            (Format.HTML, self.tr("Web page (.html)")),
            (Format.RTF, self.tr("Rich Text (.rtf)")),
            (Format.MD, self.tr("Markdown (.md)")),
            (Format.TXT, self.tr("Plain text (.txt)")),
        ]

    def _numberings(self) -> list[tuple[Numbering, str]]:
        return [
            (Numbering.KEPT, self.tr("Keep as written")),
            (Numbering.NUMBERED, self.tr("Numbered: Chapter 1: Title")),
            (Numbering.NUMBERS, self.tr("Number only: Chapter 1")),
        ]

    def _separators(self) -> list[tuple[Separator, str]]:
        return [(one, one.value) for one in Separator]

    def _lay_out(self) -> None:
        middle = QHBoxLayout()
        middle.setSpacing(28)
        middle.addLayout(self._fields(), 3)
        middle.addLayout(self._chapters(), 2)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addWidget(self.problem_label, 1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.do_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 20)
        layout.setSpacing(18)
        layout.addLayout(middle, 1)
        layout.addWidget(self.check_label)
        layout.addLayout(self._place())
        layout.addWidget(self.work_row)
        layout.addLayout(buttons)

    def _fields(self) -> QGridLayout:
        fields = QGridLayout()
        fields.setHorizontalSpacing(14)
        fields.setVerticalSpacing(8)
        fields.setColumnStretch(1, 1)
        boxes = (
            self.scope_box,
            self.format_box,
            self.look_box,
            self.numbering_box,
            self.separator_box,
            self.paper_box,
        )
        for row, box in enumerate(boxes):
            fields.addWidget(self._caption(box.accessibleName()), row, 0)
            fields.addWidget(box, row, 1)
        fields.addWidget(self.title_page_box, len(boxes), 1)
        fields.addWidget(self.closing_box, len(boxes) + 1, 1)
        self.hint_label.setObjectName("caption")
        self.hint_label.setWordWrap(True)
        fields.addWidget(self.hint_label, len(boxes) + 2, 0, 1, 2)
        fields.setRowStretch(len(boxes) + 3, 1)
        return fields

    def _chapters(self) -> QVBoxLayout:
        chapters, top = QVBoxLayout(), QHBoxLayout()
        chapters.setSpacing(8)
        top.addWidget(self._caption(self.tr("Chapters")), 1)
        top.addWidget(self.all_button)
        top.addWidget(self.none_button)
        chapters.addLayout(top)
        chapters.addWidget(self.picker, 1)
        chapters.addWidget(self.comments_box)
        chapters.addWidget(self.author_edit)
        chapters.addWidget(self.contact_edit)
        return chapters

    def _place(self) -> QGridLayout:
        place = QGridLayout()
        place.setHorizontalSpacing(14)
        place.setVerticalSpacing(10)
        place.setColumnStretch(1, 1)
        place.addWidget(self._caption(self.tr("File name")), 0, 0)
        place.addWidget(self.name_edit, 0, 1)
        place.addWidget(self.ending_label, 0, 2)
        place.addWidget(self._caption(self.tr("Folder")), 1, 0)
        place.addWidget(self.folder_label, 1, 1)
        place.addWidget(self.folder_button, 1, 2)
        return place

    def _connect(self) -> None:
        for box in (self.scope_box, self.format_box, self.look_box):
            box.currentIndexChanged.connect(self._check)
        self.name_edit.textChanged.connect(self._check)
        self.title_page_box.toggled.connect(self._check)
        self.all_button.clicked.connect(self._tick_all)
        self.none_button.clicked.connect(self._tick_none)
        self.folder_button.clicked.connect(self._choose_folder)
        self.do_button.clicked.connect(self._export)

    @Slot()
    def _check(self) -> None:
        recipe, path = self.recipe, self._path
        self.look_box.setEnabled(recipe.format.has_look)
        self.paper_box.setEnabled(recipe.format.has_pages)
        self.comments_box.setEnabled(recipe.format is Format.DOCX)
        self.contact_edit.setEnabled(recipe.title_page and recipe.style is ExportStyle.MANUSCRIPT)
        self.separator_box.setEnabled(recipe.format is not Format.MD)
        is_book = recipe.scope is Scope.BOOK
        for widget in (self.picker, self.all_button, self.none_button):
            widget.setEnabled(is_book)
        self.hint_label.setText(self._hint(recipe))
        self.ending_label.setText(path.suffix)
        self.folder_label.show_text(str(self._folder))
        nothing = is_book and recipe.chosen == ()
        no_name = not path.stem.strip(".") or path.name.startswith(".")
        self.do_button.setEnabled(not (nothing or no_name))
        if nothing:
            self.problem_label.setText(self.tr("Select at least one chapter."))
        elif not no_name and path.exists():
            self.problem_label.setText(self.tr("A file with this name exists."))
        else:
            self.problem_label.setText("")

    def _hint(self, recipe: ExportSettings) -> str:
        if recipe.format is Format.TXT:
            return self.tr("Words only, without italics or bold.")
        if recipe.format is Format.MD:
            return self.tr("Text with marks for headings, italics and bold.")
        if recipe.style is ExportStyle.MANUSCRIPT:
            return self.tr("Typewriter font, double-spaced, as agents and editors expect.")
        if recipe.style is ExportStyle.EBOOK:
            return self.tr("Set like a book: indented paragraphs, each chapter on a new page.")
        return self.tr("Space between paragraphs, no other styling.")

    def _inputs(self) -> Sequence[QWidget]:
        boxes = (self.closing_box, self.comments_box, self.author_edit, self.contact_edit)
        own = (self.name_edit, self.all_button, self.none_button, self.folder_button)
        return (*super()._inputs(), *boxes, *own)

    @Slot()
    def _tick_all(self) -> None:
        self._tick(None)

    @Slot()
    def _tick_none(self) -> None:
        self._tick(set())

    def _tick(self, chosen: set[int] | None) -> None:
        with QSignalBlocker(self.picker):
            self.picker.tick(chosen)
        self.picker.viewport().update()
        self._check()

    @Slot()
    def _choose_folder(self) -> None:
        dialog = FolderDialog(self.tr("Export Folder"), self._folder, self)
        dialog.fileSelected.connect(self._take_folder)
        dialog.open()

    @Slot(str)
    def _take_folder(self, folder: str) -> None:
        self._folder = Path(folder)
        self._check()

    @Slot()
    def _export(self) -> None:
        if self._path.exists():
            self._ask_to_replace()
        else:
            self._export_to(self._path)

    def _ask_to_replace(self) -> None:
        """Ask before a file is replaced: it may be the only copy of something."""
        path = self._path
        box = QMessageBox(QMessageBox.Icon.NoIcon, self.tr("Replace File?"), "", parent=self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setText(self.tr("“{0}” already exists in this folder.").format(path.name))
        box.setInformativeText(
            self.tr("Replacing it deletes its contents, even if it is the original that you imported.")
        )
        replace = box.addButton(self.tr("&Replace"), QMessageBox.ButtonRole.DestructiveRole)
        both = box.addButton(self.tr("&Keep Both"), QMessageBox.ButtonRole.AcceptRole)
        cancel = box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(both)
        box.setEscapeButton(cancel)
        replace.clicked.connect(partial(self._export_to, path))
        both.clicked.connect(self._keep_both)
        box.open()

    @Slot()
    def _keep_both(self) -> None:
        self.name_edit.setText(free_name(self._path).stem)
        self._export()

    def _export_to(self, path: Path, _checked: bool = False) -> None:
        self.export_wanted.emit(self.recipe, path)
