"""What the parts of a run need of the one that drafts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from quire.domain.drafting.resume_decision import RunRequest
    from quire.services.drafting.engine_queries import EngineQuestions
    from quire_engine.api.messages import ModelLoaded


class DraftService(Protocol):
    """Drafts, and knows the engine; a DraftingController."""

    @property
    def loaded_model(self) -> ModelLoaded | None:
        """The model that is in memory; None while none is."""
        ...

    @property
    def questions_now(self) -> EngineQuestions | None:
        """Who can ask the engine; None while there is no engine."""
        ...

    async def questions(self) -> EngineQuestions:
        """Return who can ask the engine; WriterProblem where nobody can."""
        ...

    def request(self, goal_words: int | None = None) -> RunRequest:
        """Return a request to draft on to the goal that is chosen; goal_words: in place of its words."""
        ...

    def start(self, request: RunRequest) -> None:
        """Draft where the open text ends."""
        ...

    def start_in_turn(self, goal_words: int | None = None) -> None:
        """Draft after what was asked for before; None: to the goal that is chosen."""
        ...
