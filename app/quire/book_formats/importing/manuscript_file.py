"""Reads a manuscript of another program; called where limits of time and memory hold."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from email import message_from_bytes
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

from quire.book_formats import pandoc
from quire.book_formats.importing import pandoc_reader, safe_archive
from quire.book_formats.importing.epub_reader import epub_manuscript
from quire.book_formats.importing.left_out import LeftOut
from quire.book_formats.importing.markdown_source import (
    prepared_markdown,
    without_front_matter,
    without_marks_of_markdown,
)  # fmt: skip
from quire.book_formats.importing.pandoc_reader import Manuscript, manuscript_of_blocks
from quire.book_formats.importing.plain_opendocument import plain_opendocument
from quire.book_formats.importing.plain_word import plain_word
from quire.book_formats.importing.rich_text_reader import rich_text_manuscript
from quire.book_formats.importing.xhtml_reader import XhtmlReader, declared_encoding
from quire.book_formats.paragraphs import fit, parsed, plain
from quire.book_formats.work_progress import WorkProgress
from quire.domain.manuscript.comments import anchored
from quire.domain.manuscript.headings import all_headings
from quire.domain.manuscript.manuscript import cleaned
from quire.errors import WriterProblem
from quire.system.resource_limits import ResourceLimits, sharing_cpu_time
from quire.system.text_file import MAX_BYTES, in_encoding, text_and_encoding
from quire_engine.api.user_message import UserMessage

HEAP_MIB = 448
"""Pandoc's own limit, below the system's, so that it tidies its memory before it asks for more."""
MAX_PARAGRAPH = 3_000_000
"""Characters; the longest sentence of a published novel has about 2,300,000, and paragraphs are not cut."""
_MARKDOWN = (".md", ".markdown")
_PAGES = (".html", ".htm", ".xhtml")
_RICH_TEXT = ".rtf"
_MAIL = (".mht", ".mhtml")
_PAGE_TITLE = re.compile(r"<title[^<>]*>([^<>]*)</title>", re.IGNORECASE)
_PLAIN_MARKDOWN = "commonmark+footnotes+pipe_tables+strikeout"
_LENGTH = re.compile(r"About [\d,]+ words")
_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
_MAX_NAME = 300
_NOT_IN_NAMES = r"\n\d,;:!?…\u2013\u2014\"\u2018\u201a-\u201f«»\u2039\u203a"
_BY = re.compile(rf"(?:by|von)\s+(?P<author>[^{_NOT_IN_NAMES}]{{1,80}}[^\s.{_NOT_IN_NAMES}])", re.IGNORECASE)
_MAX_NAMES = 5
_FRONT, _LONGEST_FRONT, _MOST_LINES, _MOST_NAMES_WORDS = 4_000, 600, 12, 9
"""Characters in which the first heading is looked for; characters and lines of a title page, words of one."""
_IN_NAMES = re.compile(
    "de|del|della|der|den|di|da|do|dos|du|la|le|las|los|van|von|vom|zu|zum|ten|ter|af|av|al|el|bin|ibn|y|e"
    "|and|und|&"
)
"""Words within the names of authors that do not begin with a capital."""
_FIRST_LEVEL = re.compile(r"^# ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of archive. called: the word for it; member: one that it must hold; mimetype: what it says."""

    called: UserMessage
    member: str
    mimetypes: tuple[str, ...]


_KINDS = {
    ".docx": _Kind(UserMessage("Word document"), "[Content_Types].xml", ("",)),
    ".odt": _Kind(
        UserMessage("OpenDocument text"), "content.xml", ("application/vnd.oasis.opendocument.text",)
    ),
    ".epub": _Kind(UserMessage("EPUB book"), "META-INF/container.xml", ("application/epub+zip", "")),
}


class TooMuch(Exception):
    """The manuscript takes more time or memory than there is for it."""


def manuscript_in(path: Path, limits: ResourceLimits, encoding: str = "") -> Manuscript:
    """Return the manuscript in a file.

    WriterProblem when it cannot be read; TooMuch when a limit was passed.

    Args:
        encoding: that of a text file, where the writer chose it.
    """
    suffix = path.suffix.lower()
    manuscript = _read(_content(path), path, limits, encoding)
    if suffix != ".epub":
        manuscript = _titled(manuscript, is_plain=suffix not in (*_PAGES, *_MARKDOWN, *_KINDS))
    if not manuscript.text.strip():
        raise WriterProblem("There is no text in {file}. Choose another file.", file=path.name)
    if max(map(len, manuscript.text.split("\n"))) > MAX_PARAGRAPH:
        raise WriterProblem(
            "{file} has a paragraph of more than {most:,} characters. Break it into several and try again.",
            file=path.name,
            most=MAX_PARAGRAPH,
        )
    return manuscript


def _read(
    content: bytes, path: Path, limits: ResourceLimits, encoding: str, *, is_within: bool = False
) -> Manuscript:
    suffix = path.suffix.lower()
    if suffix in _KINDS:
        return _from_archive(content, path, suffix, limits, is_within=is_within)
    if suffix == _RICH_TEXT:
        try:
            return rich_text_manuscript(content)
        except ValueError as problem:
            raise _unreadable(path) from problem
    if suffix in _MAIL:
        content, path = _page_in_mail(content), path.with_suffix(".html")
    text, encoding = _text(content, path, encoding)
    return replace(_from_text(text, path, limits), encoding=encoding)


def _page_in_mail(content: bytes) -> bytes:
    """Return the web page in a file as mail has it, which programs put into Word files."""
    for part in message_from_bytes(content).walk():
        if part.get_content_type() in ("text/html", "text/plain"):
            page = part.get_payload(decode=True)
            return page if isinstance(page, bytes) else b""
    return b""


def _from_text(text: str, path: Path, limits: ResourceLimits) -> Manuscript:
    suffix = path.suffix.lower()
    if suffix in _PAGES:
        return _from_page(text)
    text = cleaned(text.replace("\f", "\n\n"))
    return _from_markdown(text, path, limits) if suffix in _MARKDOWN else Manuscript("", "", text)


def _text(content: bytes, path: Path, encoding: str) -> tuple[str, str]:
    """Return the text of a file, and its encoding: the one that was chosen, or else the one that fits."""
    if encoding:
        if (text := in_encoding(content, encoding)) is None:
            raise WriterProblem("{file} can't be read in this encoding. Choose another one.", file=path.name)
        return text, encoding
    try:
        is_page = path.suffix.lower() in _PAGES
        return text_and_encoding(content, declared_encoding(content) if is_page else "")
    except ValueError as problem:
        raise WriterProblem(
            "{file} is in no encoding that Quire knows. Save it as UTF-8 and try again.", file=path.name
        ) from problem


def _from_page(page: str) -> Manuscript:
    reader = XhtmlReader()
    reader.read_page(page)
    reader.end()
    title = _PAGE_TITLE.search(page)
    return manuscript_of_blocks(reader.blocks, reader.left_out, unescape(title[1]) if title else "", "")


def _from_markdown(text: str, path: Path, limits: ResourceLimits) -> Manuscript:
    """Return the manuscript in Markdown; what stands where its front matter would is text if it is none."""
    left_out = LeftOut()
    text, about = without_front_matter(text, left_out)
    told = ("", "")
    if about:
        keys = re.findall(r"^[^\W\d_]+(?=[\"'\t ]*:)", about, re.MULTILINE)
        front = f"---\n{about}\n---\n".encode()
        try:
            read = _by_pandoc(_PLAIN_MARKDOWN + "+yaml_metadata_block", front, path, limits)
            told = (read.title, read.author)
            if ("title" in keys and not read.title) or (len(keys) > ("title" in keys) and not read.author):
                left_out.add("front matter", about)  # written as data of another form
        except WriterProblem:  # no YAML
            left_out.add("front matter", about)
    text = prepared_markdown(text)
    left_out.source = without_marks_of_markdown(text)
    read = _by_pandoc(_PLAIN_MARKDOWN, text.encode(), path, limits, left_out=left_out)
    return replace(read, title=told[0], author=told[1])


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise WriterProblem("The file {path} doesn't exist. Check the name.", path=path) from None
    except OSError as error:
        raise WriterProblem(
            "{file} can't be read ({reason}). Choose another file.", file=path.name, reason=error.strerror
        ) from error
    if len(content) > MAX_BYTES:
        raise WriterProblem(
            "{file} is larger than 64 MiB. Split the book into several files and import them one by one.",
            file=path.name,
        )
    return content


def _from_archive(
    content: bytes, path: Path, suffix: str, limits: ResourceLimits, *, is_within: bool
) -> Manuscript:
    kind = _KINDS[suffix]
    try:
        archive = safe_archive.opened(content)
    except safe_archive.BadArchive as problem:
        raise WriterProblem(
            "{file} can't be read ({kind}): {problem}. Save it again in the program that made it.",
            file=path.name,
            kind=kind.called,
            problem=problem,
        ) from problem
    if kind.member not in archive.names or archive.kind not in kind.mimetypes:
        raise WriterProblem(
            "{file} is not a valid file of the type “{kind}”. Choose another file.",
            file=path.name,
            kind=kind.called,
        )
    if suffix == ".epub":
        return _from_epub(archive.content, path)
    left_out, changes = LeftOut(), tuple[str, ...]()
    try:
        if suffix == ".docx":
            # comments come along with tracked changes alone, and these were accepted
            changes = ("--track-changes=all",)
            rewritten, within = plain_word(archive.content, left_out)
            for line, (name, chunk) in within.items():
                _insert(line, name, chunk if not is_within else b"", left_out, limits)  # one deep is enough
        else:
            rewritten = plain_opendocument(archive.content, left_out)
    except (ValueError, RecursionError) as problem:
        raise _unreadable(path) from problem
    read = _by_pandoc(suffix[1:], rewritten, path, limits, *changes, left_out=left_out)
    if is_within:
        return replace(read, text="\n\n".join(filter(None, (read.title, read.author, read.text))))
    title, author = _told_about(archive.about)
    read = replace(read, title=read.title or title, author=read.author or author)
    return _without_title_page(read)


def _insert(line: str, name: str, content: bytes, left_out: LeftOut, limits: ResourceLimits) -> None:
    """Read a file within a Word file, whose text comes where a line stands for it; or else count it."""
    path = Path(name)
    try:
        read = _read(content, path, limits, "", is_within=True)
    except WriterProblem:
        left_out.add("missing page")
        left_out.inserted[line] = ""
        return
    left_out.inserted[line] = read.text
    left_out.counts.update(dict(read.left_out))
    left_out.texts += [read.left_out_text] if read.left_out_text else []


def _from_epub(content: bytes, path: Path) -> Manuscript:
    try:
        read = epub_manuscript(content)
    except ValueError as problem:
        raise _unreadable(path) from problem
    return replace(read, title=read.title[:_MAX_NAME], author=read.author[:_MAX_NAME])


def _by_pandoc(
    reader: str,
    content: bytes,
    path: Path,
    limits: ResourceLimits,
    *more: str,
    left_out: LeftOut | None = None,
) -> Manuscript:
    arguments = ["-f", reader, "-t", "json", *more]
    try:
        with sharing_cpu_time(limits):
            tree = pandoc.converted(
                arguments, content, WorkProgress(), limit_s=limits.wall_s, heap_mib=HEAP_MIB
            )
        return pandoc_reader.manuscript_of(tree, left_out)
    except pandoc.PandocTooLong as problem:
        raise TooMuch from problem
    except (pandoc.PandocFailed, ValueError) as problem:
        raise _unreadable(path) from problem


def _unreadable(path: Path) -> WriterProblem:
    return WriterProblem(
        "{file} can't be read. Save it again in the program that made it, or as plain text.", file=path.name
    )


def _told_about(about: bytes) -> tuple[str, str]:
    """Return the title and the author in a file's metadata."""
    if not about:
        return "", ""
    try:
        root = ElementTree.fromstring(about)
    except (ElementTree.ParseError, ValueError):
        return "", ""
    found = (root.find(f".//{_DUBLIN_CORE}{name}") for name in ("title", "creator"))
    title, author = (" ".join(fit("" if one is None else one.text or "").split()) for one in found)
    return title[:_MAX_NAME], author[:_MAX_NAME]


def _titled(manuscript: Manuscript, *, is_plain: bool) -> Manuscript:
    """Take title and author from a title page: the few words before the first heading.

    Without a line "by X" the only heading of the first level may be the title of the only part, or of the
    only chapter. Other words, such as a subtitle or a dedication, stay where they are.

    Args:
        is_plain: the file has no form; where it has one, lines without "by X" are the text of a chapter.
    """
    text = manuscript.text
    headings = all_headings(text[:_FRONT])
    first = next((one for one in headings if not text.startswith("# ", one.start) or one.start), None)
    front = text[: 0 if first is None else first.start]
    lines = list(re.finditer(r"\S[^\n]*", front))
    if not 0 < len(lines) <= _MOST_LINES or len(front) > _LONGEST_FRONT:
        return manuscript
    words = [plain(parsed(line[0].removeprefix("# "))).strip() for line in lines]
    is_named = manuscript.title == words[0]
    is_plain = is_plain or is_named
    if manuscript.title and not is_named:
        return manuscript
    by = next((n for n, line in enumerate(words) if n and _author_in(line)), 0)
    if not by and (
        not is_plain
        or (lines[0][0].startswith("# ") and not is_named)
        or not all(map(_is_on_title_page, words))
    ):
        return manuscript
    if lines[0][0].startswith("# ") and not is_named and _FIRST_LEVEL.search(text, lines[0].end()):
        return manuscript
    author = _author_in(words[by]) if by else ""
    if not by and len([line for line in words if not _LENGTH.fullmatch(line)]) == 2 and _is_name(words[1]):
        by, author = 1, words[1]
    stays = front[lines[0].end() :]
    if by:
        stays = front[lines[0].end() : lines[by].start()].rstrip() + front[lines[by].end() :]
    kept = re.sub(rf"\A{_LENGTH.pattern}\n", "", stays.lstrip()).lstrip() + text[len(front) :]
    gone = len(text) - len(kept)
    comments = tuple(
        replace(one, start=max(one.start - gone, 0), end=max(one.end - gone, 0))
        for one in manuscript.comments
    )
    title = words[0][:_MAX_NAME]
    return replace(manuscript, title=title, author=manuscript.author or author, text=kept, comments=comments)


def _is_on_title_page(line: str) -> bool:
    """Return whether a line is no sentence."""
    return len(line.split()) <= _MOST_NAMES_WORDS and line[-1] not in ".!?…,;:”\"’'"


def _is_name(line: str) -> bool:
    names = line.split()
    return 2 <= len(names) <= _MAX_NAMES and not line.isupper() and all(map(_may_be_in_name, names))


def _author_in(line: str) -> str:
    """Return the author in a line "by X"; empty for a sentence that begins so."""
    found = _BY.fullmatch(line)
    names = [] if found is None else found["author"].split()
    is_name = names[-1:] != [] and len(names) <= _MAX_NAMES and not _IN_NAMES.fullmatch(names[-1])
    if found is None or not is_name or not all(map(_may_be_in_name, names)):
        return ""
    return found["author"]


def _may_be_in_name(word: str) -> bool:
    is_capital = word[0].isalpha() and not word[0].islower()
    return is_capital or bool(_IN_NAMES.fullmatch(word)) or word[:2] in ("d'", "d’", "l'", "l’")


def _without_title_page(manuscript: Manuscript) -> Manuscript:
    """Leave out the first paragraphs while they are only title, author and length.

    Comments on them are on the first word.
    """
    said = {name for name in (manuscript.title, manuscript.author) if name}
    text = manuscript.text
    while text:
        first, _, rest = text.partition("\n\n")
        if plain(parsed(first)) not in said and not _LENGTH.fullmatch(first):
            break
        text = rest
    gone, least = len(manuscript.text) - len(text), len(text.partition("\n")[0].split(" ")[0])
    comments = (
        anchored(one, text, max(one.start - gone, 0), max(one.end - gone, least)) if gone else one
        for one in manuscript.comments
    )
    return replace(manuscript, text=text, comments=tuple(comments))
