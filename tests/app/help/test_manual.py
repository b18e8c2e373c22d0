from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from quire.help.manual import LINK, ManualPage, manual_pages, page_of, pages_with

KEYS_OF_THE_DESIGN = {
    "Ctrl+Shift+I", "F5", "Ctrl+P", "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+F", "Ctrl+H", "Ctrl+Shift+F", "F4",
    "Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+T", "Ctrl+E", "F8", "F11", "Ctrl+N", "Ctrl+K", "Ctrl+Up",
    "Ctrl+Down", "Ctrl+Alt+S", "Ctrl+Enter", "Shift+Esc", "Alt+R", "Ctrl+R", "Alt+PgUp", "Alt+PgDn",
    "Ctrl+Shift+Enter", "Ctrl+Shift+M", "F7", "F6", "F1", "Ctrl+,", "F2", "Ctrl+Shift+K", "Ctrl+Shift+L",
    "Ctrl+Shift+V", "Ctrl+Shift+B", "Ctrl+Shift+E",
    "Ctrl+Shift+C", "Ctrl+Shift+PgDn", "Shift+Return", "Ctrl+B", "Ctrl+I",
}  # fmt: skip


def test_every_page_has_a_name_and_a_title_of_its_own() -> None:
    pages = manual_pages()
    assert pages[0].name == "first-draft"
    assert len({page.name for page in pages}) == len({page.title for page in pages}) == len(pages) == 14
    assert all(page.text.startswith("# ") and page.title for page in pages)


def test_links_lead_to_pages_and_nowhere_else() -> None:
    names = {page.name for page in manual_pages()}
    links = [link for page in manual_pages() for link in re.findall(r"\]\(([^)]*)\)", page.text)]
    assert links
    assert all(link.startswith(LINK) and link.removeprefix(LINK) in names for link in links)


def test_no_key_is_promised_that_is_not_in_the_design() -> None:
    text = "\n".join(page.text for page in manual_pages())
    keys = set(re.findall(r"\b(?:(?:Ctrl|Shift|Alt)\+)+(?:[A-Za-z0-9]+|,)|\bF\d{1,2}\b", text))
    assert keys <= KEYS_OF_THE_DESIGN
    assert len(keys) > 20


def test_words_are_found_wherever_they_stand_and_titles_come_first() -> None:
    pages = (
        page_of("a", "# Apples\n\nRed, **and** round."),
        page_of("b", "# Pears\n\nNot [red](manual:a) apples."),
    )
    assert pages_with(pages, "RED") == pages
    assert pages_with(pages, "pears red") == pages[1:]
    assert pages_with(pages, "apples") == pages
    assert pages_with(pages[::-1], "apples") == pages
    assert pages_with(pages, "manual:") == ()
    assert pages_with(pages, "plums") == ()


@given(st.text(max_size=60))
def test_no_query_is_too_strange(query: str) -> None:
    for page in pages_with(manual_pages(), query):
        assert isinstance(page, ManualPage)
        assert all(word in page.plain_text.casefold() for word in query.casefold().split())
