"""Mirrors the texts of a project to a folder of plain files, suitable for git: written, never read.

Plain functions for other threads. Files that were not written by Quire, or changed since, are left alone.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from quire.domain.manuscript.tree import Node, NodeKind
from quire.errors import WriterProblem
from quire.services.transactions.book_texts import texts_now
from quire.storage.project_file import ProjectFile
from quire_engine.api.atomic_file import PART_NAME, replace_file
from quire_engine.api.user_message import UserMessage

SETTING = "text files"
"""The setting that says whether the files are kept up to date."""
MANIFEST = ".quire-files.json"
_NOTES = "notes"
_VERSION = 1
_MAX_MANIFEST = 4 << 20
_MAX_NAME_BYTES = 120
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+')
_DIGEST = re.compile("[0-9a-f]{64}")
_NOTE_KINDS = (NodeKind.NOTE, NodeKind.CHARACTER, NodeKind.PLACE)


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file to write; `path` is relative to the folder, with slashes."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Texts:
    """Every text of a project as files; `revision` grows with every change of the project."""

    revision: int
    files: tuple[TextFile, ...]


@dataclass(frozen=True, slots=True)
class Mirrored:
    """The result of writing; `kept` are files in the way that were changed by others and left alone."""

    num_files: int
    num_written: int
    num_removed: int
    kept: tuple[str, ...] = ()


def folder_of(project: Path) -> Path:
    """Return the folder of a project's mirror."""
    return project.with_name(f"{project.stem} (text)")


def is_kept(file: ProjectFile) -> bool:
    """Return whether the mirror of a project is on."""
    with file.reading() as unit:
        return unit.records.setting(SETTING) is True


def set_kept(file: ProjectFile, *, kept: bool) -> None:
    """Store whether the mirror is on."""
    with file.unit() as unit:
        unit.records.save_setting(SETTING, True if kept else None)
        unit.commit()


def read_texts(file: ProjectFile) -> Texts:
    """Return the book in reading order, and its notes, without the trash."""
    with file.reading() as unit:
        tree = unit.manuscript.tree()
        notes = [node for node in tree.children(None) if node.kind in _NOTE_KINDS and node.trashed is None]
        read = tree.reading_order()
        documents = texts_now(unit, [node.node_id for node in (*read, *notes)])
        files = list[TextFile]()
        for folder, nodes in (("", read), (f"{_NOTES}/", notes)):
            for name, node in zip(_names(nodes), nodes, strict=True):
                files.append(TextFile(folder + name, _content(documents[node.node_id].text)))
        return Texts(unit.manuscript.revision(), tuple(files))


def write_files(folder: Path, files: Sequence[TextFile]) -> Mirrored:
    """Make the folder hold these files; unchanged files are not touched.

    A file that Quire wrote and that is no longer needed is removed, unless it was changed since.
    WriterProblem when the folder cannot be written to; then it may hold some of the new files.
    """
    try:
        return _write_files(folder, files)
    except OSError as error:
        reason = error.strerror or UserMessage("disk error")
        raise WriterProblem(
            "The text files could not be saved in {folder} ({reason}). Your project is saved as "
            "usual. Free some space or allow writing there, then choose Write Text Files Now.",
            folder=folder,
            reason=reason,
        ) from error


def _write_files(folder: Path, files: Sequence[TextFile]) -> Mirrored:
    folder.mkdir(exist_ok=True)
    _refuse_links(folder)
    known = _read_manifest(folder)
    kept, wanted = list[str](), dict[str, bytes]()
    for file in files:
        path = _free(folder, file, known, wanted)
        if path != file.path:
            kept.append(file.path)
        wanted[path] = file.content
    digests = {path: digest_of(content) for path, content in wanted.items()}
    changed = [path for path in wanted if _digest_at(folder / path) != digests[path]]
    gone = [path for path in known if path not in wanted]
    if changed or gone or any(known.get(path) != (digest,) for path, digest in digests.items()):
        # both the old and the new files: after a crash neither counts as foreign
        both = {path: (*known.get(path, ()), digests[path]) for path in wanted}
        _write_manifest(folder, {path: known[path] for path in gone} | both)
        for path in changed:
            (folder / path).parent.mkdir(exist_ok=True)
            replace_file(folder / path, wanted[path])
        removed = [path for path in gone if _remove(folder / path, known[path])]
        _write_manifest(folder, {path: (digest,) for path, digest in digests.items()})
    else:
        removed = []
    _tidy(folder)
    return Mirrored(len(wanted), len(changed), len(removed), tuple(kept))


def digest_of(content: bytes) -> str:
    """Return a digest of a file's content that ignores line ends, which git may change."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()


# ---------------------------------------------------------------- names
def _names(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield names that sort in reading order and that every system accepts."""
    digits = max(2, len(str(len(nodes))))
    for number, node in enumerate(nodes, start=1):
        stem = _safe(node.title)
        yield f"{number:0{digits}} {stem}.md" if stem else f"{number:0{digits}}.md"


def _safe(title: str) -> str:
    name = unicodedata.normalize("NFC", _NOT_IN_NAMES.sub(" ", title))
    name = " ".join(name.split()).encode()[:_MAX_NAME_BYTES].decode(errors="ignore")
    return name.strip(" .")


def _content(text: str) -> bytes:
    return f"{text}\n".encode() if text and not text.endswith("\n") else text.encode()


def _free(
    folder: Path, file: TextFile, known: Mapping[str, tuple[str, ...]], taken: Mapping[str, bytes]
) -> str:
    """Return where a file can be put without touching a foreign one."""
    stem, digest = file.path.removesuffix(".md"), digest_of(file.content)
    number = 1
    while True:
        path = file.path if number == 1 else f"{stem} ({number}).md"
        there = _digest_at(folder / path)
        if path not in taken and (there in ("", digest) or there in known.get(path, ())):
            return path
        number += 1


# ---------------------------------------------------------------- the folder
def _refuse_links(folder: Path) -> None:
    for inner in (folder / _NOTES, folder / MANIFEST):
        if inner.is_symlink():
            raise WriterProblem(
                "{inner} is a link to another place, so nothing was written. Remove it, then write "
                "the text files again.",
                inner=inner,
            )
    if (folder / _NOTES).exists() and not (folder / _NOTES).is_dir():
        raise WriterProblem(
            "{folder} should be a folder but is a file. Move the file elsewhere.", folder=folder / _NOTES
        )


def _digest_at(path: Path) -> str:
    """Return the digest of a file; empty where there is none, and no valid digest for anything but a plain
    file.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        return "not a file"
    try:
        return digest_of(path.read_bytes())
    except FileNotFoundError:
        return ""


def _remove(path: Path, known: Sequence[str]) -> bool:
    """Remove a file if it is as Quire wrote it; return whether it was."""
    if _digest_at(path) not in known:
        return False
    path.unlink()
    with suppress(OSError):  # foreign files may be left in it
        if path.parent.name == _NOTES:
            path.parent.rmdir()
    return True


def _tidy(folder: Path) -> None:
    """Remove the half-written files of a crash."""
    for inner in (folder, folder / _NOTES):
        for path in inner.iterdir() if inner.is_dir() else ():
            if PART_NAME.fullmatch(path.name):
                path.unlink(missing_ok=True)


# ---------------------------------------------------------------- what Quire wrote
def _read_manifest(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the digest of each file as Quire wrote it; an unreadable manifest is empty."""
    path = folder / MANIFEST
    try:
        if path.stat().st_size > _MAX_MANIFEST:
            return {}
        values = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        return {}
    files = values.get("files") if isinstance(values, dict) else None
    if not isinstance(files, dict):
        return {}
    return {
        name: tuple(digest for digest in digests if isinstance(digest, str) and _DIGEST.fullmatch(digest))
        for name, digests in files.items()
        if isinstance(digests, list) and _is_ours(name)
    }


def _is_ours(name: str) -> bool:
    """Return whether Quire may have written a path: a text in the folder, or among the notes."""
    path = PurePosixPath(name)
    is_inside = len(path.parts) == 1 or (len(path.parts) == 2 and path.parts[0] == _NOTES)
    plain = not _NOT_IN_NAMES.search(path.name) and path.name[:1].isdecimal()
    return str(path) == name and is_inside and plain and name.endswith(".md")


def _write_manifest(folder: Path, files: Mapping[str, Sequence[str]]) -> None:
    listed = {path: list(dict.fromkeys(files[path])) for path in sorted(files)}
    written = {"about": "What Quire wrote here, so that it never touches anything else.", "version": _VERSION}
    content = json.dumps(written | {"files": listed}, ensure_ascii=False, indent=1) + "\n"
    replace_file(folder / MANIFEST, content.encode())
