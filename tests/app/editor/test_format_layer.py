from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextCursor

from quire.domain.manuscript.emphasis import Style
from quire.editor.format_layer import insert_scene_break, set_heading_level, toggle_style
from quire.editor.manuscript_editor import ManuscriptEditor
from quire.theme.colour_tokens import DARK


@pytest.fixture
def editor(qtbot: Any) -> ManuscriptEditor:
    editor = ManuscriptEditor()
    qtbot.addWidget(editor)
    editor.resize(900, 500)
    editor.show()
    return editor


def show(editor: ManuscriptEditor, text: str) -> None:
    """Show a text with what stands between brackets selected."""
    start, end = text.index("["), text.index("]") - 1
    editor.show_text(text.replace("[", "").replace("]", ""))
    cursor = editor.textCursor()
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)


def shown(editor: ManuscriptEditor) -> str:
    cursor, text = editor.textCursor(), editor.text()
    start, end = cursor.selectionStart(), cursor.selectionEnd()
    return f"{text[:start]}[{text[start:end]}]{text[end:]}"


def looks(editor: ManuscriptEditor, number: int = 0) -> list[tuple[str, QTextCharFormat]]:
    block = editor.document().findBlockByNumber(number)
    return [
        (block.text()[part.start : part.start + part.length], QTextCharFormat(part.format))
        for part in block.layout().formats()
    ]


def test_emphasis_is_seen_and_its_marks_are_faint(editor: ManuscriptEditor) -> None:
    editor.set_tokens(DARK)
    editor.show_text("It *rained* **all** day.")
    seen = looks(editor)
    assert [text for text, _ in seen] == ["*", "rained", "*", "**", "all", "**"]
    assert [text for text, look in seen if look.fontItalic()] == ["rained"]
    assert "all" in [text for text, look in seen if look.fontWeight() == QFont.Weight.Bold]
    assert seen[0][1].foreground().color() == QColor(DARK.faint_ink)


def test_a_heading_in_words_at_the_start_of_a_text_looks_like_one(editor: ManuscriptEditor) -> None:
    editor.show_text("CHAPTER I\n\nThe Rain\n\nIt rained.\n\nCHAPTER II\n\nIt snowed.")
    size = QTextCharFormat.Property.FontPixelSize.value
    seen = [[look.property(size) for _, look in looks(editor, number)] for number in (0, 2, 4, 6)]
    assert seen == [[22], [22], [], []]
    editor.show_text("Part of it was rain.\n\nIt rained.")
    assert looks(editor) == []


def test_headings_are_larger_and_grow_with_the_text(editor: ManuscriptEditor) -> None:
    editor.show_text("# One\n\n## Two\n\n### Three")
    size = QTextCharFormat.Property.FontPixelSize.value
    assert [looks(editor, n)[1][1].property(size) for n in (0, 2, 4)] == [25, 22, 19]
    editor.set_text_px(30)
    assert [looks(editor, n)[1][1].property(size) for n in (0, 2, 4)] == [39, 34, 30]
    assert all(looks(editor, n)[1][1].fontWeight() == QFont.Weight.Bold for n in (0, 2, 4))


def test_emphasis_behind_wide_characters_is_seen_where_it_stands(editor: ManuscriptEditor) -> None:
    editor.show_text("😀 *so*")
    (start, length) = next(
        (part.start, part.length)
        for part in editor.document().firstBlock().layout().formats()
        if part.format.fontItalic()
    )
    assert (start, length) == (4, 2)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It [rained] all day.", "It *[rained]* all day."),
        ("It *[rained]* all day.", "It [rained] all day."),
        ("It [rained.\n\nAll] day.", "It *[rained.*\n\n*All]* day."),
        ("It *[rained.*\n\n*All]* day.", "It [rained.\n\nAll] day."),
        ("It *[rained.*\n\nAll] day.", "It *[rained.*\n\n*All]* day."),
        ("[It rained.\n\n***\n\n# All]", "*[It rained.*\n\n***\n\n# *All]*"),
        ("It ra[]ined.", "It *ra[]ined*."),
        ("It rained[]", "It rained*[]*"),
        ("It *rained[]*", "It *rained*[]"),
        ("It *rained []* all", "It *rained* [] all"),
        ("It **rained[]**", "It **rained*[]***"),
        ("*It rained[] all*", "*It* rained[] *all*"),
        ("It *ra[]ined*.", "It ra[]ined."),
        ("It []", "It *[]*"),
        ("It *[]*", "It []"),
        ("[ ]It", "[ ]It"),
    ],
)
def test_italics_are_toggled(editor: ManuscriptEditor, before: str, after: str) -> None:
    show(editor, before)
    toggle_style(editor, Style.ITALIC)
    assert shown(editor) == after
    if before != after:
        editor.undo()
        assert editor.text() == before.replace("[", "").replace("]", "")
        assert not editor.can_undo


def test_without_a_selection_a_style_is_for_what_is_typed_next(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("")
    for style, typed in (
        (Style.ITALIC, "Never"),
        (Style.ITALIC, " "),
        (Style.BOLD, "so "),
        (Style.BOLD, "loud."),
    ):
        toggle_style(editor, style)
        qtbot.keyClicks(editor, typed)
    assert editor.text() == "*Never* **so** loud."


def test_toggling_twice_changes_nothing(editor: ManuscriptEditor) -> None:
    show(editor, "So [it **rained.**\n\n## And *on* it] went.")
    before = editor.text()
    toggle_style(editor, Style.BOLD)
    assert editor.text() != before
    toggle_style(editor, Style.BOLD)
    assert editor.text() == "So it rained.\n\n## And *on* it went."


def test_a_selection_made_backwards_stays_so(editor: ManuscriptEditor) -> None:
    editor.show_text("It rained")
    cursor = editor.textCursor()
    cursor.setPosition(9)
    cursor.setPosition(3, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    toggle_style(editor, Style.BOLD)
    assert editor.text() == "It **rained**"
    assert (editor.textCursor().anchor(), editor.textCursor().position()) == (11, 5)


@pytest.mark.parametrize(
    ("before", "level", "after"),
    [
        ("Ra[]in", 1, "# Rain"),
        ("## Ra[]in", 3, "### Rain"),
        ("## Ra[]in", 0, "Rain"),
        ("[One\n\nTwo]", 2, "## One\n\n## Two"),
        ("[]", 1, "# "),
    ],
)
def test_headings(editor: ManuscriptEditor, before: str, level: int, after: str) -> None:
    show(editor, before)
    set_heading_level(editor, level)
    assert editor.text() == after
    editor.undo()
    assert editor.text() == before.replace("[", "").replace("]", "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It rained.[]", "It rained.\n\n***\n\n[]"),
        ("It rained. [] The day", "It rained.\n\n***\n\n[]The day"),
        ("It rained.\n\n[]The day", "It rained.\n\n***\n\n[]The day"),
        ("It rained.\n[]", "It rained.\n\n***\n\n[]"),
        ("It rained.[]\n\nThe day", "It rained.\n\n***\n\n[]The day"),
        ("[]The day", "***\n\n[]The day"),
        ("It [rained.] The day", "It\n\n***\n\n[]The day"),
    ],
)
def test_a_scene_break_stands_alone(editor: ManuscriptEditor, before: str, after: str) -> None:
    show(editor, before)
    insert_scene_break(editor)
    assert shown(editor) == after
    editor.undo()
    assert editor.text() == before.replace("[", "").replace("]", "")


def test_a_locked_text_is_left_alone(editor: ManuscriptEditor) -> None:
    show(editor, "It [rained]")
    editor.set_locked(locked=True)
    toggle_style(editor, Style.ITALIC)
    set_heading_level(editor, 1)
    insert_scene_break(editor)
    assert editor.text() == "It rained"


def test_beside_a_draft_only_what_is_dry_is_changed(editor: ManuscriptEditor) -> None:
    show(editor, "It [rained]\n\nall")
    editor.begin_drafting()
    editor.append_drafted(" day")
    toggle_style(editor, Style.ITALIC)
    assert editor.text() == "It *rained*\n\nall day"
    editor.append_drafted(" long")
    editor.undo()
    assert editor.text() == "It rained\n\nall day long"
    editor.selectAll()
    toggle_style(editor, Style.ITALIC)
    set_heading_level(editor, 1)
    assert editor.text() == "It rained\n\nall day long"
    editor.end_drafting()
