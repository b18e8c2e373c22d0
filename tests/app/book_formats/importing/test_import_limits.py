"""A few of the documents that the proof `hostile-documents` tries, and what happens at a limit."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from quire.book_formats import importer
from quire.book_formats.importer import read_manuscript
from quire.book_formats.importing.import_worker import packed_message, unpacked_message
from quire.book_formats.importing.manuscript_file import MAX_PARAGRAPH
from quire.book_formats.work_progress import Cancelled, WorkProgress
from quire.domain.manuscript.chapter_splitting import MAX_TEXTS
from quire.errors import WriterProblem
from quire.system.resource_limits import ResourceLimits
from quire_engine.api.user_message import UserMessage
from tests.proofs.app.hostile_documents import attempt, docx, judged, nested, odt

on_unix = pytest.mark.skipif(sys.platform == "win32", reason="what it takes is measured with getrusage")
_TABLE = ("<w:tbl><w:tr><w:tc>", "<w:p/></w:tc></w:tr></w:tbl>")
_PARAGRAPH = "<w:p><w:r><w:t>Low water.</w:t></w:r></w:p>"
_YAML = "---\nauthor:\n- &a0 lol\n" + "".join(
    f"- &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9)
)


@pytest.mark.sliced
@on_unix
@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.docx", docx(nested(*_TABLE, 20_000, _PARAGRAPH)), "or as plain text."),
        ("a.md", f"{_YAML}---\n\nText.\n".encode(), "Split it into several files"),
        ("a.txt", b"a\n\n***\n\n" * 3_000_000, "a.txt"),
    ],
)
def test_a_hostile_document_ends_within_the_limits(
    name: str, content: bytes, says: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    found = attempt(tmp_path / name, cpu_s=4)  # a proof gives them the time of a real import
    assert not judged(name, found).wrong
    assert says in found.sentence


_REMARK = "a<office:annotation><text:p>b</text:p></office:annotation>"
_DELETED = "<w:p><w:pPr><w:rPr><w:del w:id='1'/></w:rPr></w:pPr><w:r><w:t>a </w:t></w:r></w:p>"


@pytest.mark.sliced
@on_unix
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("deleted breaks.docx", docx(_DELETED * 5000)),
        ("comments.odt", odt(f"<text:p>{_REMARK * 20_000}</text:p>")),
        ("open remarks.md", b"<p>\n" + b"<!-- " * 100_000),
        ("open sections.md", b"a <![CDATA[" * 50_000),
        ("double bytes.rtf", rb"{\rtf1{\fonttbl{\f0\fcharset128 A;}}\f0 " + rb"\'83\\" * 50_000 + b"}"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_what_comes_many_times_takes_no_longer_each_time(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    assert not attempt(tmp_path / name, cpu_s=4).sentence


def test_a_limit_is_named_with_a_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importer, "LIMITS", ResourceLimits(wall_s=-1.0))
    for name, way in {"a.md": "Split it into several files", "a.docx": "Save it as plain text"}.items():
        (tmp_path / name).write_bytes(b"It rained.")
        with pytest.raises(WriterProblem, match=f"too much time or memory to read. {way}"):
            read_manuscript(tmp_path / name)


def test_more_texts_than_any_book_has_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("# Dawn\n\nIt rained.\n\n" * (MAX_TEXTS + 1))
    with pytest.raises(WriterProblem, match=r"a\.txt has more than 20,000 chapters and scenes"):
        read_manuscript(tmp_path / "a.txt")


def test_a_paragraph_that_no_editor_shows_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("It rained. " * (MAX_PARAGRAPH // 10))
    with pytest.raises(WriterProblem, match=r"a\.txt has a paragraph of more than 3,000,000 characters"):
        read_manuscript(tmp_path / "a.txt")


def test_reading_can_be_stopped(tmp_path: Path) -> None:
    shares = list[float]()
    watch = WorkProgress(shares.append, lambda: len(shares) > 1)
    (tmp_path / "a.md").write_text("word *word* " * 200_000)
    with pytest.raises(Cancelled):
        read_manuscript(tmp_path / "a.md", watch)
    assert len(shares) == 2


def test_a_reader_that_crashes_ends_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "crash.py").write_text(
        f"import os\nos.kill(os.getpid(), {int(signal.SIGABRT)})\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(importer, "_WORKER", "crash")
    (tmp_path / "a.txt").write_text("It rained.")
    with pytest.raises(WriterProblem, match=r"a\.txt can't be read"):
        read_manuscript(tmp_path / "a.txt")


def test_the_messages_of_the_reader_can_still_be_translated(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(b"PK")
    with pytest.raises(WriterProblem) as caught:
        read_manuscript(tmp_path / "a.docx")
    message = caught.value.message
    assert message.template.startswith("{file} can't be read ({kind}): {problem}.")
    assert isinstance(message.arguments["problem"], UserMessage)
    inner = UserMessage("{most:,} files", most=2000)
    outer = unpacked_message(packed_message(UserMessage("{file}: {inner}", file="a", inner=inner)))
    assert (outer, outer.arguments["inner"].template) == ("a: 2,000 files", "{most:,} files")
