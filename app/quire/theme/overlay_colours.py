"""The look of overlays: colour-blind safe colours, each with its own underline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextCharFormat

from quire.domain.text_quality.overlays import SpanKind
from quire.theme.colour_tokens import Tokens, contrast

_Line = QTextCharFormat.UnderlineStyle
_PLAIN = _Line.NoUnderline
_HIGH_CONTRAST = 17.0
"""From this contrast of ink and paper on a theme counts as high-contrast: it gets no backgrounds."""

_WASH_LIGHT, _WASH_DARK = 0.16, 0.22


@dataclass(frozen=True, slots=True)
class _OverlayStyle:
    """The style of a kind of mark.

    Attributes:
        light: colour on light paper.
        dark: colour on dark paper.
        line: the underline.
        wash: opacity of the background.
    """

    light: str
    dark: str
    line: QTextCharFormat.UnderlineStyle
    wash: float = 1.0


# The hues are those of Okabe and Ito, darker on light paper and lighter on dark.
_BLUE = ("#0b5f98", "#6cb6e8")
_ORANGE = ("#8f5400", "#e8b04a")
_GREEN = ("#00694d", "#55c7a0")
_PURPLE = ("#8e3a72", "#df9cc4")
_RED = ("#a93f00", "#f08a5d")

_LOOKS: Mapping[SpanKind, _OverlayStyle] = {
    SpanKind.WRITTEN: _OverlayStyle(*_BLUE, _PLAIN, 0.0),
    SpanKind.DRAFTED: _OverlayStyle(*_BLUE, _Line.DotLine, 0.6),
    SpanKind.EDITED: _OverlayStyle(*_ORANGE, _Line.SingleUnderline),
    SpanKind.PASTED: _OverlayStyle(*_PURPLE, _Line.DashUnderline),
    SpanKind.MODEL: _OverlayStyle(*_BLUE, _Line.SingleUnderline, 0.0),
    SpanKind.GUESSER: _OverlayStyle(*_GREEN, _Line.DotLine, 0.7),
    SpanKind.PHRASES: _OverlayStyle(*_ORANGE, _Line.DashUnderline),
    SpanKind.ECHO: _OverlayStyle(*_RED, _Line.SingleUnderline),
    SpanKind.ECHOED: _OverlayStyle(*_BLUE, _Line.DotLine, 0.35),
    SpanKind.EXPECTED: _OverlayStyle(*_GREEN, _PLAIN, 0.0),
    SpanKind.POSSIBLE: _OverlayStyle(*_GREEN, _Line.DotLine, 0.3),
    SpanKind.UNUSUAL: _OverlayStyle(*_ORANGE, _Line.DashUnderline, 0.8),
    SpanKind.SURPRISING: _OverlayStyle(*_RED, _Line.SingleUnderline, 1.35),
}

_PENS = {
    _Line.SingleUnderline: Qt.PenStyle.SolidLine,
    _Line.DotLine: Qt.PenStyle.DotLine,
    _Line.DashUnderline: Qt.PenStyle.DashLine,
}


@dataclass(frozen=True, slots=True)
class KindLook:
    """The look of a kind of mark in a theme.

    Attributes:
        colour: of its line.
        wash: behind its words, or None.
        underline: of the text.
        pen: the same line for a legend.
    """

    colour: QColor
    wash: QColor | None
    underline: QTextCharFormat.UnderlineStyle
    pen: Qt.PenStyle

    def char_format(self) -> QTextCharFormat:
        """Return the look as a character format."""
        mark = QTextCharFormat()
        if self.wash is not None:
            mark.setBackground(self.wash)
        if self.underline is not _PLAIN:
            mark.setUnderlineStyle(self.underline)
            mark.setUnderlineColor(self.colour)
        return mark


def is_high_contrast(tokens: Tokens) -> bool:
    """Return whether a theme is made for high contrast."""
    return contrast(tokens.ink, tokens.paper) >= _HIGH_CONTRAST


def kind_look(kind: SpanKind, tokens: Tokens) -> KindLook:
    """Return the look of a kind of mark in a theme."""
    look = _LOOKS[kind]
    colour = look.dark if tokens.is_dark else look.light
    share = look.wash * (_WASH_DARK if tokens.is_dark else _WASH_LIGHT)
    washed = share > 0 and not is_high_contrast(tokens)
    return KindLook(
        QColor(colour),
        blended(colour, tokens.paper, share) if washed else None,
        look.line,
        _PENS.get(look.line, Qt.PenStyle.NoPen),
    )


def blended(colour: str, ground: str, share: float) -> QColor:
    """Return a colour blended with a background; share: its opacity."""
    over, under = QColor(colour), QColor(ground)
    pairs = ((over.red(), under.red()), (over.green(), under.green()), (over.blue(), under.blue()))
    return QColor(*(round(one * share + other * (1 - share)) for one, other in pairs))


def overlay_sheet(tokens: Tokens) -> str:
    """Return the style sheet of the overlay's button, its legend and the list of echoes."""
    return f"""
QToolButton#overlayButton {{ background: transparent; color: {tokens.soft_ink}; border: 2px solid transparent;
    border-radius: 7px; padding: 3px 8px; }}
QToolButton#overlayButton:hover {{ background: {tokens.hover}; color: {tokens.ink}; }}
QToolButton#overlayButton:focus {{ border-color: {tokens.accent}; }}
QToolButton#overlayButton:disabled {{ color: {tokens.faint_ink}; }}
QToolButton#overlayButton::menu-indicator {{ image: none; width: 0; }}
#overlayNote {{ color: {tokens.soft_ink}; }}
QTableView#echoTable {{ background: {tokens.paper}; color: {tokens.ink}; border: 1px solid {tokens.line};
    outline: 0; selection-background-color: {tokens.selection};
    selection-color: {tokens.on_selection}; }}
QTableView#echoTable::item {{ padding: 0 8px; border-bottom: 1px solid {tokens.line}; }}
QTableView#echoTable QHeaderView {{ background: {tokens.desk}; }}
QTableView#echoTable QHeaderView::section {{ background: {tokens.desk}; color: {tokens.soft_ink};
    border: none; border-bottom: 1px solid {tokens.line}; padding: 6px 8px; }}
"""
