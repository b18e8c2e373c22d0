"""The observers of a draft, combined into one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quire.domain.drafting.draft_status import DraftProgress, DraftStatus

if TYPE_CHECKING:  # measuring a text imports numpy, which must not delay the first window
    from quire.services.drafting.generation_session import DraftObserver


class DraftObservers:
    """Forwards the events of a draft to several observers in order."""

    def __init__(self, *observers: DraftObserver) -> None:
        self._observers = observers

    def add(self, *observers: DraftObserver) -> None:
        """Add observers after the others."""
        self._observers = (*self._observers, *observers)

    def status_changed(self, status: DraftStatus) -> None:
        """Forward the event."""
        for observer in self._observers:
            observer.status_changed(status)

    def text_drafted(self, text: str) -> None:
        """Forward the event."""
        for observer in self._observers:
            observer.text_drafted(text)

    def progressed(self, progress: DraftProgress) -> None:
        """Forward the event."""
        for observer in self._observers:
            observer.progressed(progress)

    def saved(self) -> None:
        """Forward the event."""
        for observer in self._observers:
            observer.saved()
