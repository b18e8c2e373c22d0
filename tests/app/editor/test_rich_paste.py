"""What a paste from another program adds to the manuscript."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from quire.domain.manuscript.markup import MarkupSpan, merged, spans_in
from quire.editor.manuscript_editor import ManuscriptEditor
from quire.editor.rich_paste import pasted_text

pytestmark = pytest.mark.usefixtures("qapp")


def page(html: str, plain: str = "plain") -> QMimeData:
    data = QMimeData()
    data.setText(plain)
    data.setHtml(html)
    return data


def pasted(html: str, plain: str = "plain", *, has_gaps: bool = True, begins_line: bool = True) -> str:
    return pasted_text(page(html, plain), has_gaps=has_gaps, begins_line=begins_line)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>She <i>did</i> go.</p>", "She *did* go."),
        ("<p>She <em>did</em> <strong>not</strong>.</p>", "She *did* **not**."),
        # a word processor, and an office on the web whose page as a whole is called bold
        ('<p>A <span style="font-style:italic">ship</span>.</p>', "A *ship*."),
        ('<b style="font-weight:normal"><p>A <span style="font-weight:700">b</span></p></b>', "A **b**"),
        ("<p>One <i>a</i></p><p></p><p>Two</p>", "One *a*\n\nTwo"),
        ("<p>One <i>a</i><br>b</p>", "One *a*\nb"),
        ("<h2>The Ferry</h2><p>It rained.</p>", "## The Ferry\n\nIt rained."),
        ("<p><i>2</i> * 3 * 4</p>", "*2* * 3 * 4"),
        ("<p>a*b*c <i>d</i></p>", "a\\*b\\*c *d*"),
        ('<p><i>a</i> <img src="file:///etc/hostname">b</p>', "*a* b"),
    ],
)
def test_italics_bold_and_headings_become_marks(html: str, text: str) -> None:
    assert pasted(html) == text


def test_a_text_of_lines_gets_lines_and_a_heading_begins_only_a_line() -> None:
    html = "<h1>One</h1><p><i>a</i></p><h1>Two</h1>"
    assert pasted(html, has_gaps=False, begins_line=False) == "One\n*a*\n# Two"


@pytest.mark.parametrize("html", ["", "<p>No formats</p>", "<div>a</div><div>b</div>"])
def test_without_formats_the_plain_text_is_pasted(html: str) -> None:
    assert pasted(html, "a\nb") == "a\nb"


_WORDS = st.text(st.sampled_from("ab *_#\\"), min_size=1, max_size=6)


@given(st.lists(st.tuples(_WORDS, st.booleans(), st.booleans()), min_size=1, max_size=5))
def test_what_is_pasted_reads_as_it_looked(pieces: list[tuple[str, bool, bool]]) -> None:
    """Each visible character keeps its look, and none becomes a mark."""
    pieces = [("x" + text + "x", italic, bold) for text, italic, bold in pieces]
    html = "".join(
        f"<span style='white-space:pre;font-weight:{700 if bold else 400};"
        f"font-style:{'italic' if italic else 'normal'}'>{text}</span>"
        for text, italic, bold in pieces
    )
    plain = "".join(text for text, _, _ in pieces)
    expected = merged(MarkupSpan(*piece) for piece in pieces)
    has_formats = any(italic or bold for _, italic, bold in pieces)
    assert not has_formats or spans_in(pasted(f"<p>{html}</p>", plain)) == expected


def test_ctrl_v_keeps_formats_and_paste_as_plain_text_does_not(qapp: QApplication) -> None:
    editor = ManuscriptEditor()
    clipboard = QGuiApplication.clipboard()
    clipboard.setMimeData(page("<p>She <i>did</i>.</p>", "She did."))
    editor.show_text("")
    editor.paste()
    assert editor.text() == "She *did*."
    editor.undo()
    assert editor.text() == ""
    editor.paste_plain()
    assert editor.text() == "She did."
