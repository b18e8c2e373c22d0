from __future__ import annotations

from pathlib import Path

from quire.domain.drafting.chapter_advance_rules import TurnRules
from quire.domain.drafting.resume_decision import RunRequest
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.provenance import Origin, Provenance
from quire.services.drafting.drafted_text import pages_of, run_pages
from tests.app.services.table import OPENING, RunAsync, table
from tests.app.services.test_writing_beside_a_draft import Turning, drafting_into_pages
from tests.fakes import ScriptedBackend, unnumbered


def test_texts_follow_one_another_and_the_run_begins_in_the_first() -> None:
    spans = Provenance.of(4, Origin.WRITTEN) + Provenance.of(3, Origin.DRAFTED, 2)
    texts = [
        Document(7, "One", "MineIts", spans),
        Document(9, "Two", "Its", Provenance.of(3, Origin.DRAFTED, 2)),
    ]
    found = pages_of(2, texts)
    assert (found.text, found.pages, found.start) == ("MineItsIts", ((0, 7), (7, 9)), 4)


def test_a_text_without_a_run_is_its_own_page() -> None:
    found = pages_of(0, [Document(7, "One", "Mine")])
    assert (found.text, found.pages, found.start) == ("Mine", ((0, 7),), 4)


def test_the_whole_of_a_run_is_found_in_the_chapters_that_it_turned(
    run_async: RunAsync, tmp_path: Path
) -> None:
    backend = ScriptedBackend(chapters=True)
    pages = Turning(TurnRules(after_chars=900))

    async def scenario() -> None:
        async with table(tmp_path / "a.quire", backend) as at:
            run = await drafting_into_pages(at, pages).draft(RunRequest(900, seed=7))
            for document_id in {page.rest.document_id for page in pages.pages} | {at.session.document_id}:
                await at.session.open_document(document_id)
                assert at.session.last_in_text == run
                found = await at.session.read(run_pages, run.run_id, at.session.document)
                assert unnumbered(found.text) == unnumbered(OPENING + backend.text_of(OPENING, 7, 900))
                assert found.start == len(OPENING)
                assert len(found.pages) == 1 + len(pages.pages)

    run_async(scenario())
