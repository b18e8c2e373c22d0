"""What the app may ask the engine beside a run, and the replies, as frozen dataclasses.

Each query gets one reply of its own type, or QueryFailed, or QueryDropped after DropQuery or when another
command came first. While a run is in progress only those of AT_ONCE are answered, at the next step boundary;
the others fail with a message. A query changes neither a run nor its KV cache.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from quire_engine.api.config import DraftingConfig, Goal, SamplingConfig

MAX_SCORED = 4096
"""Most tokens that can be scored at once."""

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
    note_depth: int = 0


@dataclass(frozen=True, slots=True)
class ScoreText:
    """How likely was each token of a text after another one, and what were the alternatives?

    Probabilities are the model's own: temperature 1, no penalty, no truncation. A prompt that is too long is
    cut at its start.

    Attributes:
        text: at most MAX_SCORED tokens.
        top: alternatives per token.
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
    """Does plain decoding give the same tokens as speculative decoding on this computer?"""

    prompt_text: str
    sampling: SamplingConfig = _USUAL
    num_tokens: int = 256
    drafting: DraftingConfig = _FAST
    query_id: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.num_tokens <= 100_000:
            raise ValueError(f"num_tokens must be from 1 to 100,000, got {self.num_tokens}")


@dataclass(frozen=True, slots=True)
class WriteText:
    """How does the model answer a request, or continue a text?

    The answer is the same with every drafter, and on every computer that reproduces drafts.

    Attributes:
        request: what a model with a chat template is asked, and a server that answers chats.
        goal: where the answer to it is cut if the model does not end it.
        prompt_text: what any other model continues.
        prompt_goal: where that ends.
    """

    request: str
    goal: Goal
    prompt_text: str
    prompt_goal: Goal
    sampling: SamplingConfig
    drafting: DraftingConfig = _FAST
    query_id: int = 0


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
    """A part of a prompt from one source, as the model reads it, special tokens of a chat template
    included."""

    origin: PromptSource
    text: str
    num_tokens: int


@dataclass(frozen=True, slots=True)
class PromptViewed:
    """A prompt in order.

    Attributes:
        num_left_out: tokens cut from the story's front.
        capacity: the context window, in tokens.
    """

    query_id: int
    segments: tuple[PromptSegment, ...]
    num_left_out: int
    capacity: int


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another token for the same position. piece: its text; part of a character is shown as U+FFFD."""

    piece: str
    probability: float


@dataclass(frozen=True, slots=True)
class TokenScore:
    """One token of a text. Without a token before it, probability and rank are 0 and there are no
    alternatives.

    Attributes:
        start, end: its characters in the text, in code points.
        rank: 1 for the likeliest; None behind the tokens that a server lists.
        alternatives: the likeliest tokens, best first; may include the token itself.
    """

    piece: str
    start: int
    end: int
    probability: float
    rank: int | None
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class TextScored:
    """Every token of the text, in order. num_context: tokens of context that were used."""

    query_id: int
    tokens: tuple[TokenScore, ...]
    num_context: int


@dataclass(frozen=True, slots=True)
class AgreementChecked:
    """The result of comparing a plain and a speculative draft.

    Attributes:
        first_difference: index of the first different token; None if all are equal.
        plain_s, accelerated_s: seconds in steps, without prefill.
    """

    query_id: int
    num_equal: int
    num_checked: int
    first_difference: int | None
    plain_s: float
    accelerated_s: float


@dataclass(frozen=True, slots=True)
class TextWritten:
    """The whole answer.

    Attributes:
        was_asked: it answers the request; otherwise it continues the text.
        is_cut: the model would have written more.
        num_tokens: of the answer; characters for a server.
    """

    query_id: int
    text: str
    was_asked: bool
    num_tokens: int
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class MemoryMeasured:
    """Memory in bytes; 0 where the system does not report it.

    process: RAM of this process. device_*: of the model's GPU, or else RAM; device_own: this process's share
    of the GPU. weights, cache: of the model.
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
    """Progress of a query, from 0 to 1; text: what was written since the last report."""

    query_id: int
    fraction: float
    text: str = ""


@dataclass(frozen=True, slots=True)
class QueryDropped:
    """A query that gets no reply: it was dropped, or another command came first."""

    query_id: int


@dataclass(frozen=True, slots=True)
class QueryFailed:
    """A query that failed; message is fit to show."""

    query_id: int
    message: str
    is_bug: bool


EngineQuery = CountTokens | ViewPrompt | ScoreText | CheckAgreement | WriteText | MeasureMemory
AT_ONCE = CountTokens | ViewPrompt | MeasureMemory
"""Queries that are answered while a run is in progress."""
QueryCommand = EngineQuery | DropQuery
QueryReply = TokensCounted | PromptViewed | TextScored | AgreementChecked | TextWritten | MemoryMeasured
QueryEvent = QueryReply | QueryProgressed | QueryDropped | QueryFailed
