"""Writes the formulas of a Word file in one line: no sign of them is lost, and none becomes a command."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from quire.book_formats.importing.plain_markup import local_name

_BETWEEN = {"f": "/", "sSup": "^", "sSub": "_", "sSubSup": "_^", "nary": "  ", "func": " "}
"""What stands between the parts of a formula."""
_MOST_DEEP = 60


def formula(element: Element, depth: int = 0) -> str:
    """Return the signs of a formula in the order in which they are read."""
    if depth > _MOST_DEEP:
        return "".join(element.itertext())
    name = local_name(element)
    if name == "t":
        return element.text or ""
    if name.endswith("Pr"):
        shown = [
            value
            for one in element
            if local_name(one) == "chr"
            for key, value in one.attrib.items()
            if key.endswith("}val")
        ]
        return "".join(shown) if name in ("naryPr", "accPr", "groupChrPr") else ""
    parts = [formula(one, depth + 1) for one in element]
    if name == "d":
        return f"({', '.join(filter(None, parts))})"
    if name == "rad":
        return f"√({''.join(parts)})"
    if name in _BETWEEN:
        parts = [part for part in parts if part]
        marks = _BETWEEN[name]
        made = parts[0] if parts else ""
        for place, part in enumerate(parts[1:]):
            made += marks[min(place, len(marks) - 1)] + part
        return made
    return " ".join(parts) if name in ("m", "eqArr", "mr", "oMathPara") else "".join(parts)
