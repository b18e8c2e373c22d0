"""The observers of a draft, as one: the fan-out of what a run does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quire.domain.drafting.draft_status import DraftProgress, DraftStatus

if TYPE_CHECKING:  # what measures a text brings numpy, which the first window does not wait for
    from quire.services.drafting.generation_session import DraftObserver


class DraftObservers:
    """Hands what happens in a draft on to several observers, one after another."""

    def __init__(self, *observers: DraftObserver) -> None:
        self._observers = observers

    def add(self, *observers: DraftObserver) -> None:
        """Add observers after the others."""
        self._observers = (*self._observers, *observers)

    def status_changed(self, status: DraftStatus) -> None:
        """Hand it on."""
        for observer in self._observers:
            observer.status_changed(status)

    def text_drafted(self, text: str) -> None:
        """Hand it on."""
        for observer in self._observers:
            observer.text_drafted(text)

    def progressed(self, progress: DraftProgress) -> None:
        """Hand it on."""
        for observer in self._observers:
            observer.progressed(progress)

    def saved(self) -> None:
        """Hand it on."""
        for observer in self._observers:
            observer.saved()
