"""The fields of a card: its kind, its keywords, and when the model is told about it."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QWidget

from quire.domain.drafting.steering import CARD_KINDS, Inclusion
from quire.domain.manuscript.tree import NodeKind
from quire.ui.calm_fields import CalmCombo
from quire.ui.tree_labels import TreeLabels


class KindBox(CalmCombo):
    """Chooses between character, place and note."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Kind of card"))
        labels = TreeLabels(self)
        for kind in CARD_KINDS:
            self.addItem(labels.kind(kind), kind.value)

    @property
    def kind(self) -> NodeKind:
        """Return the chosen kind."""
        return NodeKind(self.currentData())

    def show_kind(self, kind: NodeKind) -> None:
        """Show a kind."""
        self.setCurrentIndex(self.findData(kind.value))


class InclusionBox(CalmCombo):
    """Chooses when the model is told about a card."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Tell the model"))
        for inclusion, text in (
            (Inclusion.NEVER, self.tr("Never")),
            (Inclusion.MENTIONED, self.tr("When mentioned")),
            (Inclusion.ALWAYS, self.tr("Always")),
        ):
            self.addItem(text, inclusion.value)

    @property
    def inclusion(self) -> Inclusion:
        """Return the choice."""
        return Inclusion(self.currentData())

    def show_inclusion(self, inclusion: Inclusion) -> None:
        """Show a choice."""
        self.setCurrentIndex(self.findData(inclusion.value))


class KeywordsEdit(QLineEdit):
    """The words that bring a card up, with commas between them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Keywords"))
        self.setPlaceholderText(self.tr("Comma-separated keywords (default: the name)"))
        self.setToolTip(
            self.tr("The model is told about this card when one of these words appears in recent pages")
        )

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keywords."""
        return tuple(key.strip() for key in self.text().split(",") if key.strip())

    def show_keys(self, keys: tuple[str, ...]) -> None:
        """Show keywords; what is being typed and means the same is left alone."""
        if keys != self.keys:
            self.setText(", ".join(keys))
