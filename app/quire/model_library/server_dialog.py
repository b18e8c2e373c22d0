"""Where a model on another computer is added: its address, its key, and what it can do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.model_library.model_questions import ModelQuestion
from quire.model_library.server_texts import ServerTexts
from quire.services.model_library.server_looks import FoundServer
from quire.services.model_library.server_records import short_name
from quire.ui.calm_fields import CalmCombo
from quire.ui.form_parts import caption
from quire.ui.labels import plain_label
from quire.ui.translated import translated
from quire_engine.remote.server import NO_KEY, ServerAbilities, ServerAddress, ServerKey

_WIDTH = 640
_RESULT_PX = 178


@dataclass(frozen=True, slots=True)
class ServerRequest:
    """What was typed.

    Attributes:
        key: empty: the one that is kept for this address, if there is one.
    """

    address: ServerAddress
    key: ServerKey = NO_KEY


class ServerDialog(QDialog):
    """Asks for a server and shows what it can do; it connects to nothing itself.

    Signals:
        test_asked: a ServerRequest.
        find_asked: look for servers on this computer.
        use_asked: a ServerRequest with a model, whose server was tested.
    """

    test_asked = Signal(object)
    find_asked = Signal()
    use_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Model on Another Computer"))
        self.setMinimumWidth(_WIDTH)
        self._texts = ServerTexts(self)
        self._abilities: ServerAbilities | None = None
        self._is_busy = False
        self._agreed_to = ""
        self._found: tuple[FoundServer, ...] = ()
        self.address_edit = self._field(self.tr("https://example.org or http://localhost:8080"))
        self.key_edit = self._field(self.tr("Only if the server asks for one"))
        self.key_edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.model_box = CalmCombo(self)
        self.model_box.setEditable(True)
        self.model_box.setInsertPolicy(CalmCombo.InsertPolicy.NoInsert)
        self.found_box = CalmCombo(self)
        self.found_box.setAccessibleName(self.tr("Servers on this computer"))
        self.key_said, self.exposed_said = caption(self), caption(self)
        self.key_said.setWordWrap(False)  # one line; the form would keep room for two
        self.said = plain_label(self)
        self.said.setWordWrap(True)
        self.said.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.said.setMinimumHeight(_RESULT_PX)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.test_button = self._button(self.tr("&Test"))
        self.find_button = self._button(self.tr("&Look on This Computer"))
        self.use_button = self._button(self.tr("&Use This Model"))
        self.use_button.setProperty("primary", True)
        self.cancel_button = self._button(self.tr("Cancel"))
        self._lay_out()
        self._wire()
        self._forget_result()

    # ------------------------------------------------------------ what was typed
    @property
    def address(self) -> ServerAddress | None:
        """Return the typed address with the chosen model; None while it is no address."""
        try:
            return ServerAddress.parsed(self.address_edit.text(), self.model)
        except ValueError:
            return None

    @property
    def model(self) -> str:
        """Return the chosen model; empty before a test."""
        row = self.model_box.findText(self.model_box.currentText())
        name = self.model_box.itemData(row) if row >= 0 else self.model_box.currentText()
        return str(name or "").strip()

    # ------------------------------------------------------------ what the controller shows
    def show_can_keep(self, *, can_keep: bool) -> None:
        """Show where a key will be."""
        self.key_said.setText(
            self.tr("Kept in this computer's keychain, and nowhere else.")
            if can_keep
            else self.tr("This computer has no keychain, so Quire keeps the key only until you quit.")
        )

    def show_working(self, sentence: str) -> None:
        """Show that a server is asked."""
        self._is_busy = True
        self.said.setText(sentence)
        self._refresh()

    def show_abilities(self, can: ServerAbilities) -> None:
        """Show the result of a test, and let the writer choose a model."""
        self._is_busy, self._abilities = False, can
        chosen = self.model or can.model
        with QSignalBlocker(self.model_box):
            self.model_box.clear()
            for name in can.models:
                self.model_box.addItem(short_name(name), name)
            self.model_box.setCurrentIndex(self.model_box.findData(chosen))
            if self.model_box.currentIndex() < 0:
                self.model_box.setEditText(chosen)
        lines = [self._texts.summary(can)]
        if chosen or not can.models:
            lines += self._texts.abilities(can)
        else:
            lines.append(self.tr("Choose a model above to see what it can do."))
        self.said.setText("\n".join(lines))
        self._refresh()

    def show_problem(self, sentence: str) -> None:
        """Show why a server can't be used."""
        self._is_busy, self._abilities = False, None
        self.said.setText(translated(sentence))
        self._refresh()

    def show_found(self, found: Sequence[FoundServer]) -> None:
        """Show which servers run on this computer; a single one is filled in."""
        self._is_busy, self._found = False, tuple(found)
        with QSignalBlocker(self.found_box):
            self.found_box.clear()
            for each in found:
                name = each.abilities.kind or self.tr("Server")
                self.found_box.addItem(self.tr("{0} at {1}").format(name, each.url))
        self.found_box.setVisible(bool(found))
        if found:
            self._fill_in(0)
        else:
            self.said.setText(
                self.tr(
                    "No server answers on the usual ports (Ollama 11434, LM Studio 1234, KoboldCpp 5001,"
                    " llama.cpp 8080). Start one, or type its address."
                )
            )
        self._refresh()

    # ------------------------------------------------------------ requests
    @Slot()
    def test(self) -> None:
        """Ask what the server can do."""
        request = self._request()
        if request is not None and self._is_agreed(request, self.test, with_words=False):
            self.test_asked.emit(request)

    @Slot()
    def use(self) -> None:
        """Use the model; plain http to another computer is asked about first."""
        request = self._request() if self.use_button.isEnabled() else None
        if request is not None and self._is_agreed(request, self.use, with_words=True):
            self.use_asked.emit(request)

    def _request(self) -> ServerRequest | None:
        """Return what was typed, or show what is wrong with it."""
        try:
            address = ServerAddress.parsed(self.address_edit.text(), self.model)
            return ServerRequest(address, ServerKey(self.key_edit.text()))
        except ValueError as error:
            self.show_problem(error.args[0])
            return None

    def _is_agreed(self, request: ServerRequest, again: Callable[[], None], *, with_words: bool) -> bool:
        """Return whether what is sent may be sent; ask once for each address that others can read along."""
        address = request.address
        if not address.is_readable_on_the_way or self._agreed_to == address.url:
            return True
        if not with_words and not request.key:
            return True  # nothing of the writer's is sent
        question = ModelQuestion(
            self.tr("Send It Unencrypted?"),
            self.tr("Send your words to {0} without encryption?").format(address.host),
            self._texts.exposed(address),
            self.tr("Send Anyway"),
            self,
        )
        question.setDefaultButton(question.no_button)

        def agree() -> None:
            self._agreed_to = address.url
            again()

        question.yes_button.clicked.connect(agree)
        question.open()
        return False

    # ------------------------------------------------------------ inside
    @Slot()
    def _forget_result(self) -> None:
        """Discard the result for a server that is no longer the typed one."""
        self._abilities = None
        with QSignalBlocker(self.model_box):
            self.model_box.clear()
            self.model_box.clearEditText()
        self.said.setText(
            self.tr(
                "Test asks the server for a few words and shows what it can do. Nothing of your text is sent"
                " before you use the model."
            )
        )
        self._refresh()

    @Slot(int)
    def _fill_in(self, row: int) -> None:
        """Fill in a server that was found, and show what it can do."""
        if 0 <= row < len(self._found):
            self.address_edit.setText(self._found[row].url)
            self.show_abilities(self._found[row].abilities)

    @Slot()
    def _refresh(self) -> None:
        address = self.address
        self.exposed_said.setText("" if address is None else self._texts.exposed(address))
        self.exposed_said.setVisible(bool(self.exposed_said.text()))
        is_typed = bool(self.address_edit.text().strip())
        self.test_button.setEnabled(is_typed and not self._is_busy)
        self.find_button.setEnabled(not self._is_busy)
        is_known = self._abilities is not None
        self.model_box.setEnabled(is_known and not self._is_busy)
        self.use_button.setEnabled(is_known and not self._is_busy and bool(self.model))

    def _wire(self) -> None:
        self.address_edit.textChanged.connect(self._forget_result)
        self.key_edit.textChanged.connect(self._forget_result)
        for edit in (self.address_edit, self.key_edit):
            edit.returnPressed.connect(self.test)
        self.model_box.activated.connect(self.test)
        self.model_box.editTextChanged.connect(self._refresh)
        self.found_box.activated.connect(self._fill_in)
        self.test_button.clicked.connect(self.test)
        self.find_button.clicked.connect(self.find_asked)
        self.use_button.clicked.connect(self.use)
        self.cancel_button.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        intro = plain_label(
            self,
            text=self.tr(
                "Draft with a model that runs elsewhere: on a larger computer of yours, or at a provider."
                " vLLM, SGLang, llama.cpp's server, Ollama, LM Studio and others can be used."
            ),
        )
        intro.setWordWrap(True)
        form = QFormLayout()
        form.setHorizontalSpacing(14)
        form.setVerticalSpacing(8)
        form.addRow(self.tr("&Address"), self.address_edit)
        form.addRow("", self.exposed_said)
        form.addRow(self.tr("&Key"), self.key_edit)
        form.addRow("", self.key_said)
        form.addRow(self.tr("&Model"), self.model_box)
        asking = QHBoxLayout()
        asking.setSpacing(10)
        asking.addWidget(self.test_button)
        asking.addWidget(self.find_button)
        asking.addWidget(self.found_box, 1)
        asking.addStretch(0)
        self.found_box.hide()
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.use_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(14)
        layout.addWidget(intro)
        layout.addLayout(form)
        layout.addLayout(asking)
        layout.addWidget(self.said, 1)
        layout.addLayout(buttons)

    def _field(self, hint: str) -> QLineEdit:
        edit = QLineEdit(self)
        edit.setPlaceholderText(hint)
        return edit

    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        return button
