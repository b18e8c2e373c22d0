"""The whole conversation between the app and the engine, as frozen dataclasses.

Commands are imperative, events are in the past tense. Nothing here holds a tensor or anything
that can change, so a message may cross threads without a lock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from quire_engine.api.config import (
    FIRST_SLOTS,
    PLAIN,
    CacheForm,
    DraftingConfig,
    Goal,
    ModelConfig,
    SamplingConfig,
    Source,
)
from quire_engine.api.context_rules import front_length
from quire_engine.api.queries import QueryCommand, QueryEvent


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """What must be the same for a run to continue exactly the same text.

    fingerprint: SHA-256 over configuration, weights and tokenizer. dtype: as computed with, never "auto";
    smaller weights are named with it (`config.number_format`), for they change the text.
    tokenizer: SHA-256 of the tokenizer alone. context_length: tokens in the context window, where the text
    rolls over, and rollover: by which rule; both decide the text. These three are empty in records of earlier
    versions. cache: how keys and values are kept, where that changes the text: "float8"; else empty.
    """

    name: str
    fingerprint: str
    dtype: str
    width: int
    software: str
    tokenizer: str = ""
    context_length: int = 0
    rollover: str = ""
    cache: str = ""

    def rolls_over_as(self, rule: str) -> bool:
        """Say whether a run that recorded this rule can continue: every rule that this version knows."""
        return front_length(rule) is not None


# ---------------------------------------------------------------- commands
@dataclass(frozen=True, slots=True)
class LoadModel:
    """Load a model, in place of the one that is loaded; does nothing if it is this very one."""

    config: ModelConfig


@dataclass(frozen=True, slots=True)
class StartGeneration:
    """Begin a run on a text.

    read_tail: when the text is longer than the model can hold, let it read the newest part; False rejects.
    known_texts: other texts of the writer (earlier drafts, rejected takes) whose phrases may come again; they
    can only make the run faster.
    front_text: is before the text and always stays in the context window (memory, lorebook, a style sample).
    note_text: a stage direction, put before the newest paragraphs. Neither is part of the manuscript; both
    are paragraphs of their own, and tokens of the prompt like any others.
    chat: put the front through the model's chat template, as what is asked, and the text as the start of
    the answer; only where ModelLoaded.has_chat_template.
    """

    run_id: int
    prompt_text: str
    sampling: SamplingConfig
    goal: Goal
    read_tail: bool = False
    drafting: DraftingConfig = PLAIN
    known_texts: tuple[str, ...] = ()
    front_text: str = ""
    note_text: str = ""
    chat: bool = False


@dataclass(frozen=True, slots=True)
class ResumeGeneration:
    """Go on with a run from its stored tokens: the next token is the one an uninterrupted run would write.

    known_texts: as in StartGeneration; they need not be the same ones.
    prefill_plan: as GenerationStarted gave it when the run began. cache_file: what KeepCache wrote for just
    these
    tokens, if there is such a file; one that does not fit is left aside. rollover: as GenerationStarted gave
    it; empty for runs of versions that gave none.
    """

    run_id: int
    prompt_ids: tuple[int, ...]
    generated_ids: tuple[int, ...]
    sampling: SamplingConfig
    goal: Goal
    drafting: DraftingConfig = PLAIN
    known_texts: tuple[str, ...] = ()
    prefill_plan: tuple[int, ...] = ()
    cache_file: str = ""
    rollover: str = ""


@dataclass(frozen=True, slots=True)
class PauseGeneration:
    """Stop at the next step boundary and report where. Ignored when that run is not in progress."""

    run_id: int


@dataclass(frozen=True, slots=True)
class UnloadModel:
    """Release the model's memory."""


@dataclass(frozen=True, slots=True)
class KeepCache:
    """Write what the model holds of a run to a file, so that a later process need not read the text again.

    Only for the run that was paused or ended last, and while nothing else runs; it is never needed. The file
    is about ModelLoaded.cache_bytes_per_token times the tokens in the context window.
    """

    run_id: int
    path: str


# ---------------------------------------------------------------- events
@dataclass(frozen=True, slots=True)
class ModelLoaded:
    """A model is ready. context_length: tokens it can hold; reproducible: passed its bitwise self-test.

    cache_bytes_per_token: size of a file that KeepCache writes, per token in the context window.
    notice: a message for the writer about something that works less well than it could, or nothing.
    weight_bytes: of the model and its drafters. workspace_bytes: about what passes need beside weights and
    cache. is_on_gpu: where all of it is. has_chat_template: see StartGeneration.chat.
    cache: how keys and values are kept. held_bytes_per_token: memory of the device that a token in the
    context window takes; 0: cache_bytes_per_token.
    """

    identity: ModelIdentity
    context_length: int
    num_parameters: int
    reproducible: bool
    load_s: float
    notice: str = ""
    cache_bytes_per_token: int = 0
    weight_bytes: int = 0
    workspace_bytes: int = 0
    is_on_gpu: bool = False
    has_chat_template: bool = False
    cache: CacheForm = "full"
    held_bytes_per_token: int = 0

    def memory_bytes(self, num_tokens: int) -> int:
        """Return about how much memory a run needs when it has so many tokens, the prompt included."""
        slots = cache_slots(num_tokens, self.context_length)
        per_token = self.held_bytes_per_token or self.cache_bytes_per_token
        return self.weight_bytes + self.workspace_bytes + slots * per_token


def cache_slots(num_tokens: int, context_length: int) -> int:
    """Return how many tokens a cache has room for when it holds so many, at most all that the model can."""
    slots = min(FIRST_SLOTS, context_length)
    while slots < min(num_tokens, context_length):
        slots *= 2
    return slots


@dataclass(frozen=True, slots=True)
class ModelLoadFailed:
    """No model is loaded; message is a message for the writer.

    needs_restart: the GPU has stopped, and only another process can use it again.
    """

    message: str
    is_bug: bool
    needs_restart: bool = False


@dataclass(frozen=True, slots=True)
class ModelUnloaded:
    """The model's memory was given back."""


@dataclass(frozen=True, slots=True)
class GenerationStarted:
    """The prompt as the model reads it; store it before anything else: a resume needs these ids.

    num_left_out: tokens at the front of the text that were left out because it is too long (read_tail).
    prefill_plan: how the prompt is read, to be stored with the ids: counts of tokens that are read in
    chunks, by
    decode passes, in chunks, and so on; () where all is read in chunks. num_reused: tokens that the model
    still held and need not read. notice: a message for the writer, or nothing.
    origins: tokens of the prompt from the front, the story and the note; () where a run continues. rollover:
    by which rule the run continues when its text outgrows the context window, to be stored in place of
    ModelIdentity's; empty where it is that one.
    """

    run_id: int
    prompt_ids: tuple[int, ...]
    num_left_out: int
    prefill_plan: tuple[int, ...] = ()
    num_reused: int = 0
    notice: str = ""
    origins: tuple[int, ...] = ()
    rollover: str = ""


@dataclass(frozen=True, slots=True)
class ReadingProgressed:
    """The model has read this many of the tokens in the context window before it writes on; those it still
    held count.
    """

    run_id: int
    num_read: int
    num_total: int


@dataclass(frozen=True, slots=True)
class ResumeChecked:
    """The newest tokens of a resumed run were decided again while the model read them.

    num_checked: as many as passes of this reading could tell, 0 where none could. first_difference: index
    into generated_ids of the first one that would be another one today, None where all are the same. The run
    continues from the stored ids in any case; a difference means that the machine or its software changed.
    """

    run_id: int
    num_checked: int
    first_difference: int | None


@dataclass(frozen=True, slots=True)
class DraftingTroubled:
    """Something is wrong with the acceleration; the run continues the same text, perhaps more slowly.

    message is a message for the writer.
    """

    run_id: int
    message: str


@dataclass(frozen=True, slots=True)
class StepCompleted:
    """One draft-then-verify step: the tokens it added and what it cost.

    token_ids: the accepted draft tokens and then the bonus token.
    text: what these tokens add to the manuscript; it can be empty while a character is incomplete.
    token_chars: characters of the text that each token completed; their sum is its length.
    num_words: whole words generated in the run so far.
    draft_depth: longest drafted path, the root not counted; 0 for a plain step.
    num_accepted: accepted draft tokens; the bonus token is not one of them.
    margin: smallest distance between the best two scores over the tokens of the step.
    num_drafted: draft tokens that the pass checked. accepted_sources: which drafter each accepted token came
    from. draft_ms, verify_ms: of step_ms, time spent on drafting and in the pass; the rest is drawing and
    planning.
    """

    run_id: int
    token_ids: tuple[int, ...]
    text: str
    num_words: int
    draft_depth: int
    num_accepted: int
    step_ms: float
    margin: float
    num_drafted: int = 0
    accepted_sources: tuple[Source, ...] = ()
    draft_ms: float = 0.0
    verify_ms: float = 0.0
    token_chars: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StepWithheld:
    """A step was made that is not told yet: its num_tokens may be the heading at which the run ends."""

    run_id: int
    num_tokens: int


class FinishReason(Enum):
    """Why a run ended by itself; the values are what the project file stores.

    Versions before HEADING and PHRASE cannot read a project that holds one of these two.
    """

    GOAL = "goal"
    END_OF_TEXT = "end_of_text"
    HEADING = "heading"
    PHRASE = "phrase"


class PauseReason(Enum):
    """Why a run was paused: by PauseGeneration (or the program's end), by its time, for want of memory, or
    because the GPU stopped or the files of the model cannot be read any more.
    """

    ASKED = "asked"
    TIME = "time"
    OUT_OF_MEMORY = "out_of_memory"
    DEVICE_LOST = "device_lost"
    MODEL_GONE = "model_gone"


@dataclass(frozen=True, slots=True)
class GenerationPaused:
    """The step boundary at which the run can be resumed; num_tokens: generated in the run so far.

    message: a message for the writer where it was not their doing. After OUT_OF_MEMORY the model has given
    back what it held of the text and reads it again; the pause may come before GenerationStarted. After
    DEVICE_LOST the process must be started again, and after MODEL_GONE no model is loaded.
    """

    run_id: int
    num_tokens: int
    reason: PauseReason = PauseReason.ASKED
    message: str = ""


@dataclass(frozen=True, slots=True)
class GenerationFinished:
    """The run ended by itself; num_tokens: generated in the run so far."""

    run_id: int
    num_tokens: int
    reason: FinishReason


@dataclass(frozen=True, slots=True)
class GenerationFailed:
    """The run ended on an error; everything published before it stays good. message is fit to show."""

    run_id: int
    message: str
    is_bug: bool


@dataclass(frozen=True, slots=True)
class CacheKept:
    """What the model holds of a run is in a file; num_bytes: its size."""

    run_id: int
    path: str
    num_bytes: int


@dataclass(frozen=True, slots=True)
class CacheNotKept:
    """There is no such file; nothing else changed. message is a message for the writer."""

    run_id: int
    message: str


Command = (
    LoadModel | UnloadModel | StartGeneration | ResumeGeneration | PauseGeneration | KeepCache | QueryCommand
)
Event = (
    ModelLoaded
    | ModelLoadFailed
    | ModelUnloaded
    | GenerationStarted
    | ReadingProgressed
    | ResumeChecked
    | DraftingTroubled
    | StepCompleted
    | StepWithheld
    | GenerationPaused
    | GenerationFinished
    | GenerationFailed
    | CacheKept
    | CacheNotKept
    | QueryEvent
)
