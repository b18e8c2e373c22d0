"""The names of the parts of a book, their status and their words on the screen."""

from __future__ import annotations

from PySide6.QtCore import QObject

from quire.domain.manuscript.tree import Node, NodeKind, Status
from quire.domain.manuscript.tree_rows import Group
from quire.domain.manuscript.word_counts import Words
from quire.system.number_text import number_text


class TreeLabels(QObject):
    """Texts of the manuscript tree."""

    def status(self, status: Status) -> str:
        """Return the name of a status."""
        return {
            Status.NONE: self.tr("No status"),
            Status.OUTLINE: self.tr("Outline"),
            Status.DRAFT: self.tr("Draft"),
            Status.REVISED: self.tr("Revised"),
            Status.DONE: self.tr("Done"),
        }[status]

    def kind(self, kind: NodeKind) -> str:
        """Return the name of a kind of text."""
        return {
            NodeKind.BOOK: self.tr("Book"),
            NodeKind.PART: self.tr("Part"),
            NodeKind.CHAPTER: self.tr("Chapter"),
            NodeKind.SCENE: self.tr("Scene"),
            NodeKind.NOTE: self.tr("Note"),
            NodeKind.CHARACTER: self.tr("Character"),
            NodeKind.PLACE: self.tr("Place"),
        }[kind]

    def new(self, kind: NodeKind) -> str:
        """Return the default title of a new text."""
        return {
            NodeKind.BOOK: self.tr("New Book"),
            NodeKind.PART: self.tr("New Part"),
            NodeKind.CHAPTER: self.tr("New Chapter"),
            NodeKind.SCENE: self.tr("New Scene"),
            NodeKind.NOTE: self.tr("New Note"),
            NodeKind.CHARACTER: self.tr("New Character"),
            NodeKind.PLACE: self.tr("New Place"),
        }[kind]

    def undo_trash(self) -> str:
        """Return the menu entry that restores what was just moved to the trash."""
        return self.tr("&Undo Move to Trash")

    def undo_move(self) -> str:
        """Return the menu entry that moves back what was just moved within the book."""
        return self.tr("&Undo Move")

    def group(self, group: Group) -> str:
        """Return the name of a group beside the book."""
        return {
            Group.NOTES: self.tr("Notes"),
            Group.CHARACTERS: self.tr("Characters"),
            Group.PLACES: self.tr("Places"),
            Group.TRASH: self.tr("Trash"),
        }[group]

    def title(self, node: Node) -> str:
        """Return the title of a text in one line."""
        return " ".join(node.title.split()) or self.tr("Untitled")

    def total(self, words: Words) -> str:
        """Return the number of words."""
        return (
            self.tr("1 word") if words.total == 1 else self.tr("{0} words").format(number_text(words.total))
        )

    def words(self, words: Words) -> str:
        """Return the number of words, and who wrote them."""
        total = self.total(words)
        if not words.drafted:
            return total
        parts = self.tr("{0} written, {1} drafted").format(
            number_text(words.written), number_text(words.drafted)
        )
        return f"{total}: {parts}"
