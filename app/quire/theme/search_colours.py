"""The look of search matches and of the search fields."""

from __future__ import annotations

from PySide6.QtGui import QColor

from quire.theme.colour_tokens import Tokens

_FOUND_SHARE = 0.34
"""Opacity of amber behind a match: visible at once, but still readable."""


def found_colour(tokens: Tokens, behind: str) -> QColor:
    """Return the colour of a match on a background of this colour."""
    amber, ground = QColor(tokens.busy), QColor(behind)
    pairs = ((amber.red(), ground.red()), (amber.green(), ground.green()), (amber.blue(), ground.blue()))
    return QColor(*(round(over * _FOUND_SHARE + under * (1 - _FOUND_SHARE)) for over, under in pairs))


def finding_sheet(tokens: Tokens) -> str:
    """Return the style sheet of the find bar and the search panel."""
    return f"""
#findBar {{ background: {tokens.desk}; border-bottom: 1px solid {tokens.line}; }}
#searchPanel {{ background: {tokens.desk}; }}
#findProblem {{ color: {tokens.alarm}; }}
#findCount, #findSummary {{ color: {tokens.soft_ink}; }}
QToolButton#findOption {{ background: transparent; color: {tokens.soft_ink}; border: 1px solid transparent;
    border-radius: 6px; padding: 4px 7px; min-height: 18px; }}
QToolButton#findOption:hover {{ background: {tokens.hover}; }}
QToolButton#findOption:checked {{ background: {tokens.raised}; color: {tokens.accent};
    border: 1px solid {tokens.accent}; font-weight: 600; }}
QToolButton#findOption:focus {{ border: 2px solid {tokens.accent}; padding: 3px 6px; }}
QTreeView#found {{ background: {tokens.desk}; color: {tokens.ink}; border: none; outline: 0; }}
QTreeView#found::item:hover, QTreeView#found::item:selected {{ background: {tokens.hover}; }}
QTreeView#found::branch {{ background: {tokens.desk}; }}
QTreeView#found QScrollBar:vertical {{ background: {tokens.desk}; }}
"""
