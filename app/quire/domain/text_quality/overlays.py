"""Overlays on a text: what each can mark, in the order in which one key cycles through them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Overlay(Enum):
    """What is highlighted in a text, one at a time; the values are what settings store."""

    NONE = "none"
    SOURCE = "source"
    GUESSES = "guesses"
    ECHOES = "echoes"
    SURPRISE = "surprise"

    @property
    def following(self) -> Overlay:
        """The next one; after the last comes the first."""
        order = list(Overlay)
        return order[(order.index(self) + 1) % len(order)]


class SpanKind(Enum):
    """What a span is, within its overlay."""

    WRITTEN = "written"
    DRAFTED = "drafted"
    EDITED = "edited"
    PASTED = "pasted"

    MODEL = "model"
    GUESSER = "guesser"
    PHRASES = "phrases"

    ECHO = "echo"
    ECHOED = "echoed"

    EXPECTED = "expected"
    POSSIBLE = "possible"
    UNUSUAL = "unusual"
    SURPRISING = "surprising"


KINDS = {
    Overlay.NONE: (),
    Overlay.SOURCE: (SpanKind.WRITTEN, SpanKind.DRAFTED, SpanKind.EDITED, SpanKind.PASTED),
    Overlay.GUESSES: (SpanKind.MODEL, SpanKind.GUESSER, SpanKind.PHRASES),
    Overlay.ECHOES: (SpanKind.ECHO, SpanKind.ECHOED),
    Overlay.SURPRISE: (SpanKind.EXPECTED, SpanKind.POSSIBLE, SpanKind.UNUSUAL, SpanKind.SURPRISING),
}
"""What each overlay tells apart, in the order of its legend."""


@dataclass(frozen=True, slots=True)
class OverlaySpan:
    """Characters from start to before end, and their kind; `twin` is where the same words also occur."""

    start: int
    end: int
    kind: SpanKind
    twin: tuple[int, int] | None = None


def joined_spans(spans: Iterable[OverlaySpan]) -> list[OverlaySpan]:
    """Return spans in order with neighbours of one kind joined, unless they have twins."""
    found: list[OverlaySpan] = []
    for span in spans:
        if span.end <= span.start:
            continue
        last = found[-1] if found else None
        touches = last is not None and last.end == span.start and last.kind is span.kind
        if last is not None and touches and last.twin is None and span.twin is None:
            found[-1] = OverlaySpan(last.start, span.end, span.kind)
        else:
            found.append(span)
    return found
