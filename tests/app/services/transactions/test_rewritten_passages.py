"""Answers about passages are kept, and the model's words are known as the model's."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from quire.book_formats.authorship_page import AuthorshipShares
from quire.domain.drafting.rewriting import Rewrite, RewriteAnswer, RewriteOrder
from quire.domain.manuscript.provenance import Origin, by_author
from quire.domain.manuscript.writing_statistics import words_written
from quire.services.project.project_session import ProjectSession
from quire.services.transactions import rewritten_passages
from quire.services.transactions.rewritten_passages import answers, credit_model, keep_answer

ANSWER = RewriteAnswer(1, "She walked.", RewriteOrder(Rewrite.WISH, "faster"), 2**30, "SmolLM2", "She ran.")


def test_answers_are_kept_over_restarts_and_the_oldest_give_way(
    run_async: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(rewritten_passages, "MAX_ANSWERS", 3)
    path = tmp_path / "book.quire"

    async def run() -> None:
        session = await ProjectSession.create(path, "Book", "She walked.")
        for number in range(5):
            await session.write(keep_answer, RewriteAnswer(number, *_rest(ANSWER)))
        await session.close()
        session = await ProjectSession.open(path)
        kept = await session.read(answers)
        assert [one.document_id for one in kept] == [2, 3, 4]
        assert _rest(kept[0]) == _rest(ANSWER)
        await session.close()

    run_async(run())


def test_a_long_answer_makes_older_ones_give_way(run_async: Any, tmp_path: Path) -> None:
    async def run() -> None:
        session = await ProjectSession.create(tmp_path / "book.quire", "Book", "She walked.")
        await session.write(keep_answer, ANSWER)
        long = RewriteAnswer(1, "a" * rewritten_passages.MAX_CHARS, ANSWER.order, 1, "x", "b")
        assert await session.write(keep_answer, long) == (long,)
        await session.close()

    run_async(run())


def test_answers_that_make_no_sense_are_left_out(run_async: Any, tmp_path: Path) -> None:
    def spoil(file: Any) -> None:
        with file.unit() as unit:
            good = [1, "a", "expand", "", 3, "m", "b"]
            bad = [None, [], [1, "a", "sing", "", 3, "m", "b"], {"a": 1}, good[:-1]]
            unit.records.save_setting(rewritten_passages.ANSWERS, [*bad, good])
            unit.commit()

    async def run() -> None:
        session = await ProjectSession.create(tmp_path / "book.quire", "Book", "She walked.")
        await session.write(spoil)
        (kept,) = await session.read(answers)
        assert kept.order == RewriteOrder(Rewrite.EXPAND)
        await session.close()

    run_async(run())


def test_kept_words_are_the_models_until_the_writer_changes_them(run_async: Any, tmp_path: Path) -> None:
    path = tmp_path / "book.quire"

    async def run() -> None:
        session = await ProjectSession.create(path, "Book", "It rained. She walked. It stopped.")
        await session.save_text("It rained. She ran home. It stopped.")
        told: list[int] = []
        session.when_saved(lambda before, after: told.append(words_written(before, after)))
        await session.change_text(credit_model, session.document_id, 11, "She ran home.")
        await asyncio.sleep(0)
        assert told == [-3]  # they were counted as the writer's when they were stored
        counts = session.document.provenance.counts(session.text)
        assert (counts[Origin.WRITTEN], counts[Origin.REWRITTEN]) == (4, 3)
        assert by_author(counts) == (4, 3)
        assert AuthorshipShares.of([session.document]) == AuthorshipShares(4, 3, 0)
        await session.change_text(credit_model, session.document_id, 0, "She ran home.")  # not there
        await session.close()
        session = await ProjectSession.open(path)
        assert session.document.provenance.counts(session.text) == counts
        await session.close()

    run_async(run())


def _rest(answer: RewriteAnswer) -> tuple[Any, ...]:
    return answer.passage, answer.order, answer.seed, answer.model, answer.text
