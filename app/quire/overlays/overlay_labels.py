"""What overlays and their marks are called on the screen."""

from __future__ import annotations

from PySide6.QtCore import QObject

from quire.domain.text_quality.overlays import Overlay, SpanKind


class OverlayTexts(QObject):
    """Names and explanations in a writer's words."""

    def overlay(self, overlay: Overlay) -> str:
        """Return the name of an overlay."""
        return {
            Overlay.NONE: self.tr("None"),
            Overlay.SOURCE: self.tr("Source"),
            Overlay.GUESSES: self.tr("Guesses"),
            Overlay.ECHOES: self.tr("Echoes"),
            Overlay.SURPRISE: self.tr("Surprise"),
        }[overlay]

    def hint(self, overlay: Overlay) -> str:
        """Say what an overlay shows."""
        return {
            Overlay.NONE: self.tr("The text alone"),
            Overlay.SOURCE: self.tr("Who wrote which part of the text"),
            Overlay.GUESSES: self.tr(
                "Which drafted words were guessed and kept; guesses never change the text"
            ),
            Overlay.ECHOES: self.tr("Six words and marks or more that stand nearby already"),
            Overlay.SURPRISE: self.tr("How probable the model finds the words that were selected"),
        }[overlay]

    def kind(self, kind: SpanKind) -> str:
        """Return the name of what is marked."""
        return {
            SpanKind.WRITTEN: self.tr("You wrote"),
            SpanKind.DRAFTED: self.tr("Drafted"),
            SpanKind.EDITED: self.tr("Drafted, then edited"),
            SpanKind.PASTED: self.tr("Pasted"),
            SpanKind.MODEL: self.tr("Full model"),
            SpanKind.GUESSER: self.tr("Quick guesser"),
            SpanKind.PHRASES: self.tr("Phrase reuse"),
            SpanKind.ECHO: self.tr("Stands before as well"),
            SpanKind.ECHOED: self.tr("Comes again"),
            SpanKind.EXPECTED: self.tr("Expected"),
            SpanKind.POSSIBLE: self.tr("Below 50%"),
            SpanKind.UNUSUAL: self.tr("Below 10%"),
            SpanKind.SURPRISING: self.tr("Below 1%"),
        }[kind]

    def empty(self, overlay: Overlay) -> str:
        """Return the sentence for an overlay that marks nothing."""
        return {
            Overlay.NONE: "",
            Overlay.SOURCE: self.tr("There is no text yet."),
            Overlay.GUESSES: self.tr("Nothing here was drafted, or all of it was written anew."),
            Overlay.ECHOES: self.tr("No words are repeated nearby."),
            Overlay.SURPRISE: self.tr("Select words and choose Inspect > Alternatives for Selection."),
        }[overlay]

    def by_pass(self) -> str:
        """Say why guesses are not told apart word by word."""
        return self.tr("Drafted by an earlier Quire: known for whole steps only.")
