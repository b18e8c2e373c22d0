from __future__ import annotations

from typing import Any

import pytest

from quire.services.drafting.drafting import Drafting
from quire.services.transactions import project_text
from tests.proofs.app import stop_session


def test_a_draft_stops_wherever_it_is_asked_to_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        stop_session, "WITHIN_S", 60.0
    )  # that it stops is tried here; how soon, by the command
    found = list(stop_session.session_stops(5, 15))
    assert [one for one in found if one.wrong] == []
    assert len(found) == 15
    assert {one.phase for one in found} == set(stop_session.PLACES)


def test_a_pause_that_is_not_heard_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stop_session, "WITHIN_S", 0.2)
    monkeypatch.setattr(Drafting, "pause", lambda _drafting: None)
    assert "did not end" in stop_session.stop_at("drafting", 3, "a pause").wrong


def test_words_that_are_lost_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    token_ids = project_text.token_ids
    monkeypatch.setattr(stop_session, "WITHIN_S", 60.0)

    def short(*arguments: Any) -> tuple[int, ...]:
        return (*token_ids(*arguments)[:-1], 7)

    monkeypatch.setattr(project_text, "token_ids", short)
    assert "another text" in stop_session.stop_at("drafting", 3, "a pause").wrong
