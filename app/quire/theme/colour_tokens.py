"""Every colour of Quire, named by its purpose."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tokens:
    """The colours of one theme, as #rrggbb, and its name.

    Attributes:
        paper: background of the manuscript.
        desk: background of everything else.
        raised: fields and menus.
        ink: normal text.
        soft_ink: secondary text.
        faint_ink: disabled text only.
        line: hairlines.
        edge: borders of what can be pressed.
        accent: the one colour that means "draft".
        wash: background of what was drafted in this session.
    """

    name: str
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
    name="light",
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
    name="dark",
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

SEPIA = Tokens(
    name="sepia",
    is_dark=False,
    paper="#f3e6cc",
    desk="#eadbbd",
    raised="#f8eedb",
    hover="#decba6",
    ink="#382a18",
    soft_ink="#634f35",
    faint_ink="#9c8763",
    line="#d6c39c",
    edge="#856d46",
    accent="#7a3b17",
    accent_hover="#652f11",
    on_accent="#fff8ea",
    wash="#ede2bf",
    mark="#b08a5c",
    selection="#dfbf86",
    on_selection="#2a1e0f",
    calm="#7f6c4c",
    busy="#8f5603",
    live="#1f6f5f",
    rest="#3f5f8c",
    alarm="#a42f20",
    note_paper="#dfe3c6",
    note_ink="#2c4420",
    warning_paper="#f3d68f",
    warning_ink="#553a00",
    error_paper="#f0cbb3",
    error_ink="#7a2114",
)

HIGH_CONTRAST = Tokens(
    name="contrast",
    is_dark=True,
    paper="#000000",
    desk="#000000",
    raised="#0d0d0d",
    hover="#2a2a2a",
    ink="#ffffff",
    soft_ink="#e6e6e6",
    faint_ink="#a8a8a8",
    line="#6b6b6b",
    edge="#ffffff",
    accent="#ffd633",
    accent_hover="#ffe680",
    on_accent="#000000",
    wash="#14180a",
    mark="#ffd633",
    selection="#7fdcff",
    on_selection="#000000",
    calm="#cfcfcf",
    busy="#ffb84d",
    live="#66f2d0",
    rest="#a3c9ff",
    alarm="#ff9b8c",
    note_paper="#00241f",
    note_ink="#d2fff4",
    warning_paper="#2e2200",
    warning_ink="#ffe9a8",
    error_paper="#330a04",
    error_ink="#ffd5cc",
)

THEMES = (LIGHT, DARK, SEPIA, HIGH_CONTRAST)


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast ratio of two colours, from 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
