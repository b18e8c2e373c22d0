"""Where a model is named and downloaded: size and licence are shown first, and a token field if needed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from quire.services.model_library.download_choices import ChoiceFit, DownloadChoice
from quire.services.model_library.model_download import DownloadState
from quire.system.file_sizes import size_text
from quire.ui.calm_fields import CalmCombo
from quire.ui.form_parts import caption
from quire.ui.progress_row import WorkRow
from quire.ui.translated import translated

_BAR_PX = 160


class ModelDownloadBox(QWidget):
    """Asks for a model and shows progress; it downloads nothing itself.

    Signals:
        look_up_asked: a name, and a token if one was typed.
        download_asked: a Repository without choices, a token, and whether to store it.
        pause_asked: stop, and keep what was downloaded.
    """

    look_up_asked = Signal(str, str)
    download_asked = Signal(object, str, bool)
    pause_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices: tuple[DownloadChoice, ...] = ()
        self._is_busy = False
        self.name_edit = QLineEdit(self)
        self.name_edit.setAccessibleName(self.tr("Model name on Hugging Face"))
        self.name_edit.setPlaceholderText(self.tr("Hugging Face name, e.g. maker/model"))
        self.name_edit.setMaxLength(300)
        self.look_button = self._button(self.tr("Look Up"))
        self.download_button = self._button(self.tr("Download"))
        self.download_button.hide()
        self.choice_box = CalmCombo(self)
        self.choice_box.setAccessibleName(self.tr("Form of the model"))
        self.choice_box.setToolTip(
            self.tr(
                "Finer quantisations are closer to the original. "
                "Without a graphics card they need more memory."
            )
        )
        self.choice_box.hide()
        self.said = caption(self)
        self.token_row = QWidget(self)
        self.token_edit = QLineEdit(self.token_row)
        self.token_edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.token_edit.setAccessibleName(self.tr("Hugging Face token"))
        self.token_edit.setPlaceholderText(self.tr("Your access token"))
        self.keep_box = QCheckBox(self.tr("Save it in this computer's keychain"), self.token_row)
        self.row = WorkRow(self)
        self.row.stop_button.setText(self.tr("Pause"))
        self.row.bar.setMaximumWidth(_BAR_PX)
        self._lay_out()
        self._wire()

    @property
    def token(self) -> str:
        """Return the token that was typed; empty if none is needed."""
        return self.token_edit.text().strip()

    def look_up(self, name: str) -> None:
        """Look a model up as if its name had been typed."""
        if not self._is_busy:
            self.name_edit.setText(name)
            self._look_up()

    @property
    def chosen(self) -> DownloadChoice | None:
        """Return what would be downloaded."""
        row = self.choice_box.currentIndex()
        return self._choices[row] if 0 <= row < len(self._choices) else None

    def offer(self, choices: Sequence[DownloadChoice]) -> None:
        """Show what can be downloaded; the recommended form is selected, or else the last one."""
        self._choices, self._is_busy = tuple(choices), False
        best = next((row for row, each in enumerate(choices) if each.is_best), len(choices) - 1)
        with QSignalBlocker(self.choice_box):
            self.choice_box.clear()
            self.choice_box.addItems([self._text_of(each) for each in choices])
            self.choice_box.setCurrentIndex(best)
        self.choice_box.setVisible(len(choices) > 1)
        self.download_button.show()
        self._show_choice()
        if self.choice_box.isVisible():
            self.choice_box.setFocus()

    def ask_for_token(self, sentence: str, *, can_keep: bool) -> None:
        """Ask for a token; can_keep: whether there is a keyring to store it."""
        self._is_busy = False
        self._take_back()
        self.said.setText(translated(sentence))
        self.keep_box.setVisible(can_keep)
        self.token_row.show()
        self.token_edit.setFocus()
        self._refresh()

    def say(self, sentence: str) -> None:
        """Show the result."""
        self._is_busy = False
        self.said.setText(translated(sentence))
        self.row.end()
        self._refresh()

    def begin(self, name: str) -> None:
        """Show that a download has started."""
        self._is_busy = True
        self.said.setText("")
        self.download_button.hide()
        self.choice_box.hide()
        self.token_row.hide()
        self.row.begin(self.tr("Downloading {0}").format(name))
        self._refresh()

    def show_state(self, state: DownloadState) -> None:
        """Show the progress."""
        if not self._is_busy:
            return
        self.row.show_share(state.done / state.total if state.total else 1.0)
        if not self.row.stop_button.isEnabled():  # it is being stopped, and says so
            return
        if state.is_checking:
            self.row.label.show_text(self.tr("Checking {0}").format(state.file))
            return
        amounts = (size_text(state.done), size_text(state.total))
        words = self.tr("{0} of {1}").format(*amounts)
        left = state.left_s
        if left is not None and state.done < state.total:
            words += self.tr(", about {0} min left").format(max(1, round(left / 60)))
        self.row.label.show_text(f"{state.name}: {words}")

    def end(self, sentence: str) -> None:
        """Show that the download has ended."""
        self._take_back()
        self.token_edit.clear()  # must not stay readable there
        self.name_edit.clear()
        self.say(sentence)

    # ------------------------------------------------------------ inside
    @Slot()
    def _look_up(self) -> None:
        name = self.name_edit.text().strip()
        if not name or self._is_busy:
            return
        self._is_busy = True
        self._take_back()
        self.said.setText(self.tr("Looking up on Hugging Face…"))
        self._refresh()
        self.look_up_asked.emit(name, self.token)

    @Slot()
    def _download(self) -> None:
        if self.chosen is not None:
            self.download_asked.emit(self.chosen.repository, self.token, self.keep_box.isChecked())

    @Slot()
    def _forget(self) -> None:
        """Discard the result for a name that was edited."""
        if self._choices:
            self._take_back()
            self.said.clear()
        self._refresh()

    def _take_back(self) -> None:
        """Offer nothing any more."""
        self._choices = ()
        self.choice_box.hide()
        self.download_button.hide()

    def _text_of(self, choice: DownloadChoice) -> str:
        """Return a form as an entry of the list."""
        named = choice.repository.variant or self.tr("Original")
        entry = self.tr("{0}, {1}").format(named, size_text(choice.repository.num_bytes))
        return self.tr("{0} (recommended)").format(entry) if choice.is_best else entry

    @Slot()
    def _show_choice(self) -> None:
        """Show what the selected form takes, and whether it fits."""
        if self.chosen is None:
            return
        found = self.chosen.repository
        licence = found.licence or self.tr("not stated; see {0}").format(found.page)
        size = self.tr("{0}: {1} to download.").format(found.title, size_text(found.num_bytes))
        named = self.tr("Licence: {0}.").format(licence)
        self.said.setText(" ".join(filter(None, (size, named, self._fit_text(self.chosen)))))
        self._refresh()

    def _fit_text(self, choice: DownloadChoice) -> str:
        if choice.is_slow:
            return self.tr("Fits this computer, but without a graphics card it writes slowly.")
        return {
            ChoiceFit.UNKNOWN: "",
            ChoiceFit.FITS: self.tr("Fits this computer."),
            ChoiceFit.FITS_SMALLER: self.tr("Fits this computer if you choose Fast."),
            ChoiceFit.TOO_LARGE: self.tr("Too large for the free memory of this computer."),
            ChoiceFit.NO_DISK: self.tr("There is not enough free disk space for it."),
        }[choice.fit]

    @Slot()
    def _refresh(self) -> None:
        self.look_button.setEnabled(bool(self.name_edit.text().strip()) and not self._is_busy)
        self.name_edit.setEnabled(not self._is_busy)
        self.said.setVisible(bool(self.said.text()))

    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        return button

    def _wire(self) -> None:
        self.name_edit.textChanged.connect(self._forget)
        self.name_edit.returnPressed.connect(self._look_up)
        self.token_edit.returnPressed.connect(self._look_up)
        self.look_button.clicked.connect(self._look_up)
        self.download_button.clicked.connect(self._download)
        self.choice_box.currentIndexChanged.connect(self._show_choice)
        self.row.stop_wanted.connect(self.pause_asked)
        self._refresh()

    def _lay_out(self) -> None:
        naming = QHBoxLayout()
        naming.setSpacing(10)
        naming.addWidget(self.name_edit, 1)
        naming.addWidget(self.look_button)
        naming.addWidget(self.choice_box)
        naming.addWidget(self.download_button)
        token = QHBoxLayout(self.token_row)
        token.setContentsMargins(0, 0, 0, 0)
        token.setSpacing(10)
        token.addWidget(self.token_edit, 1)
        token.addWidget(self.keep_box)
        self.token_row.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(naming)
        layout.addWidget(self.token_row)
        layout.addWidget(self.said)
        layout.addWidget(self.row)
