"""Every colour of Quire, named by what it is for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tokens:
    """The colours of one theme, as #rrggbb.

    paper: behind the manuscript. desk: behind everything else. raised: fields and menus. ink, soft_ink,
    faint_ink: text by weight; faint only for what is disabled. line: hairlines. edge: borders of what can
    be pressed. accent: the one colour that means "draft". wash: behind what was drafted in this sitting.
    """

    is_dark: bool
    paper: str
    desk: str
    raised: str
    hover: str
    ink: str
    soft_ink: str
    faint_ink: str
    line: str
    edge: str
    accent: str
    accent_hover: str
    on_accent: str
    wash: str
    mark: str
    selection: str
    on_selection: str
    calm: str
    busy: str
    live: str
    rest: str
    alarm: str
    note_paper: str
    note_ink: str
    warning_paper: str
    warning_ink: str
    error_paper: str
    error_ink: str


LIGHT = Tokens(
    is_dark=False,
    paper="#fbf8f1",
    desk="#f2eee4",
    raised="#fffdf8",
    hover="#e8e2d4",
    ink="#2a2620",
    soft_ink="#635b4f",
    faint_ink="#a69d8e",
    line="#e0d9ca",
    edge="#8d826d",
    accent="#1d5c57",
    accent_hover="#174a46",
    on_accent="#ffffff",
    wash="#f1f2e8",
    mark="#7fa9a2",
    selection="#c9ddd7",
    on_selection="#1f1c17",
    calm="#8a8172",
    busy="#a8690f",
    live="#227f73",
    rest="#4c6a93",
    alarm="#b03a2b",
    note_paper="#e4eeea",
    note_ink="#1c4a46",
    warning_paper="#faedcc",
    warning_ink="#624400",
    error_paper="#f9e3dc",
    error_ink="#86281b",
)

DARK = Tokens(
    is_dark=True,
    paper="#201e1b",
    desk="#191715",
    raised="#2a2724",
    hover="#34302b",
    ink="#e4ddd0",
    soft_ink="#aba292",
    faint_ink="#6b6459",
    line="#35312b",
    edge="#7b7264",
    accent="#86c2b7",
    accent_hover="#9bd0c6",
    on_accent="#0f2320",
    wash="#23241f",
    mark="#4f7c75",
    selection="#33524d",
    on_selection="#f4efe4",
    calm="#8f8778",
    busy="#d9a44a",
    live="#5cc0b0",
    rest="#8facd6",
    alarm="#e57f6f",
    note_paper="#20312e",
    note_ink="#b5dcd4",
    warning_paper="#3a2f17",
    warning_ink="#f0d193",
    error_paper="#3d221d",
    error_ink="#f5b9ac",
)


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast ratio of two colours, from 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
