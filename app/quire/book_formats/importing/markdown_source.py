"""Prepares Markdown so that Pandoc drops none of its words, and tells front matter from prose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import escape, unescape

from quire.book_formats.importing.html_tags import without_tags
from quire.book_formats.importing.left_out import LeftOut

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_KEY = re.compile(r"""["']?(?P<key>[^\s"':#][^"':]{0,60})["']?[ \t]*:(?=\s|$)(?P<value>.*)""")
_TAKEN = ("title", "author", "authors", "creator")
_KNOWN = frozenset((
    "title", "subtitle", "author", "authors", "creator", "date", "lang", "language", "tags", "tag",
    "category", "categories", "keywords", "description", "abstract", "summary", "publisher", "rights",
    "copyright", "license", "isbn", "uuid", "id", "identifier", "series", "genre", "cover",
    "cover-image", "draft", "status", "layout", "slug", "permalink", "aliases", "created", "modified",
    "updated", "published", "type", "format", "documentclass", "fontsize", "geometry", "toc", "css",
    "header-includes", "output", "bibliography", "csl", "weight", "wordcount", "word_count", "pov",
    "chapter", "part", "synopsis", "label", "compile", "setinfo",
))  # fmt: skip
"""Keys that programs write into front matter; any other may be a character's line of dialogue."""
_LABEL = re.compile(r"\[([^\[\]\n]{1,999})\]")
_DEFINITION = re.compile(
    r"^(?P<before>[ \t>*+\-\d.)]*)\[(?P<label>[^\[\]\n]{1,999})\]:(?![ \t]*(?:#|<>)(?:\s|\Z))", re.MULTILINE
)
"""A line that Markdown takes for the address of a link or for a note; not one that writes comments so."""
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_ADDRESS = re.compile(
    r"\]\([^)\s]*|\]\[[^\]\n]*\]|^[ \t>]*\[[^\]\n]+\]:[ \t]*\S+|\w+://\S+|\bmailto:\S+", re.MULTILINE
)
_NOTE_MARK = re.compile(r"\[\^[^\]\s]+\]:?|^[ \t>*+-]*\d{1,9}[.)]\s", re.MULTILINE)
"""Markers of notes and lists, which are renumbered."""
_SHEET = re.compile(r"<(style|script)\b.*?</\1>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"(?P<indent>[ \t>]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^\n]*)")
_VERSE = re.compile(r"(?:^\|(?: [^\n]*)?(?:\n|\Z)){2,}", re.MULTILINE)
_TABLE_RULE = re.compile(r"^\|[ \t]*:?-+", re.MULTILINE)


def prepared_markdown(text: str) -> str:
    """Return equivalent Markdown of which Pandoc keeps every word."""
    end = text.rfind("]]>") + 3  # behind it, each opening would be looked for in vain to the end
    text = _CDATA.sub(lambda found: escape(found[1], quote=False), text[:end]) + text[end:]
    text = _VERSE.sub(_verse, text)
    text = "\n".join(_with_infos(text.split("\n")))
    return _with_definitions(text)


def without_marks_of_markdown(text: str) -> str:
    """Return the words of Markdown that a reader may miss: without tags, and without addresses."""
    text = _ADDRESS.sub(" ", _NOTE_MARK.sub(" ", _SHEET.sub(" ", text)))
    return unescape(without_tags(text))


def without_front_matter(text: str, left_out: LeftOut) -> tuple[str, str]:
    """Return a text without its front matter, and the lines of it that tell title and author.

    Other lines are left out. What stands where front matter would is text if it names neither of them, and
    little else that programs write there.
    """
    found = _FRONT_MATTER.match(text)
    if found is None:
        return text, ""
    blocks = list(_by_keys(found[1].split("\n")))
    keys = [key for key, _ in blocks]
    is_known = not set(_TAKEN).isdisjoint(keys) or 2 * sum(key in _KNOWN for key in keys) > len(keys)
    if not (is_known and all(keys)):
        inside = found[1].replace("\n", "\\\n") if all(keys) else found[1]
        return f"***\n\n{inside}\n\n***\n\n{text[found.end() :]}", ""
    taken = "\n".join(lines for key, lines in blocks if key in _TAKEN)
    if rest := "\n".join(lines for key, lines in blocks if key not in _TAKEN):
        left_out.add("front matter", rest)
    return text[found.end() :], taken


def _by_keys(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the keys of front matter in small letters, with their lines; empty for a line without one."""
    key, block = "#", list[str]()
    for line in lines:
        is_inner = line[:1] in ("", " ", "\t", "#") or line.startswith("- ")
        named = None if is_inner else _KEY.match(line)
        if named is None and (not is_inner or (key == "#" and line.strip() and line[0] != "#")):
            yield "", line
            continue
        if named is not None:
            if block and key != "#":
                yield key, "\n".join(block)
            key, block = named["key"].strip().lower(), []
        block.append(line)
    if block and key != "#":
        yield key, "\n".join(block)


def _with_infos(lines: list[str]) -> Iterator[str]:
    """Yield lines, those of words behind the mark that opens a block of code before it."""
    fence = ""
    for line in lines:
        found = _FENCE.match(line)
        if fence:
            is_end = found is not None and found["fence"].startswith(fence) and not found["info"].strip()
            fence = "" if is_end else fence
        elif found is not None and not (found["fence"][0] == "`" and "`" in found["info"]):
            fence = found["fence"]
            if len(found["info"].split()) > 1:
                yield f"{found['indent']}{found['info'].strip()}"
                yield found["indent"].rstrip()
                line = f"{found['indent']}{fence}"
        yield line


def _verse(found: re.Match[str]) -> str:
    """Return lines that begin with a bar as lines of one paragraph, unless they are a table."""
    lines = found[0].rstrip("\n").split("\n")
    if _TABLE_RULE.search(found[0]) or any(line.rstrip().endswith("|") and len(line) > 1 for line in lines):
        return found[0]
    verses = "\\\n".join(line[2:].strip() or "&nbsp;" for line in lines)
    return verses + found[0][len(found[0].rstrip("\n")) :]


def _with_definitions(text: str) -> str:
    """Return Markdown in which "[Ship]: Warning." is text, unless a link or a note refers to it."""
    named = Counter(_name(label[1]) for label in _LABEL.finditer(text))
    named.subtract(_name(line["label"]) for line in _DEFINITION.finditer(text))

    def shown(line: re.Match[str]) -> str:
        return line[0] if named[_name(line["label"])] > 0 else rf"{line['before']}\[{line['label']}]:"

    return _DEFINITION.sub(shown, text)


def _name(label: str) -> str:
    return " ".join(label.casefold().split())
