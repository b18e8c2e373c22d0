"""Names of overlays and their marks on the screen."""

from __future__ import annotations

from PySide6.QtCore import QObject

from quire.domain.text_quality.overlays import Overlay, SpanKind


class OverlayTexts(QObject):
    """Names and explanations in plain words."""

    def overlay(self, overlay: Overlay) -> str:
        """Return the name of an overlay."""
        return {
            Overlay.NONE: self.tr("None"),
            Overlay.SOURCE: self.tr("Source"),
            Overlay.GUESSES: self.tr("Acceleration"),
            Overlay.ECHOES: self.tr("Echoes"),
            Overlay.SURPRISE: self.tr("Surprise"),
        }[overlay]

    def hint(self, overlay: Overlay) -> str:
        """Return what an overlay shows."""
        return {
            Overlay.NONE: self.tr("No highlighting"),
            Overlay.SOURCE: self.tr("Who wrote each part of the text"),
            Overlay.GUESSES: self.tr("Which words came from acceleration, which never changes the text"),
            Overlay.ECHOES: self.tr("Six or more words repeated nearby"),
            Overlay.SURPRISE: self.tr("How likely the model finds the selected words"),
        }[overlay]

    def kind(self, kind: SpanKind) -> str:
        """Return the name of a kind of mark."""
        return {
            SpanKind.WRITTEN: self.tr("You wrote"),
            SpanKind.DRAFTED: self.tr("Drafted"),
            SpanKind.EDITED: self.tr("Drafted, then edited"),
            SpanKind.PASTED: self.tr("Pasted"),
            SpanKind.MODEL: self.tr("Full model"),
            SpanKind.GUESSER: self.tr("Draft model"),
            SpanKind.PHRASES: self.tr("Phrase reuse"),
            SpanKind.ECHO: self.tr("Repeats earlier text"),
            SpanKind.ECHOED: self.tr("Repeated later"),
            SpanKind.EXPECTED: self.tr("Expected"),
            SpanKind.POSSIBLE: self.tr("Below 50%"),
            SpanKind.UNUSUAL: self.tr("Below 10%"),
            SpanKind.SURPRISING: self.tr("Below 1%"),
        }[kind]

    def empty(self, overlay: Overlay) -> str:
        """Return the sentence for an overlay without marks."""
        return {
            Overlay.NONE: "",
            Overlay.SOURCE: self.tr("No text yet."),
            Overlay.GUESSES: self.tr("Nothing here was drafted, or you have rewritten it all."),
            Overlay.ECHOES: self.tr("No nearby repetition found."),
            Overlay.SURPRISE: self.tr("Select words and choose Inspect > Alternatives for Selection."),
        }[overlay]

    def by_pass(self) -> str:
        """Return why accepted draft tokens are not distinguished word by word."""
        return self.tr("Drafted with an older version of Quire: only whole steps are known.")
