"""The interface of drafting for the other parts of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from quire.domain.drafting.resume_decision import RunRequest
    from quire.services.drafting.engine_queries import EngineQuestions
    from quire_engine.api.messages import ModelLoaded


class DraftService(Protocol):
    """Drafts, and has access to the engine; a DraftingController."""

    @property
    def loaded_model(self) -> ModelLoaded | None:
        """Return the model that is in memory, or None."""
        ...

    @property
    def questions_now(self) -> EngineQuestions | None:
        """Return the engine's query interface, or None if there is no engine."""
        ...

    @property
    def unused_settings(self) -> tuple[str, ...]:
        """Return the names of the writer's settings that the chosen server does not take."""
        ...

    async def questions(self) -> EngineQuestions:
        """Return the engine's query interface; raise WriterProblem if there is none."""
        ...

    def request(self, goal_words: int | None = None) -> RunRequest:
        """Return a request to draft to the chosen goal; goal_words: replaces its words."""
        ...

    def start(self, request: RunRequest) -> None:
        """Draft at the end of the open text."""
        ...

    def start_in_turn(self, goal_words: int | None = None) -> None:
        """Draft after earlier tasks; None: to the chosen goal."""
        ...
