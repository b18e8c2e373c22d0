"""The look of prompt sources: a colour, a pattern and a name, never colour alone."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QBrush, QColor

from quire.domain.drafting.prompt_composition import Omission, PartOrigin
from quire.system.number_text import number_text
from quire.theme.colour_tokens import Tokens

_VIOLET = ("#75558a", "#b99bcb")
_ROSE = ("#93475f", "#d898a9")
_Fill = Qt.BrushStyle
_PATTERNS = {
    PartOrigin.MEMORY: _Fill.SolidPattern,
    PartOrigin.LOREBOOK: _Fill.BDiagPattern,
    PartOrigin.STORY_SO_FAR: _Fill.Dense4Pattern,
    PartOrigin.PLAN: _Fill.FDiagPattern,
    PartOrigin.OPENING: _Fill.Dense4Pattern,
    PartOrigin.MANUSCRIPT: _Fill.SolidPattern,
    PartOrigin.BEAT: _Fill.FDiagPattern,
    PartOrigin.DIRECTION: _Fill.SolidPattern,
}


def origin_colour(origin: PartOrigin, tokens: Tokens) -> QColor:
    """Return the colour of a source in a theme."""
    dark = int(tokens.is_dark)
    return QColor(
        {
            PartOrigin.MEMORY: tokens.busy,
            PartOrigin.LOREBOOK: tokens.rest,
            PartOrigin.STORY_SO_FAR: tokens.live,
            PartOrigin.PLAN: tokens.live,
            PartOrigin.OPENING: _VIOLET[dark],
            PartOrigin.MANUSCRIPT: tokens.accent,
            PartOrigin.BEAT: _ROSE[dark],
            PartOrigin.DIRECTION: _ROSE[dark],
        }[origin]
    )


def origin_brush(origin: PartOrigin, tokens: Tokens) -> QBrush:
    """Return the fill of a source; neighbours also differ in pattern."""
    return QBrush(origin_colour(origin, tokens), _PATTERNS[origin])


def origin_name(origin: PartOrigin) -> str:
    """Return the name of a source on the screen."""
    tr = _translated
    return {
        PartOrigin.MEMORY: tr("Memory"),
        PartOrigin.LOREBOOK: tr("Lorebook"),
        PartOrigin.STORY_SO_FAR: tr("The Story So Far"),
        PartOrigin.PLAN: tr("What Is to Come"),
        PartOrigin.OPENING: tr("Opening"),
        PartOrigin.MANUSCRIPT: tr("Manuscript"),
        PartOrigin.BEAT: tr("Beat"),
        PartOrigin.DIRECTION: tr("Author's Note"),
    }[origin]


def omission_text(why: Omission) -> str:
    """Return why something is omitted, as the end of a sentence."""
    tr = _translated
    return {
        Omission.NO_ROOM: tr("no room before the story"),
        Omission.SHORTENED: tr("too long; end left out"),
        Omission.NOT_CALLED: tr("no keyword in recent pages"),
        Omission.SWITCHED_OFF: tr("turned off"),
        Omission.TOO_OLD: tr("longer than the model can remember"),
    }[why]


def _translated(text: str) -> str:
    return QCoreApplication.translate("Steering", text)


def words_text(number: int) -> str:
    """Return a number of words."""
    tr = _translated
    return tr("1 word") if number == 1 else tr("{0} words").format(number_text(number))


def round_number(number: int) -> str:
    """Return a number as one would say it: 850, 38,200."""
    return number_text(number if number < 1_000 else round(number, -2))
