from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.book_formats.chapter_numbering import numbered, split_title
from quire.book_formats.export_settings import ExportSettings, Numbering

RECIPES = st.builds(ExportSettings, chosen=st.none() | st.lists(st.integers(1, 2**40), max_size=4).map(tuple))


@given(RECIPES)
def test_a_recipe_comes_back_as_it_was_kept(recipe: ExportSettings) -> None:
    assert ExportSettings.from_json(recipe.to_json()) == recipe


def test_comments_that_were_exported_unasked_are_not_any_more() -> None:
    assert not ExportSettings.from_json('{"version": 1, "comments": true}').comments
    assert not ExportSettings().comments


@pytest.mark.parametrize(
    "text",
    ["", "7", "[]", "{", '{"format": "exe", "look": [], "title_page": 2, "chosen": ["1"]}', "[" * 10**5],
)
def test_what_is_no_recipe_is_a_new_one(text: str) -> None:
    assert ExportSettings.from_json(text) == ExportSettings()


@pytest.mark.parametrize(
    ("title", "label", "own"),
    [
        ("Chapter 7: The Ferry", "Chapter 7", "The Ferry"),
        ("CHAPTER VII. THE FERRY", "CHAPTER VII", "THE FERRY"),
        ("Chapter Twenty-one", "Chapter Twenty-one", ""),
        ("Kapitel 3", "Kapitel 3", ""),
        ("12", "12", ""),
        ("Prologue", "Prologue", ""),
        ("The Ferry", "", "The Ferry"),
        ("1984", "1984", ""),
        ("7 Winters", "", "7 Winters"),
    ],
)
def test_numbers_are_found_in_titles(title: str, label: str, own: str) -> None:
    assert split_title(title) == (label, own)


def test_chapters_are_numbered_anew() -> None:
    titles = ["", "Prologue", "Chapter 4: Dawn", "The Ferry", "Chapter 9", "Epilogue"]
    assert list(numbered(titles, Numbering.KEPT, "en")) == titles
    assert list(numbered(titles, Numbering.NUMBERED, "en-GB")) == [
        "", "Prologue", "Chapter 1: Dawn", "Chapter 2: The Ferry", "Chapter 3", "Epilogue",
    ]  # fmt: skip
    assert list(numbered(titles, Numbering.NUMBERS, "de")) == [
        "", "Prologue", "Kapitel 1", "Kapitel 2", "Kapitel 3", "Epilogue",
    ]  # fmt: skip
