"""What style sheets say of words: whether they are italic, bold, large or hidden, and what they add."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_SELECTOR = re.compile(r"([a-z][a-z0-9]*)?(?:\.([\w-]+))?(?:::?(before|after))?", re.IGNORECASE)
_ITALIC = re.compile(r"font-style:\s*(?:italic|oblique)|text-decoration[\w-]*:\s*underline", re.IGNORECASE)
_BOLD = re.compile(r"font-weight:\s*(?:bold|[6-9]00)|font:[^;]*\bbold", re.IGNORECASE)
_HIDDEN = re.compile(r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|mso-hide:all)", re.IGNORECASE)
_UNMARKED = re.compile(r"list-style(?:-type)?:[^;]*none", re.IGNORECASE)
_CONTENT = re.compile(r"""(?:^|[;\s])content:\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')""")
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)
_PIECE = re.compile(r"([^{}]*)([{}])")
_FOR_SCREENS = re.compile(r"(?:.*,)?\s*(?:only\s+)?(?:all|screen)\s*(?:,.*)?", re.IGNORECASE | re.DOTALL)
"""Pages of a book are shown on screens; whether other conditions hold, nobody knows."""
_ALIASES = {"text-decoration-line": "text-decoration", "list-style": "list-style-type"}
_MOST, _LONGEST = 5000, 20_000


@dataclass(frozen=True, slots=True)
class Look:
    """How an element looks. declared: the value of each property that counts; before, after: words that a
    style sheet adds.
    """

    declared: str = ""
    before: str = ""
    after: str = ""

    @property
    def italic(self) -> bool:
        """Whether it is italic or underlined."""
        return bool(_ITALIC.search(self.declared))

    @property
    def bold(self) -> bool:
        """Whether it is bold."""
        return bool(_BOLD.search(self.declared))

    @property
    def hidden(self) -> bool:
        """Whether nobody sees it."""
        return bool(_HIDDEN.search(self.declared))

    @property
    def unmarked(self) -> bool:
        """Whether its list has no marks."""
        return bool(_UNMARKED.search(self.declared))


@dataclass(slots=True)
class StyleRules:
    """The rules of style sheets for single elements and classes; others are left to programs that show pages.

    Attributes:
        rules: what is declared by element, class and place.
    """

    rules: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def add(self, sheet: str) -> None:
        """Take the rules of a style sheet."""
        end = sheet.rfind("*/") + 2  # behind it, each opening would be looked for in vain to the end
        for head, declared in _unconditional(_COMMENT.sub("", sheet[:end]) + sheet[end:]):
            if len(declared) > _LONGEST:  # a font, or a picture
                continue
            for selector in head.split(","):
                one = _SELECTOR.fullmatch(selector.strip())
                if one is not None and selector.strip() and len(self.rules) < _MOST:
                    key = ((one[1] or "").lower(), one[2] or "", (one[3] or "").lower())
                    self.rules[key] = f"{self.rules.get(key, '')};{declared}"

    def look(self, tag: str, classes: Sequence[str], style: str) -> Look:
        """Return how an element looks."""
        if not self.rules:
            return Look(_counting(style))
        names = ("", *classes[:20])
        keys = [(one, name) for name in names for one in ("", tag) if one or name]
        told = [self.rules[*key, ""] for key in keys if (*key, "") in self.rules]
        return Look(
            _counting(";".join([*told, style])), self._added(keys, "before"), self._added(keys, "after")
        )

    def _added(self, keys: Sequence[tuple[str, str]], place: str) -> str:
        found = [self.rules[*key, place] for key in keys if (*key, place) in self.rules]
        declared = found[-1].replace("open-quote", '"“"').replace("close-quote", '"”"') if found else ""
        content = _CONTENT.search(declared) if keys[-1][0] != "q" else None  # which has quotes anyway
        return "" if content is None else _ESCAPE.sub(_escaped, content[1] or content[2] or "")


def _unconditional(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors of rules with what they declare, but not of those that count at times only."""
    heads, num_conditions = list[str](), 0
    for text, brace in _PIECE.findall(f"{sheet}}}"):
        if brace == "{":
            heads.append(text.rpartition(";")[2].strip())
            num_conditions += _is_condition(heads[-1])
        elif heads:
            head = heads.pop()
            num_conditions -= _is_condition(head)
            if not num_conditions:
                yield head, text


def _is_condition(head: str) -> bool:
    kind, _, about = head.partition(" ")
    return kind.startswith("@") and not (kind.lower() == "@media" and _FOR_SCREENS.fullmatch(about))


@lru_cache(1000)
def _counting(declared: str) -> str:
    """Return the last value of each property, or the last important one."""
    pairs = (one.partition(":") for one in declared.split(";"))
    found = [(name.strip().lower(), value.strip()) for name, _, value in pairs]
    found.sort(key=lambda one: "!important" in one[1].replace(" ", "").lower())
    return ";".join(f"{name}:{value}" for name, value in {_ALIASES.get(n, n): v for n, v in found}.items())


def _escaped(found: re.Match[str]) -> str:
    if found[1] is None:
        return found[2]
    code = int(found[1], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
