"""Reads a manuscript of another program, and previews its import."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from xml.etree import ElementTree

from quire.book_formats import pandoc, pandoc_reader, safe_archive
from quire.book_formats.pandoc_reader import Manuscript
from quire.book_formats.paragraphs import MarkupSpan, fit, marked
from quire.book_formats.work_progress import WorkProgress
from quire.domain.manuscript.chapter_splitting import TextSection, cut
from quire.domain.manuscript.manuscript import cleaned
from quire.domain.manuscript.tree import NodeKind
from quire.errors import WriterProblem
from quire.system.text_file import MAX_BYTES, decoded
from quire_engine.api.user_message import UserMessage
from quire_engine.metrics.word_count import count_words

LIMIT_S = 120.0
"""How long Pandoc may take; a novel takes seconds."""
SUFFIXES = (".txt", ".md", ".markdown", ".docx", ".odt", ".epub")
_MARKDOWN = (".md", ".markdown")
_PLAIN_MARKDOWN = "commonmark+yaml_metadata_block+footnotes+pipe_tables+strikeout"
_LENGTH = re.compile(r"About [\d,]+ words")
_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
_MAX_NAME = 300


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
    ".epub": _Kind(UserMessage("EPUB book"), "META-INF/container.xml", ("application/epub+zip",)),
}


class Division(Enum):
    """How a manuscript is divided. WHOLE: not at all, unless it is too long for one document."""

    CHAPTERS = "chapters"
    SCENES = "scenes"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class PreviewPiece:
    """A document of the preview."""

    kind: NodeKind
    title: str
    num_words: int


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """A manuscript as it was read, before it is imported; `previews` has one for each division."""

    path: Path
    manuscript: Manuscript
    previews: tuple[tuple[Division, tuple[PreviewPiece, ...]], ...] = ()

    @property
    def title(self) -> str:
        """Its own title, or else its file's name."""
        return self.manuscript.title or self.path.stem

    def pieces(self, division: Division = Division.CHAPTERS) -> tuple[PreviewPiece, ...]:
        """Return the documents of the import, in order."""
        return dict(self.previews)[division]


@dataclass(frozen=True, slots=True)
class ImportDecision:
    """The writer's choices for an import."""

    plan: ImportPlan
    division: Division
    title: str
    author: str


def divided(text: str, division: Division) -> tuple[TextSection, ...]:
    """Return the sections of a manuscript, as they would be stored."""
    return cut(text, chapters=division is not Division.WHOLE, scenes=division is Division.SCENES)


def read_manuscript(path: Path, watch: WorkProgress | None = None) -> ImportPlan:
    """Return the manuscript in a file; nothing of it is stored anywhere.

    WriterProblem when it cannot be read; Cancelled when the writer stopped it.
    """
    watch = watch or WorkProgress()
    suffix = path.suffix.lower()
    content = _content(path)
    watch.step(0.05)
    if suffix in _KINDS:
        manuscript = _from_archive(content, path, suffix, watch)
    elif suffix in _MARKDOWN:
        manuscript = _from_markdown(content, path, watch)
    else:
        manuscript = Manuscript("", "", cleaned(decoded(content, path.name, "text")))
    if not manuscript.text.strip():
        raise WriterProblem("There is no text in {file}. Choose another file.", file=path.name)
    watch.step(0.9)
    previews = tuple((division, _preview(manuscript.text, division)) for division in Division)
    watch.step(1.0)
    return ImportPlan(path, manuscript, previews)


def _preview(text: str, division: Division) -> tuple[PreviewPiece, ...]:
    pieces = divided(text, division)
    return tuple(PreviewPiece(one.kind, one.title, count_words(one.body)) for one in pieces)


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


def _from_archive(content: bytes, path: Path, suffix: str, watch: WorkProgress) -> Manuscript:
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
    read = _by_pandoc(suffix[1:], archive.content, path, watch.part(0.1, 0.9))
    title, author = _told_about(archive.about)
    read = replace(read, title=read.title or title, author=read.author or author)
    return replace(read, text=_without_title_page(read)) if suffix == ".odt" else read


def _from_markdown(content: bytes, path: Path, watch: WorkProgress) -> Manuscript:
    text = cleaned(decoded(content, path.name, "text"))
    return _by_pandoc(_PLAIN_MARKDOWN, text.encode(), path, watch.part(0.1, 0.9))


def _by_pandoc(reader: str, content: bytes, path: Path, watch: WorkProgress) -> Manuscript:
    try:
        tree = pandoc.converted(["-f", reader, "-t", "json"], content, watch, limit_s=LIMIT_S)
        return pandoc_reader.manuscript_of(tree)
    except pandoc.PandocTooLong as problem:
        raise WriterProblem(
            "{file} takes too much time or memory to read. Save it as plain text and import that.",
            file=path.name,
        ) from problem
    except (pandoc.PandocFailed, ValueError) as problem:
        raise WriterProblem(
            "{file} can't be read. Save it again in the program that made it, or as plain text.",
            file=path.name,
        ) from problem


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


def _without_title_page(manuscript: Manuscript) -> str:
    """Leave out the first paragraphs while they are only title, author and length."""
    said = {marked((MarkupSpan(name),)) for name in (manuscript.title, manuscript.author) if name}
    text = manuscript.text
    while text:
        first, _, rest = text.partition("\n\n")
        if first not in said and not _LENGTH.fullmatch(first):
            break
        text = rest
    return text
