"""Documents made to hold a machine for long, or to take all its memory, and what an import does with them."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.proofs.app.outcome import CheckResult

CPU_LIMIT_S = 10
AFTER_LIMIT_S = 3.0
"""Within so much time of passing a limit there has to be a sentence."""
MEMORY_LIMIT_MB = 512
_PROGRAM_MB = 150
"""What a process has in memory of its program file, which is not allocated and can be dropped at any time."""
_WALL_S = 240
_A_TURN = 8
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_ODT = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "table", "style")
)
_ITEM = '<itemref idref="a"/>'
_P = "<w:p><w:r><w:t>Low water.</w:t></w:r></w:p>"


@dataclass(frozen=True, slots=True)
class ImportAttempt:
    """What reading a document came to. cpu_s and peak_mb: of all processes, and of the largest."""

    sentence: str
    cpu_s: float
    peak_mb: float
    wall_s: float


def packed(members: Mapping[str, str | bytes]) -> bytes:
    """Return an archive, not compressed, as one that unpacks to far more is refused at once."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def compressed(content: bytes) -> bytes:
    """Return an archive as small as it can be."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as given,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made,
    ):
        for name in given.namelist():
            made.writestr(name, given.read(name))
    return stream.getvalue()


def nested(opening: str, closing: str, times: int, inside: str = "") -> str:
    """Return something within itself."""
    return opening * times + inside + closing * times


def docx(body: str | bytes, **parts: str) -> bytes:
    """Return a Word document; parts: further files of its folder, by what they are called."""
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    wrapped = body if isinstance(body, bytes) else f"<w:document {_W}><w:body>{body}</w:body></w:document>"
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{kind}.{name}+xml"/>' for name in parts
    )
    relations = "".join(
        f'<Relationship Id="r{name}" Type="{_RELATIONS}/{name}" Target="{name}.xml"/>' for name in parts
    )
    package = "http://schemas.openxmlformats.org/package/2006"
    return packed(
        {
            "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="xml"'
            f' ContentType="{kind}.document.main+xml"/>{overrides}</Types>',
            "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1"'
            f' Type="{_RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>',
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{package}/relationships">'
            f"{relations}</Relationships>",
            "word/document.xml": wrapped,
            **{f"word/{name}.xml": part for name, part in parts.items()},
        }
    )


def odt(body: str, styles: str = "") -> bytes:
    """Return an OpenDocument text."""
    return packed(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f'<office:document-content {_ODT} office:version="1.3"><office:automatic-styles>'
            f"{styles}</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>",
            "styles.xml": f"<office:document-styles {_ODT}/>",
        }
    )


def epub(page: str | bytes, spine: int = 1, href: str = "a.xhtml") -> bytes:
    """Return an EPUB whose spine names one page as often as is said."""
    opf = "http://www.idpf.org/2007/opf"
    return packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
            '<rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
            "b.opf": f'<package xmlns="{opf}"><metadata/><manifest><item id="a" href="{href}" '
            f'media-type="application/xhtml+xml"/></manifest><spine>{_ITEM * spine}</spine>'
            "</package>",
            "a.xhtml": page,
        }
    )


def _yaml_aliases() -> str:
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    return "\n".join(["---", "a0: &a0 lol", *levels, "---", "", "Text."])


def _style_chain(length: int) -> str:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="s{n}"><w:name w:val="s{n}"/>'
        f'<w:basedOn w:val="s{(n + 1) % length}"/></w:style>'
        for n in range(length)
    )
    return f"<w:styles {_W}>{styles}</w:styles>"


def _notes(note: str) -> str:
    return f'<w:footnotes {_W}><w:footnote w:id="2">{note}</w:footnote></w:footnotes>'


_REFERENCE = '<w:r><w:footnoteReference w:id="2"/></w:r>'
_TABLE = ("<w:tbl><w:tr><w:tc>", "<w:p/></w:tc></w:tr></w:tbl>")
_LIST = ("<text:list><text:list-item>", "</text:list-item></text:list>")
DOCUMENTS: dict[str, Callable[[], bytes | str]] = {
    "nested tables.docx": lambda: docx(nested(*_TABLE, 20_000, _P)),
    "nested controls.docx": lambda: docx(
        nested("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>", 100_000, _P)
    ),
    "nested insertions.docx": lambda: docx(
        f"<w:p>{nested('<w:ins>', '</w:ins>', 200_000, '<w:r><w:t>a</w:t></w:r>')}</w:p>"
    ),
    "nested fields.docx": lambda: docx(
        "<w:p>" + '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' * 300_000 + f"</w:p>{_P}"
    ),
    "empty paragraphs.docx": lambda: docx("<w:p/>" * 1_000_000 + _P),
    "short runs.docx": lambda: docx(f"<w:p>{'<w:r><w:rPr><w:i/></w:rPr><w:t>a</w:t></w:r>' * 500_000}</w:p>"),
    "one long text.docx": lambda: docx(f"<w:p><w:r><w:t>{'ab ' * 10_000_000}</w:t></w:r></w:p>"),
    "one long attribute.docx": lambda: docx(f'<w:p w:x="{"a" * 30_000_000}"/>{_P}'),
    "many attributes.docx": lambda: docx(
        "<w:p " + " ".join(f'w:x{n}="a"' for n in range(300_000)) + f"/>{_P}"
    ),
    "endless list.docx": lambda: docx(
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="8"/><w:numId w:val="1"/></w:numPr></w:pPr></w:p>' * 300_000 + _P
    ),
    "styles in a circle.docx": lambda: docx(
        f'<w:p><w:pPr><w:pStyle w:val="s0"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>{_P}', styles=_style_chain(2)
    ),
    "styles in a long circle.docx": lambda: docx(
        f'<w:p><w:pPr><w:pStyle w:val="s0"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>{_P}',
        styles=_style_chain(50_000),
    ),
    "footnote in itself.docx": lambda: docx(
        f"<w:p>{_REFERENCE}</w:p>{_P}", footnotes=_notes(f"<w:p>{_REFERENCE}</w:p>")
    ),
    "one long footnote, often.docx": lambda: docx(
        f"<w:p>{_REFERENCE * 20_000}</w:p>{_P}", footnotes=_notes(_P * 5_000)
    ),
    "broken UTF-8.docx": lambda: docx(
        f"<w:document {_W}><w:body>".encode() + b"\xff\xc0" * 1_000_000 + b"</w:body></w:document>"
    ),
    "entity bomb.docx": lambda: docx(
        b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><a>&b;</a>'
    ),
    "zip bomb.docx": lambda: compressed(docx(b" " * 60_000_000)),
    "nested lists.odt": lambda: odt(nested(*_LIST, 100_000, "<text:p>a</text:p>")),
    "nested sections.odt": lambda: odt(
        nested("<text:section>", "</text:section>", 200_000, "<text:p>a</text:p>")
    ),
    "nested spans.odt": lambda: odt(
        f"<text:p>{nested('<text:span>', '</text:span>', 200_000, 'a')}</text:p>"
    ),
    "nested tables.odt": lambda: odt(
        nested(
            "<table:table><table:table-row><table:table-cell>",
            "</table:table-cell></table:table-row></table:table>",
            20_000,
            "<text:p>a</text:p>",
        )
    ),
    "a billion spaces.odt": lambda: odt('<text:p>a<text:s text:c="1000000000"/>b</text:p>'),
    "a billion columns.odt": lambda: odt(
        '<table:table><table:table-column table:number-columns-repeated="1000000000"/><table:table-row>'
        '<table:table-cell table:number-columns-repeated="1000000000"><text:p>a</text:p></table:table-cell>'
        "</table:table-row></table:table>"
    ),
    "empty paragraphs.odt": lambda: odt("<text:p/>" * 1_000_000 + "<text:p>a</text:p>"),
    "styles in a circle.odt": lambda: odt(
        '<text:p text:style-name="s0">a</text:p>',
        "".join(
            f'<style:style style:name="s{n}" style:family="paragraph" style:parent-style-name="s{1 - n}"/>'
            for n in range(2)
        ),
    ),
    "nested divisions.epub": lambda: epub(nested("<div>", "</div>", 1_000_000, "a")),
    "nested emphasis.epub": lambda: epub(f"<p>{nested('<em><b>', '</b></em>', 1_000_000, 'a')}</p>"),
    "nested tables.epub": lambda: epub(nested("<table><tr><td>", "</td></tr></table>", 200_000, "<p>a</p>")),
    "nested notes.epub": lambda: epub("<p>a</p>" + '<aside epub:type="footnote">' * 500_000),
    "one page, often.epub": lambda: epub("<p>" + "word " * 20_000 + "</p>", 100_000),
    "open tags.epub": lambda: epub("<p>a</p>" + "<" * 5_000_000),
    "open tags with names.epub": lambda: epub("<p>a</p>" + "<a " * 3_000_000),
    "open comments.epub": lambda: epub("<p>a</p>" + "<!--" * 3_000_000),
    "open declarations.epub": lambda: epub("<p>a</p>" + "<![" * 3_000_000),
    "open character references.epub": lambda: epub("<p>" + "&#" * 5_000_000 + "</p>"),
    "empty paragraphs.epub": lambda: epub("<p/>" * 3_000_000 + "<p>a</p>"),
    "headings.epub": lambda: epub("<h1>a</h1>" * 1_000_000),
    "broken UTF-8.epub": lambda: epub(b"<p>a" + b"\xff\xc0" * 5_000_000 + b"</p>"),
    "a page outside.epub": lambda: epub("<p>a</p>", href="../../../../etc/passwd"),
    "YAML aliases.md": _yaml_aliases,
    "nested YAML.md": lambda: "---\na: " + "[" * 100_000 + "\n---\n\nText.\n",
    "quotes in quotes.md": lambda: ">" * 100_000 + " a\n",
    "lists in lists.md": lambda: "- " * 50_000 + "a\n",
    "open brackets.md": lambda: "[" * 500_000 + "a\n",
    "open links.md": lambda: "[a](<b" * 200_000 + "\n",
    "open pictures.md": lambda: "![[]()" * 200_000 + "\n",
    "open emphasis.md": lambda: "*a **a _a " * 100_000 + "\n",
    "open code.md": lambda: " ".join("`" * (1 + n % 3_000) for n in range(10_000)) + "\n",
    "open tags.md": lambda: "<a <!-- <? " * 200_000 + "\n",
    "footnotes in a circle.md": lambda: "a[^1]\n\n[^1]: b[^2]\n\n[^2]: c[^1]\n",
    "many footnotes.md": lambda: "a[^1]" * 200_000 + "\n\n[^1]: b\n",
    "a footnote, often doubled.md": lambda: (
        "a[^0]\n\n" + "\n\n".join(f"[^{n}]: b[^{n + 1}] c[^{n + 1}]" for n in range(40)) + "\n\n[^40]: d\n"
    ),
    "a wide table.md": lambda: f"{'|a' * 20_000}|\n{'|-' * 20_000}|\n" + "|a|\n" * 20_000,
    "references.md": lambda: "\n".join(f"[{n}]: /{n}" for n in range(300_000)) + "\n\n" + "[1]" * 300_000,
    "headings.txt": lambda: "# a\n" * 10_000_000,
    "scene breaks.txt": lambda: "a\n\n***\n\n" * 5_000_000,
    "blank lines.txt": lambda: "a" + "\n \t" * 20_000_000 + "b",
    "one long line.txt": lambda: "a" * 60_000_000,
    "spaces.txt": lambda: "a" + " " * 60_000_000 + "b",
    "full stops.txt": lambda: "." * 60_000_000,
    "wide characters.txt": lambda: "\U0001f40b " * 12_000_000,
}
"""Documents by their file names."""

_READ = """
import json, sys, time
from pathlib import Path
from quire.book_formats import importer
from quire.errors import WriterProblem
from quire.system.resource_limits import ResourceLimits
importer.LIMITS = ResourceLimits(cpu_s=int(sys.argv[2]))
started, sentence = time.monotonic(), ""
try:
    importer.read_manuscript(Path(sys.argv[1]))
except WriterProblem as problem:
    sentence = str(problem)
wall_s = time.monotonic() - started
import resource
used = resource.getrusage(resource.RUSAGE_CHILDREN)
unit = 2**20 if sys.platform == "darwin" else 1024
print(json.dumps([sentence, used.ru_utime + used.ru_stime, used.ru_maxrss / unit, wall_s]))
"""


def attempt(path: Path, cpu_s: int = CPU_LIMIT_S) -> ImportAttempt:
    """Read a document in a process that measures what that takes; not on Windows. cpu_s: its limit."""
    done = subprocess.run(
        [sys.executable, "-c", _READ, str(path), str(cpu_s)],
        capture_output=True,
        timeout=_WALL_S,
        check=True,
        env={"PYTHONPATH": ":".join(filter(None, sys.path))},
    )
    return ImportAttempt(*json.loads(done.stdout))


def attempts(turn: int) -> Iterator[CheckResult]:
    """Try some of the documents; each ends, within the limits, as a manuscript or with a sentence."""
    names = list(DOCUMENTS)
    first = turn * _A_TURN % len(names)
    for name in (names + names)[first : first + _A_TURN]:
        yield judged(name, _attempt_one(name))


def _attempt_one(name: str) -> ImportAttempt:
    with tempfile.TemporaryDirectory(prefix="quire-hostile-") as folder:
        path = Path(folder) / name
        content = DOCUMENTS[name]()
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return attempt(path)


def judged(name: str, found: ImportAttempt) -> CheckResult:
    """Return whether it was as promised."""
    figures = f"{found.cpu_s:.1f} s, {found.peak_mb:.0f} MB, {found.wall_s:.1f} s by the clock"
    phase = f"{name}: {found.sentence or 'imported'}"
    if found.cpu_s > CPU_LIMIT_S + AFTER_LIMIT_S:
        return CheckResult(phase, f"it took too long ({figures})")
    if found.peak_mb > MEMORY_LIMIT_MB + _PROGRAM_MB:
        return CheckResult(phase, f"it took too much memory ({figures})")
    if found.sentence and not found.sentence.endswith("."):
        return CheckResult(phase, f"no whole sentence: {found.sentence}")
    return CheckResult(phase)


def main() -> None:
    """Print what each document takes: python -m tests.proofs.app.hostile_documents [NAME ...]."""
    for name in sys.argv[1:] or DOCUMENTS:
        found = _attempt_one(name)
        sys.stdout.write(
            f"{name:32} {found.cpu_s:5.1f} s {found.peak_mb:5.0f} MB {found.wall_s:5.1f} s by the clock  "
            f"{judged(name, found).wrong or found.sentence or 'imported'}\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
