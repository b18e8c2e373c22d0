"""Commands on project files that need no model: new, import, info, text, runs, backup, restore, check."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.chapter_splitting import cut, refuse_too_many
from quire.domain.manuscript.manuscript import cleaned
from quire.errors import WriterProblem
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.closed_projects import (
    ProjectOverview,
    backed_up,
    checked,
    read_project,
    restored,
)
from quire.services.transactions.run_data_export import read_runs, run_facts, write_csv, write_json
from quire.system import text_file
from quire.system.text_file import decoded, read_text
from quire_engine.api.command_parser import whole_number
from quire_engine.api.user_message import UserMessage
from quire_engine.metrics.word_count import count_words

if TYPE_CHECKING:  # needed for imports only
    from quire.book_formats.importing.pandoc_reader import Manuscript

SUFFIX = ".quire"
_LARGE = 2**20
"""Characters from which on a text could take long to split; a third of a novel of 500,000 words."""
_NOT_SOUND = 1
_WIDTH = 100


def add_parsers(commands: Any) -> None:
    """Declare the commands."""
    new = commands.add_parser("new", help="create a project from an opening")
    new.add_argument("file", type=Path, metavar="FILE.quire")
    new.add_argument(
        "--opening", required=True, metavar="TEXTFILE", help="UTF-8 text; - reads standard input"
    )
    new.add_argument("--title", help="default: the file name")

    imported = commands.add_parser(
        "import", help="create a project from a manuscript, split into chapters at its headings"
    )
    imported.add_argument(
        "text",
        metavar="MANUSCRIPT",
        help="text, or a file of another program; - reads UTF-8 from standard input",
    )
    imported.add_argument("file", type=Path, metavar="FILE.quire")
    imported.add_argument("--title", help="default: the manuscript's, or the file name")

    info = commands.add_parser("info", help="show what a project contains")
    info.add_argument("file", type=Path, metavar="FILE.quire")
    info.add_argument("--json", action="store_true", help="print JSON")

    text = commands.add_parser("text", help="print the manuscript as UTF-8")
    text.add_argument("file", type=Path, metavar="FILE.quire")

    runs = commands.add_parser("runs", help="export every step of the runs as CSV or JSON")
    runs.add_argument("file", type=Path, metavar="FILE.quire")
    runs.add_argument("--json", action="store_true", help="one JSON object per run and line, instead of CSV")
    runs.add_argument("--run", type=whole_number(1, 2**63 - 1), metavar="N", help="only this run")

    backup = commands.add_parser("backup", help="make a backup beside the project and check it")
    backup.add_argument("file", type=Path, metavar="FILE.quire")

    restore = commands.add_parser("restore", help="create a new project from the last good backup")
    restore.add_argument("file", type=Path, metavar="FILE.quire")
    restore.add_argument("--backup", type=Path, metavar="BACKUP", help="use this backup instead")
    restore.add_argument(
        "--other-project", action="store_true", help="restore BACKUP even if it is of another project"
    )

    check = commands.add_parser(
        "check", help="say what in a project is sound, what is damaged, and what can be had back"
    )
    check.add_argument("file", type=Path, metavar="FILE.quire")


async def run(options: argparse.Namespace) -> int:
    """Run one of the commands; WriterProblem when it fails."""
    match options.command:
        case "new":
            return await _new(options.file, options.opening, options.title)
        case "import":
            return await _import(options.text, options.file, options.title)
        case "info":
            return _info(options.file, as_json=options.json)
        case "text":
            return _text(options.file)
        case "runs":
            return _runs(options.file, options.run, as_json=options.json)
        case "backup":
            return _backup(options.file)
        case "check":
            return _check(options.file)
        case _:
            return _restore(options.file, options.backup, other_project=options.other_project)


# ---------------------------------------------------------------- new, import
async def _new(path: Path, opening: str, title: str | None) -> int:
    _check_name(path)
    text = cleaned(_read_text(opening, "opening"))
    if not text.strip():
        raise WriterProblem("The opening is empty. Write a few sentences for the draft to continue from.")
    session = await ProjectSession.create(path, cleaned(path.stem if title is None else title), text)
    _tell(session.notices)
    await session.close()
    sys.stderr.write(f"Created {path} with an opening of {count_words(text):,} words.\n")
    return 0


async def _import(source: str, path: Path, title: str | None) -> int:
    _check_name(path)
    manuscript = _manuscript(source)
    text = manuscript.text
    pieces = cut(text)
    refuse_too_many(len(pieces), "Standard input" if source == "-" else Path(source).name)
    name = cleaned((manuscript.title or path.stem) if title is None else title)
    session = await ProjectSession.create_cut(path, name, pieces, manuscript.author, manuscript.comments)
    num_texts = len(session.tree.reading_order())
    _tell(session.notices)
    await session.close()
    at = " at its headings" if any(piece.heading for piece in pieces) else ""
    left_out = ", ".join(f"{thing}: {count:,}" for thing, count in manuscript.left_out)
    if left_out:
        num_left = count_words(manuscript.left_out_text)
        sys.stderr.write(f"Left out, with {num_left:,} words: {left_out}.\n")
    how = "in one piece" if num_texts == 1 else f"split into {num_texts:,} texts{at}"
    sys.stderr.write(f"Created {path} with {count_words(text):,} words, {how}.\n")
    return 0


def _manuscript(source: str) -> Manuscript:
    """Return what is to be imported; a text is taken as it is, Markdown too."""
    from quire.book_formats.importer import SUFFIXES, TEXTS, read_manuscript
    from quire.book_formats.importing.pandoc_reader import Manuscript

    suffix = Path(source).suffix.lower()
    if suffix in SUFFIXES and suffix not in TEXTS:
        return read_manuscript(Path(source)).manuscript
    text = cleaned(_read_text(source, "text", any_encoding=True))
    if not text.strip():
        raise WriterProblem("{path} has no text to import. Choose another file.", path=source)
    if len(text) > _LARGE:
        _try_within_limits(text, "standard input" if source == "-" else Path(source).stem)
    return Manuscript("", "", text)


def _tell(notices: Sequence[UserMessage]) -> None:
    for notice in notices:
        sys.stderr.write(f"{notice}\n")


def _try_within_limits(text: str, name: str) -> None:
    """Split the text in a process with limits first; WriterProblem when it passes them."""
    from quire.book_formats.importer import read_manuscript

    with TemporaryDirectory(prefix="quire-") as folder:
        copy = Path(folder) / f"{name}.txt"
        copy.write_text(text, encoding="utf-8")
        read_manuscript(copy)


def _check_name(path: Path) -> None:
    if path.suffix != SUFFIX:
        raise WriterProblem(
            "A project file is named NAME{suffix}; use {file}{suffix}, for example.",
            suffix=SUFFIX,
            file=path.name,
        )


def _read_text(name: str, what: str, *, any_encoding: bool = False) -> str:
    if name != "-":
        return read_text(Path(name), what, any_encoding=any_encoding)
    try:
        content = sys.stdin.buffer.read(text_file.MAX_BYTES + 1)
    except OSError as error:
        raise WriterProblem(
            "Standard input can't be read ({reason}). Name a text file instead of -.", reason=error.strerror
        ) from error
    return decoded(content, "standard input", what)


# ---------------------------------------------------------------- info, text, runs
def _info(path: Path, *, as_json: bool) -> int:
    overview = read_project(path)
    _tell(overview.notices)
    facts = _facts(overview)
    sys.stdout.write(json.dumps(facts, indent=2) + "\n" if as_json else _table(facts))
    sys.stdout.flush()
    return 0


def _facts(overview: ProjectOverview) -> dict[str, Any]:
    return {
        "file": str(overview.path),
        "title": overview.project.title,
        "created": overview.project.created.isoformat(),
        "language": overview.project.language,
        "words": count_words(overview.text),
        "characters": len(overview.text),
        "schema_version": overview.schema_version,
        "application_id": overview.application_id,
        "texts": [node.title for node in overview.tree.reading_order()],
        "runs": [run_facts(run) for run in overview.runs],
    }


def _table(facts: dict[str, Any]) -> str:
    lines = [
        f"{facts['title']}: {facts['words']:,} words, {facts['characters']:,} characters",
        f"{facts['file']}, created {facts['created']}, format {facts['schema_version']}",
    ]
    if len(facts["texts"]) > 1:
        lines.append(f"{len(facts['texts']):,} texts, from {facts['texts'][0]} to {facts['texts'][-1]}")
    for run in facts["runs"]:
        model = f"{run['model']['name']} in {run['model']['dtype']}" if run["model"] else "no model yet"
        tokens = "" if run["tokens"] is None else f" {run['tokens']:,} tokens,"  # only the server knows them
        lines.append(
            f"run {run['id']}: {run['state']}, {run['words']:,} of {run['goal_words']:,} words,"
            f"{tokens} seed {run['seed']}, {model}"
        )
        if run["error"]:
            lines.append(f"  {run['error']}")
    return "\n".join(lines) + "\n"


def _text(path: Path) -> int:
    overview = read_project(path)
    _tell(overview.notices)
    sys.stdout.buffer.write(overview.text.encode())
    sys.stdout.buffer.flush()
    return 0


def _runs(path: Path, run_id: int | None, *, as_json: bool) -> int:
    runs = read_runs(path, run_id)
    if run_id is not None and not runs:
        raise WriterProblem(
            "{file} has no run {run}. `quire info` lists the runs.", run=run_id, file=path.name
        )
    write = write_json if as_json else write_csv
    write(sys.stdout, runs)
    sys.stdout.flush()
    return 0


# ---------------------------------------------------------------- backup, restore, check
def _backup(path: Path) -> int:
    made = backed_up(path, Reason.ASKED)
    _tell(made.notices)
    if not made.damage:
        sys.stderr.write(f"Backup made and checked: {made.path}\n")
        return 0
    sys.stderr.write(
        f"Backup made: {made.path}\nIt is an exact copy, but parts of the project are damaged:\n"
        + "".join(f"- {what}\n" for what in made.damage)
        + f"`quire check {path}` says what can be had back.\n"
    )
    return _NOT_SOUND


def _restore(path: Path, backup: Path | None, *, other_project: bool) -> int:
    new, made_of = restored(path, backup, other_project=other_project)
    sys.stderr.write(f"Created {new} from {made_of}. {path.name} was not changed.\n")
    return 0


def _check(path: Path) -> int:
    report = checked(path)
    lines = [f"{path.name} is {'damaged' if report.findings else 'sound'}."]
    if report.findings:
        lines += ["", "Damaged:"]
        for finding in report.findings:
            lines.append(f"- {finding.what}")
            lines += [f"    {way}" for way in finding.ways]
    if report.sound:
        lines += ["", "Sound:", *(f"- {what}" for what in report.sound)]
    lines += [line for note in report.notes for line in ("", str(note))]
    lines += ["", str(report.about_backups)]
    output = [line for whole in lines for line in _wrapped(whole)]
    if report.good_backup is not None:
        output.append(f"  {report.good_backup}")  # whole, to be copied
    if report.findings and report.good_backup is not None:
        output += _wrapped("`quire restore` makes a new project from it. Your file stays as it is.")
    sys.stdout.write("".join(f"{line}\n" for line in output))
    sys.stdout.flush()
    return _NOT_SOUND if report.findings else 0


def _wrapped(line: str) -> list[str]:
    """Return a line in the width of the terminal, with what follows indented; paths stay whole."""
    width = min(shutil.get_terminal_size((_WIDTH, 24)).columns, _WIDTH)
    indent = " " * (len(line) - len(line.lstrip(" -")))
    return textwrap.wrap(
        line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ) or [""]
