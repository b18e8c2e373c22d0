"""Leaves of a Word file's fields what they show: Pandoc drops all that follows one that is not closed."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from quire.book_formats.importing.word_package import W

_SHOWN_CODE = re.compile(r"\s*MACROBUTTON\s+\S+\s+(?P<shown>\S.*?)\s*", re.IGNORECASE | re.DOTALL)


def without_fields(root: Element) -> None:
    """Take the codes out of all fields of a part, and leave their results."""
    owners = {one: run for run in root.iter(f"{W}r") for one in run}
    order = [one for one in root.iter() if one in owners]
    pairs, waiting = dict[Element, Element](), list[tuple[Element, Element | None]]()
    for mark in order:
        kind = mark.get(f"{W}fldCharType") if mark.tag == f"{W}fldChar" else None
        if kind == "begin":
            waiting.append((mark, None))
        elif kind == "separate" and waiting:
            waiting[-1] = (waiting[-1][0], mark)
        elif kind == "end" and waiting:
            begin, shown = waiting.pop()
            pairs[begin] = mark if shown is None else shown
    ends, depth = set(pairs.values()), 0
    for one in order:
        run = owners[one]
        if one in ends:
            depth -= 1
        elif one in pairs:
            depth += 1
        if one.tag == f"{W}fldChar":
            _show_choice(run, one)
        elif one.tag == f"{W}instrText":
            shown_code = _SHOWN_CODE.fullmatch(one.text or "")
            if shown_code is None:
                run.remove(one)
            else:
                one.tag, one.text = f"{W}t", shown_code["shown"]
        elif depth and one.tag == f"{W}t":
            run.remove(one)


def _show_choice(run: Element, mark: Element) -> None:
    """Replace the mark of a field by what is chosen in it, if it is a list to choose from."""
    chosen = mark.find(f".//{W}ddList")
    place = list(run).index(mark)
    run.remove(mark)
    if chosen is None:
        return
    entries = chosen.findall(f"{W}listEntry")
    result = chosen.find(f"{W}result")
    number = "0" if result is None else result.get(f"{W}val", "0")
    if number.isdecimal() and int(number[:6]) < len(entries):
        text = Element(f"{W}t")
        text.text = entries[int(number)].get(f"{W}val", "")
        run.insert(place, text)
