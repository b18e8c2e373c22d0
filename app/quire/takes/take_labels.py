"""The names of takes and their metrics on the screen."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QObject

from quire.domain.drafting.presets import preset_title
from quire.domain.drafting.take_metrics import DraftFigures, TakeFigures
from quire.domain.manuscript.project_records import Snapshot, SnapshotReason
from quire.services.model_library.model_names import plain_name
from quire.system.number_text import number_text
from quire.takes.take_groups import TakeLine
from quire.ui.translated import short_day, translated

NOTHING = "–"
SHORT = (0, 1, 3, 5, 6, 7, 8)
"""The metrics that fit beside a list."""
FOR_RESEARCH = (3, 4, 8)
"""The metrics that only the research view shows: tokens, draft tokens and seeds."""
_MINUTE_S, _HOUR_S = 60, 3600


class TakeTexts(QObject):
    """Translated texts and numbers."""

    def name(self, line: TakeLine) -> str:
        """Return the name of a take: its own, or its number."""
        return line.title or self.tr("Take {0}").format(line.number)

    def heading(self, after: str) -> str:
        """Return the heading of takes with the same start."""
        return self.tr("After … {0}").format(after) if after else self.tr("From the start")

    def title(self, line: TakeLine) -> str:
        """Return the first line of a take in the list."""
        title = self.tr("{0} · {1}").format(self.name(line), self.words(line.num_words))
        if line.days_left is not None:
            return self.tr("{0} · {1}").format(title, self.days_left(line.days_left))
        return self.tr("{0} · in the text").format(title) if line.stands else title

    def words(self, num_words: int) -> str:
        """Return a number of words."""
        return self.tr("1 word") if num_words == 1 else self.tr("{0} words").format(number_text(num_words))

    def days_left(self, days: int) -> str:
        """Return the time until a take in the trash is deleted."""
        return self.tr("1 day left") if days == 1 else self.tr("{0} days left").format(days)

    def choice(self, line: TakeLine, after: str) -> str:
        """Return the name of a take outside of the list."""
        name = self.tr("{0} · {1}").format(self.name(line), self.heading(after))
        return self.tr("{0} · in the trash").format(name) if line.days_left is not None else name

    def snapshot(self, snapshot: Snapshot) -> str:
        """Return the name of a snapshot."""
        title = {
            SnapshotReason.BEFORE_DRAFT: self.tr("Before drafting"),
            SnapshotReason.BEFORE_RESTORE: self.tr("Before restoring"),
            SnapshotReason.BEFORE_IMPORT: self.tr("Before an import"),
        }.get(snapshot.reason, snapshot.title or self.tr("Snapshot"))
        return self.tr("{0} · {1}").format(title, self._when(snapshot.created))

    def words_differ(self, num_words: int) -> str:
        """Return a sentence on how much two texts differ."""
        if not num_words:
            return self.tr("No differences.")
        if num_words == 1:
            return self.tr("1 word differs.")
        return self.tr("{0} words differ.").format(number_text(num_words))

    def figures(self, figures: TakeFigures | None) -> tuple[tuple[str, str, str], ...]:
        """Return the metrics of a take with name, value and explanation."""
        names = self._names()
        values = (NOTHING,) * len(names) if figures is None else self._values(figures)
        return tuple((name, value, hint) for (name, hint), value in zip(names, values, strict=True))

    def _names(self) -> tuple[tuple[str, str], ...]:
        return (
            (self.tr("Words"), self.tr("All words in this take, drafted and written")),
            (self.tr("Drafting time"), self.tr("Excluding reading and pauses")),
            (self.tr("Words per minute"), self.tr("While drafting")),
            (self.tr("Tokens per step"), self.tr("Tokens written per step of the full model")),
            (
                self.tr("Acceptance rate"),
                self.tr("Share of draft tokens the model accepted. Says nothing about quality"),
            ),
            (
                self.tr("Variety"),
                self.tr(
                    "Share of distinct word pairs in 2,000 words, including those before the take."
                    " Published novels: 0.59 to 0.90. Needs 2,000 words"
                ),
            ),
            (self.tr("Echoes"), self.tr("Text that repeats itself within 2,000 words")),
            (self.tr("Preset"), self.tr("How freely the model chose its words")),
            (self.tr("Seed"), self.tr("The same seed and settings give the same take")),
            (self.tr("Model"), self.tr("The model that drafted it")),
            (self.tr("Drafted"), self.tr("When it was last drafted")),
        )

    def _values(self, figures: TakeFigures) -> tuple[str, ...]:
        text, draft = figures.text, figures.draft
        presets = ", ".join(translated(preset_title(name)) or self.tr("custom") for name in draft.presets)
        changed = NOTHING if draft.changed is None else self._when(draft.changed)
        return (
            number_text(text.num_words),
            self._time(draft.drafted_s) if draft.drafted_s else NOTHING,
            _number(draft.words_per_min),
            _number(draft.tokens_at_a_time, 1),
            _percent(draft.acceptance_rate),
            _number(text.variety, 2),
            _percent(text.echoes, 1),
            presets or NOTHING,
            ", ".join(map(str, draft.seeds)) or NOTHING,
            ", ".join(self._model(name, draft) for name in draft.models if name) or NOTHING,
            changed,
        )

    def _model(self, name: str, draft: DraftFigures) -> str:
        if name not in draft.on_servers:
            return translated(plain_name(name))
        return self.tr("{0} (on a server, not reproducible)").format(name)

    def _when(self, moment: datetime) -> str:
        local = moment.astimezone()
        return self.tr("{0}, {1}").format(short_day(local), local.strftime("%H:%M"))

    def _time(self, seconds: float) -> str:
        whole = round(seconds)
        if whole < _MINUTE_S:
            return self.tr("{0} s").format(number_text(seconds, 1))
        if whole < _HOUR_S:
            return self.tr("{0} min {1} s").format(whole // _MINUTE_S, whole % _MINUTE_S)
        return self.tr("{0} h {1} min").format(whole // _HOUR_S, whole % _HOUR_S // _MINUTE_S)


def _number(value: float | None, places: int = 0) -> str:
    return NOTHING if value is None else number_text(value, places)


def _percent(share: float | None, places: int = 0) -> str:
    return NOTHING if share is None else f"{number_text(100 * share, places)}%"
