"""What the styles of a Word file say of its paragraphs and runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from quire.book_formats.importing.word_package import W

_MOST_BASED = 20


@dataclass(frozen=True, slots=True)
class WordStyles:
    """The styles by their ids."""

    found: dict[str, Element] = field(default_factory=dict)
    known: dict[tuple[str, str], Element | None] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Element | None) -> WordStyles:
        """Return the styles that a file defines."""
        styles = () if root is None else root.iter(f"{W}style")
        return cls({style.get(f"{W}styleId", ""): style for style in styles})

    def name(self, key: str) -> str:
        """Return the name of a style in small letters; its id where it is not defined."""
        name = self._told(key, "name", 1)
        return (key if name is None else name.get(f"{W}val", "")).lower()

    def key(self, name: str, otherwise: str) -> str:
        """Return the id of the style with a name."""
        return next((key for key in self.found if self.name(key) == name), otherwise)

    def hides(self, key: str) -> bool:
        """Return whether words in a style are hidden."""
        about = self._told(key, f"rPr/{W}vanish")
        return about is not None and is_on(about)

    @property
    def hide_any(self) -> bool:
        """Whether words in any style are hidden."""
        return any(map(self.hides, self.found))

    def size(self, key: str) -> int:
        """Return the size of letters in half points; 0 where the style does not tell."""
        about = self._told(key, f"rPr/{W}sz")
        value = "" if about is None else about.get(f"{W}val", "")
        return int(value) if value.isdecimal() and len(value) < 5 else 0

    def is_heading(self, key: str) -> bool:
        """Return whether a style is that of a heading."""
        return self.name(key).startswith("heading ") or self._told(key, f"pPr/{W}outlineLvl") is not None

    def number(self, key: str, own: Element | None) -> tuple[str, int]:
        """Return the list of a paragraph and its level there; own: what the paragraph itself says."""
        styled = self._told(key, f"pPr/{W}numPr")
        number = _value(own, "numId") or _value(styled, "numId")
        level = _value(own, "ilvl") or _value(styled, "ilvl") or "0"
        return ("" if number == "0" else number), int(level) if level.isdecimal() and len(level) < 3 else 0

    def _told(self, key: str, path: str, most: int = _MOST_BASED) -> Element | None:
        """Return what a style, or one that it is based on, says."""
        if (key, path) not in self.known:
            self.known[key, path] = self._looked_up(key, path, most)
        return self.known[key, path]

    def _looked_up(self, key: str, path: str, most: int) -> Element | None:
        for _ in range(most):
            if (style := self.found.get(key)) is None:
                return None
            if (found := style.find(W + path)) is not None:
                return found
            base = style.find(f"{W}basedOn")
            key = "" if base is None else base.get(f"{W}val", "")
        return None


def is_on(switch: Element) -> bool:
    """Return whether a property is switched on."""
    return switch.get(f"{W}val", "true") not in ("0", "false", "off")


def _value(about: Element | None, name: str) -> str:
    found = None if about is None else about.find(f"{W}{name}")
    return "" if found is None else found.get(f"{W}val", "")
