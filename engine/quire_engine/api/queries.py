"""What the app may ask the engine beside a run, and the answers, as frozen dataclasses.

Each question is answered by one event of its own kind, or by QueryFailed, or by QueryDropped after
DropQuery or when another command came in between. While a run is going on only CountTokens, ViewPrompt and
MeasureMemory are answered, at the next step boundary; the others fail with a sentence. No question changes a
run, nor what the model holds of one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from quire_engine.api.config import DraftingConfig, SamplingConfig

MAX_SCORED = 4096
"""Tokens of a text that can be scored at once."""

_USUAL = SamplingConfig()
_FAST = DraftingConfig("tokenswift")


class PromptSource(Enum):
    """Where a part of a prompt comes from."""

    FRONT = "front"
    STORY = "story"
    NOTE = "note"


# ---------------------------------------------------------------- questions
@dataclass(frozen=True, slots=True)
class CountTokens:
    """How many tokens has each of these texts, by itself?"""

    texts: tuple[str, ...]
    query_id: int = 0


@dataclass(frozen=True, slots=True)
class ViewPrompt:
    """What would the model see at a start on this text? The fields are those of StartGeneration."""

    prompt_text: str
    read_tail: bool = False
    front_text: str = ""
    note_text: str = ""
    chat: bool = False
    query_id: int = 0


@dataclass(frozen=True, slots=True)
class ScoreText:
    """How likely was each token of a text, after another one, and what else could have stood there?

    The odds are the model's own: temperature 1, no penalty, nothing cut off.

    Attributes:
        top: alternatives per token. Of a long prompt, what fits before the text is looked at.
        text: at most MAX_SCORED tokens.
    """

    prompt_text: str
    text: str
    top: int = 10
    query_id: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.top <= 100:
            raise ValueError(f"top must be from 0 to 100, got {self.top}")


@dataclass(frozen=True, slots=True)
class CheckAgreement:
    """Does this computer draft the very same tokens plainly and accelerated?"""

    prompt_text: str
    sampling: SamplingConfig = _USUAL
    num_tokens: int = 256
    drafting: DraftingConfig = _FAST
    query_id: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.num_tokens <= 100_000:
            raise ValueError(f"num_tokens must be from 1 to 100,000, got {self.num_tokens}")


@dataclass(frozen=True, slots=True)
class Calibrate:
    """How long does a token take here, plainly and accelerated, at growing lengths of text?

    Attributes:
        text: prose to draft after; empty: made-up tokens, which say less about the acceleration.
        seconds: for all of it; the lengths that do not fit are left out.
    """

    text: str = ""
    seconds: float = 60.0
    sampling: SamplingConfig = _USUAL
    drafting: DraftingConfig = _FAST
    query_id: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= 600:
            raise ValueError(f"seconds must be above 0 and at most 600, got {self.seconds}")


@dataclass(frozen=True, slots=True)
class MeasureMemory:
    """How much memory is in use now?"""

    query_id: int = 0


@dataclass(frozen=True, slots=True)
class DropQuery:
    """Stop working on a question; ignored when it was answered."""

    query_id: int


# ---------------------------------------------------------------- answers
@dataclass(frozen=True, slots=True)
class TokensCounted:
    """Tokens of each text, in order."""

    query_id: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PromptSegment:
    """A stretch of a prompt of one origin. text: as the model reads it, marks of a chat template included."""

    origin: PromptSource
    text: str
    num_tokens: int


@dataclass(frozen=True, slots=True)
class PromptViewed:
    """A prompt in order.

    Attributes:
        num_left_out: tokens at the story's front that do not fit.
        capacity: of the view.
    """

    query_id: int
    segments: tuple[PromptSegment, ...]
    num_left_out: int
    capacity: int

    def num_of(self, origin: PromptSource) -> int:
        """Return how many tokens come from there."""
        return sum(segment.num_tokens for segment in self.segments if segment.origin is origin)


@dataclass(frozen=True, slots=True)
class Alternative:
    """What could have stood in a token's place. piece: its text, one half of a character shown as U+FFFD."""

    piece: str
    probability: float


@dataclass(frozen=True, slots=True)
class TokenScore:
    """A token of a text.

    Where nothing stands before a token, its probability is 0, its rank 0 and it has no alternatives.

    Attributes:
        start, end: its characters there, in code points.
        rank: 1 for the likeliest.
        alternatives: the likeliest tokens, best first; the token itself is one of them if it is likely
            enough.
    """

    piece: str
    start: int
    end: int
    probability: float
    rank: int
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class TextScored:
    """Every token of the text, in order. num_context: tokens before it that were looked at."""

    query_id: int
    tokens: tuple[TokenScore, ...]
    num_context: int


@dataclass(frozen=True, slots=True)
class AgreementChecked:
    """Both drafts were compared.

    Attributes:
        first_difference: index of a token; None where all are the same.
        plain_s, accelerated_s: seconds in steps; reading is not counted.
    """

    query_id: int
    num_equal: int
    num_checked: int
    first_difference: int | None
    plain_s: float
    accelerated_s: float


@dataclass(frozen=True, slots=True)
class PacePoint:
    """Milliseconds per token with so many tokens in view; accelerated_ms: None where it was not measured."""

    length: int
    plain_ms: float
    accelerated_ms: float | None


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The pace by length. A plain token takes about p0_ms + p1_ms * length (see `plain_ms`).

    tokens_per_pass: accelerated, as the text at hand allowed.
    """

    query_id: int
    points: tuple[PacePoint, ...]
    p0_ms: float
    p1_ms: float
    tokens_per_pass: float

    def plain_ms(self, length: int) -> float:
        """Return about how long a plain token takes with so many tokens in view."""
        return self.p0_ms + self.p1_ms * length


@dataclass(frozen=True, slots=True)
class MemoryMeasured:
    """Memory in bytes; 0 where the system does not tell.

    process: of this program, in the computer's memory. device_*: of the GPU that the model is on, or else of
    the computer's memory; device_own: what this program has of the GPU. weights, cache: of the model.
    """

    query_id: int
    process_bytes: int
    device_free_bytes: int
    device_total_bytes: int
    device_own_bytes: int
    weight_bytes: int
    cache_bytes: int
    is_on_gpu: bool


@dataclass(frozen=True, slots=True)
class QueryProgressed:
    """How far a question is, from 0 to 1."""

    query_id: int
    fraction: float


@dataclass(frozen=True, slots=True)
class QueryDropped:
    """A question will not be answered: it was dropped, or another command came in between."""

    query_id: int


@dataclass(frozen=True, slots=True)
class QueryFailed:
    """A question could not be answered; message is a sentence for the writer."""

    query_id: int
    message: str
    is_bug: bool


EngineQuery = CountTokens | ViewPrompt | ScoreText | CheckAgreement | Calibrate | MeasureMemory
QueryCommand = EngineQuery | DropQuery
QueryReply = TokensCounted | PromptViewed | TextScored | AgreementChecked | Calibrated | MemoryMeasured
QueryEvent = QueryReply | QueryProgressed | QueryDropped | QueryFailed
