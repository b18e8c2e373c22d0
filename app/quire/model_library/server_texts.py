"""What a server can do, in words for a writer."""

from __future__ import annotations

from PySide6.QtCore import QObject

from quire.domain.drafting.context_usage import words_in
from quire.system.number_text import number_text
from quire_engine.remote.server import MOST_SCORED_WORDS, ServerAbilities, ServerAddress

_YES, _NO, _UNKNOWN = "\u2713", "\u2717", "?"
"""Told apart without colours; the sentences say it as well."""


class ServerTexts(QObject):
    """Makes the sentences; a parent decides nothing but their life."""

    def abilities(self, can: ServerAbilities) -> tuple[str, ...]:
        """Return what works with a server and what does not, one line each."""
        lines = [
            (can.completions is not False or can.chat, self._continues(can)),
            (True, self.tr("Pausing, continuing, takes, steering, goals and chapters work as at home")),
            (can.context_length is not None or None, self._context(can)),
            (can.logit_bias, self._avoided(can)),
            (can.figures, self._figures(can)),
            (False, self.tr("Not reproducible there: the same seed may write other words")),
            (can.scores, self._scored(can)),
        ]
        return tuple(f"{self._mark(is_true)}  {said}" for is_true, said in lines)

    def summary(self, can: ServerAbilities) -> str:
        """Return what a server is, and how many models it has."""
        kind = " ".join(filter(None, (can.kind, can.version)))
        about = self.tr("{0} answers.").format(kind) if kind else self.tr("The server answers.")
        if len(can.models) == 1:
            return about + " " + self.tr("It has one model.")
        if can.models:
            return about + " " + self.tr("It has {0} models.").format(number_text(len(can.models)))
        return about

    def exposed(self, address: ServerAddress) -> str:
        """Return what plain http to another computer means; empty where nobody can read along."""
        if not address.is_readable_on_the_way:
            return ""
        return self.tr(
            "Not encrypted: whoever is on the network between here and {0} can read your words and the key."
            " If the server offers https, use that."
        ).format(address.host)

    def leaves(self, address: ServerAddress) -> str:
        """Return where the words go that are drafted on."""
        if address.is_this_computer:
            return self.tr("Your words go to another program on this computer ({0}).").format(address.host)
        return self.tr("Your words go to {0}. Whoever runs it can read them.").format(address.host)

    def _continues(self, can: ServerAbilities) -> str:
        if can.completions:
            return self.tr("Continues your text")
        if can.completions is None and not can.chat:
            return self.tr("Should continue your text; the first draft shows it")
        return self.tr("Chat only: it is asked to continue your text, and may answer with a comment instead")

    def _context(self, can: ServerAbilities) -> str:
        if can.context_length is None:
            return self.tr("Doesn't say how much text it remembers; the first draft shows it")
        return self.tr("Remembers about {0} words").format(number_text(words_in(can.context_length)))

    def _avoided(self, can: ServerAbilities) -> str:
        if can.logit_bias is False:
            return self.tr("Words to avoid can't be forbidden there")
        if can.logit_bias is None:
            return self.tr("Doesn't say whether words to avoid can be forbidden")
        return self.tr("Words to avoid are forbidden there too")

    def _figures(self, can: ServerAbilities) -> str:
        if can.figures:
            return self.tr("Acceptance charts show the server's own figures")
        return self.tr("No acceptance charts: the server tells no figures")

    def _scored(self, can: ServerAbilities) -> str:
        if can.scores:
            return self.tr("Shows alternatives and surprise, for about {0} words at a time").format(
                MOST_SCORED_WORDS
            )
        if can.scores is None:
            return self.tr("May show alternatives and surprise; the first selection shows it")
        return self.tr("Alternatives and surprise need a model on this computer")

    def _mark(self, is_true: bool | None) -> str:
        if is_true is None:
            return _UNKNOWN
        return _YES if is_true else _NO
