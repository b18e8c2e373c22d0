"""What the model sees, shown as it is."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor

from quire.domain.drafting.prompt_composition import NextPrompt, PartOrigin, compose
from quire.domain.drafting.prompt_preview import PromptPreview, view_of
from quire.domain.drafting.steering import EMPTY, AuthorsNote, LoreEntry, Memory, Steering
from quire.editor.plain_text import to_manuscript
from quire.steering.prompt_preview_dialog import ModelViewDialog
from quire.steering.prompt_source_style import origin_colour
from quire.theme.theme_switch import ThemeSwitch

LEFT = Qt.MouseButton.LeftButton
STEERING = Steering(
    memory=Memory("October \U0001f327 1871.\u00a0Mara."),
    direction=AuthorsNote("Storm"),
    lorebook=(LoreEntry(1, "Mara", "A ferrywoman."), LoreEntry(2, "Orrin", "Sixty.")),
).with_beat_lines(1, ["She waits"])
STORY = "It rained, and Mara waited.\n\n" * 60


def view(story: str = STORY, context: int = 10_000, steering: Steering = STEERING) -> PromptPreview:
    return view_of(NextPrompt(1, story, compose(steering, story, 1), context))


@pytest.fixture
def dialog(themes: ThemeSwitch, qtbot: Any) -> ModelViewDialog:
    dialog = ModelViewDialog(themes)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.show_view(view(), "There is an author's note, so a new draft begins with it.")
    return dialog


def rows(dialog: ModelViewDialog) -> list[str]:
    return [dialog.parts_list.item(row).text().split("  ")[0] for row in range(dialog.parts_list.count())]


def test_the_text_is_exactly_what_is_read(dialog: ModelViewDialog) -> None:
    text = to_manuscript(dialog.text.document().toRawText())
    assert text == "".join(part.text for part in view().parts)
    assert dialog.text.isReadOnly()


def test_the_parts_are_listed_in_order_with_their_words(dialog: ModelViewDialog) -> None:
    assert rows(dialog) == ["Memory", "Lorebook: Mara", "Manuscript", "Beat", "Author's Note", "Manuscript"]
    assert all("word" in dialog.parts_list.item(row).text() for row in range(6))
    assert "estimated" in dialog.said.text()
    assert dialog.said.text().endswith("so a new draft begins with it.")


def test_what_is_left_out_is_listed_with_its_reason(dialog: ModelViewDialog) -> None:
    assert dialog.left_out_list.item(0).text() == ("Orrin (6 characters): no keyword in recent pages")
    dialog.show_view(view(context=300))
    assert "Start of the manuscript" in dialog.left_out_list.item(0).text()
    dialog.show_view(view(steering=EMPTY))
    assert not dialog.left_out_list.isVisible()


def test_a_part_is_gone_to(dialog: ModelViewDialog) -> None:
    for row, part in enumerate(dialog.text.parts):
        dialog.parts_list.setCurrentRow(row)
        position = dialog.text.textCursor().position()
        assert dialog.text.part_at(position) == row
        after = to_manuscript(
            dialog.text.document().toRawText().encode("utf-16-le")[2 * position :].decode("utf-16-le")
        )
        assert after.startswith(part.text)


def test_every_line_has_the_colour_of_its_origin_and_its_name(
    dialog: ModelViewDialog, themes: ThemeSwitch
) -> None:
    text = dialog.text
    margin = text.grab(QRect(0, 0, 170, text.height())).toImage()
    colours = {margin.pixelColor(x, y).name() for x in range(150, 168) for y in range(margin.height())}
    for origin in (PartOrigin.MEMORY, PartOrigin.MANUSCRIPT):
        assert origin_colour(origin, themes.tokens).name() in colours
    ground = QColor(themes.tokens.desk).name()
    names = {margin.pixelColor(x, y).name() for x in range(14, 120) for y in range(6, 40)}
    assert len(names - {ground}) > 3  # the name of the first part is written there


def test_the_name_of_the_first_visible_part_stays_in_sight(dialog: ModelViewDialog) -> None:
    bar = dialog.text.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    margin = dialog.text.grab(QRect(0, 0, 150, 40)).toImage()
    colours = {margin.pixelColor(x, y).name() for x in range(14, 120) for y in range(6, 36)}
    assert len(colours) > 3


def test_a_long_text_is_shown_whole(dialog: ModelViewDialog) -> None:
    story = "It rained all night, and nobody sang.\n\n" * 11_000
    long = view(story, 1_000_000)
    dialog.show_view(long)
    assert dialog.text.document().characterCount() == 1 + sum(
        len(part.text.encode("utf-16-le")) // 2 for part in long.parts
    )
    dialog.parts_list.setCurrentRow(dialog.parts_list.count() - 1)
    assert dialog.text.part_at(dialog.text.firstVisibleBlock().position() + 400) >= 2


def test_it_can_be_looked_at_again_and_closed(dialog: ModelViewDialog, qtbot: Any) -> None:
    with qtbot.waitSignal(dialog.refresh_asked):
        qtbot.mouseClick(dialog.refresh_button, LEFT)
    qtbot.mouseClick(dialog.close_button, LEFT)
    assert not dialog.isVisible()


def test_nothing_to_read_is_shown_as_nothing(dialog: ModelViewDialog) -> None:
    dialog.show_view(view("", steering=EMPTY))
    assert dialog.text.toPlainText() == ""
    assert dialog.parts_list.count() == 0
