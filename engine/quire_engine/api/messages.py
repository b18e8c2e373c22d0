"""The messages between app and engine, as frozen dataclasses: commands in the imperative, events in the past
tense.

Nothing here holds a tensor or anything mutable, so a message may cross threads without a lock.
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
from quire_engine.api.known_texts import KnownText, TextsCounted
from quire_engine.api.load_progress import LoadStage
from quire_engine.api.model_identity import ModelIdentity
from quire_engine.api.queries import QueryCommand, QueryEvent
from quire_engine.api.sampling_scale import SamplingScale


# ---------------------------------------------------------------- commands
@dataclass(frozen=True, slots=True)
class LoadModel:
    """Load a model in place of the current one; does nothing if it is the same."""

    config: ModelConfig


@dataclass(frozen=True, slots=True)
class CancelLoad:
    """Stop the load in progress, which then fails with `was_cancelled`. Ignored when nothing is loading."""


@dataclass(frozen=True, slots=True)
class StartGeneration:
    """Start a run on a text.

    Attributes:
        read_tail: if the text is longer than the context window, use its newest part; otherwise that is an
            error.
        known_texts: other texts of the writer whose phrases may recur; they only affect speed.
        front_text: comes before the text and always stays in the context (memory, lorebook, a style sample).
        note_text: the author's note, inserted before the newest paragraphs. Neither is part of the
            manuscript; both are paragraphs of their own and ordinary tokens of the prompt.
        note_depth: how many paragraphs of the text come after the note; 0: as many as 500 characters need.
        chat: render the front as a request with the model's chat template, and the text as the start of the
            reply; only if ModelLoaded.has_chat_template.
        is_request: the front is a request, and the reply begins with its first word: there is no story.
    """

    run_id: int
    prompt_text: str
    sampling: SamplingConfig
    goal: Goal
    read_tail: bool = False
    drafting: DraftingConfig = PLAIN
    known_texts: tuple[KnownText, ...] = ()
    front_text: str = ""
    note_text: str = ""
    chat: bool = False
    note_depth: int = 0
    is_request: bool = False


@dataclass(frozen=True, slots=True)
class ResumeGeneration:
    """Continue a run from its stored tokens: the next token is the one that an uninterrupted run would
    generate.

    Attributes:
        prompt_ids, generated_ids: the stored tokens.
        known_texts: as in StartGeneration; they need not be the same.
        prefill_plan: from GenerationStarted.
        cache_file: a resume file that KeepCache wrote for exactly these tokens, if there is one; ignored if
            it does not match.
        rollover: from GenerationStarted; empty for runs of versions without it.
    """

    run_id: int
    prompt_ids: tuple[int, ...]
    generated_ids: tuple[int, ...]
    sampling: SamplingConfig
    goal: Goal
    drafting: DraftingConfig = PLAIN
    known_texts: tuple[KnownText, ...] = ()
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
    """Write the KV cache of a run to a resume file, so that a later process need not prefill the text again.

    Only for the run that paused or ended last, and while nothing else runs; never required. The file takes
    about ModelLoaded.cache_bytes_per_token per token in the context.
    """

    run_id: int
    path: str


# ---------------------------------------------------------------- events
@dataclass(frozen=True, slots=True)
class ModelLoaded:
    """A model is ready.

    Attributes:
        context_length: context window in tokens.
        reproducible: passed the bitwise self-test.
        notice: a message for the writer about something that works less well than it could, or empty.
        cache_bytes_per_token: size of a resume file, per token in the context.
        weight_bytes: of the model and its drafters.
        workspace_bytes: estimated memory of a pass besides weights and KV cache.
        is_on_gpu: where all of it is.
        has_chat_template: see StartGeneration.chat.
        cache: format of the KV cache.
        held_bytes_per_token: device memory per token in the context; 0: cache_bytes_per_token.
        scale: how the model weighs its words; None where that could not be measured.
        drafters: kinds of drafter that it has and that are chosen among where a run names none.
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
    scale: SamplingScale | None = None
    drafters: tuple[Source, ...] = ()

    def memory_bytes(self, num_tokens: int) -> int:
        """Return the estimated memory of a run with this many tokens, the prompt included."""
        slots = cache_slots(num_tokens, self.context_length)
        per_token = self.held_bytes_per_token or self.cache_bytes_per_token
        return self.weight_bytes + self.workspace_bytes + slots * per_token


def cache_slots(num_tokens: int, context_length: int) -> int:
    """Return the capacity of a KV cache with this many tokens in it, at most the context window."""
    slots = min(FIRST_SLOTS, context_length)
    while slots < min(num_tokens, context_length):
        slots *= 2
    return slots


@dataclass(frozen=True, slots=True)
class LoadProgressed:
    """How far a load is; fraction: of this stage, from 0 to 1."""

    stage: LoadStage
    fraction: float


@dataclass(frozen=True, slots=True)
class ModelLoadFailed:
    """No model is loaded; message is fit to show.

    Attributes:
        needs_restart: the GPU has stopped, and only a new process can use it again.
        was_cancelled: by CancelLoad, or by a command after which the model would not be wanted.
    """

    message: str
    is_bug: bool
    needs_restart: bool = False
    was_cancelled: bool = False


@dataclass(frozen=True, slots=True)
class ModelUnloaded:
    """The model's memory was released."""


@dataclass(frozen=True, slots=True)
class GenerationStarted:
    """The prompt as the model reads it; store it before anything else: a resume needs these ids.

    Attributes:
        num_left_out: tokens cut from the start of a text that is too long (read_tail).
        prefill_plan: store it with the ids: counts of tokens read in chunks, by decode passes, in chunks, and
            so on; () where all is read in chunks.
        num_reused: tokens that are still in the KV cache.
        notice: a message for the writer, or empty.
        origins: tokens of the prompt from the front, the story and the note; () for a resumed run.
        rollover: the run's context rule, to be stored in place of ModelIdentity's; empty if it is the same.
        after_return: the text that a resumed run has generated ends with a carriage return, so a line feed
            that comes next is the second half of one line end.
    """

    run_id: int
    prompt_ids: tuple[int, ...]
    num_left_out: int
    prefill_plan: tuple[int, ...] = ()
    num_reused: int = 0
    notice: str = ""
    origins: tuple[int, ...] = ()
    rollover: str = ""
    after_return: bool = False


@dataclass(frozen=True, slots=True)
class ReadingProgressed:
    """Prefill progress in tokens of the context, cached ones included."""

    run_id: int
    num_read: int
    num_total: int


@dataclass(frozen=True, slots=True)
class ResumeChecked:
    """The newest tokens of a resumed run were drawn again during prefill.

    The run continues from the stored ids in any case; a difference means that the machine or its software
    changed.

    Attributes:
        num_checked: tokens that could be checked; 0 if none could.
        first_difference: index into generated_ids of the first token that would differ today; None if none
            does.
    """

    run_id: int
    num_checked: int
    first_difference: int | None


@dataclass(frozen=True, slots=True)
class DraftingTroubled:
    """The acceleration has a problem; the run continues with the same text, perhaps more slowly.

    message is fit to show.
    """

    run_id: int
    message: str


@dataclass(frozen=True, slots=True)
class StepCompleted:
    """One draft-then-verify step: the tokens it added and what it cost.

    Attributes:
        token_ids: the accepted draft tokens and the bonus token.
        text: what these tokens add to the manuscript; may be empty while a character is incomplete.
        num_words: whole words generated in the run so far.
        draft_depth: longest drafted path, without the root; 0 for a plain step.
        num_accepted: accepted draft tokens, without the bonus token.
        step_ms: time of the step.
        margin: smallest margin between the best two scores over the step's tokens.
        num_drafted: draft tokens that the pass verified.
        accepted_sources: the drafter of each accepted token.
        draft_ms, verify_ms: the parts of step_ms in drafting and in the verify pass; the rest is sampling and
            planning.
        token_chars: characters completed by each token; they sum to the length of `text`.
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
    """A step that is not published yet: its tokens may be the heading that ends the run."""

    run_id: int
    num_tokens: int


class FinishReason(Enum):
    """Why a run ended; the values are stored in project files.

    Versions before HEADING and PHRASE cannot read a project with one of these two.
    """

    GOAL = "goal"
    END_OF_TEXT = "end_of_text"
    HEADING = "heading"
    PHRASE = "phrase"


class PauseReason(Enum):
    """Why a run paused: PauseGeneration (or the program's end), its time limit, lack of memory, or because
    the GPU stopped, the model's files can no longer be read, or its server is gone or refuses.
    """

    ASKED = "asked"
    TIME = "time"
    OUT_OF_MEMORY = "out_of_memory"
    DEVICE_LOST = "device_lost"
    MODEL_GONE = "model_gone"
    SERVER_GONE = "server_gone"


@dataclass(frozen=True, slots=True)
class GenerationPaused:
    """The step boundary at which the run can resume.

    After OUT_OF_MEMORY the KV cache was released and will be prefilled again; the pause may come before
    GenerationStarted. After DEVICE_LOST the process must be restarted, and after MODEL_GONE or
    SERVER_GONE no model is loaded.

    Attributes:
        num_tokens: generated in the run so far.
        message: fit to show; empty if the writer asked for the pause.
    """

    run_id: int
    num_tokens: int
    reason: PauseReason = PauseReason.ASKED
    message: str = ""


@dataclass(frozen=True, slots=True)
class GenerationFinished:
    """The run ended. num_tokens: generated in the run so far."""

    run_id: int
    num_tokens: int
    reason: FinishReason


@dataclass(frozen=True, slots=True)
class GenerationFailed:
    """The run ended with an error; everything published before remains valid. message is fit to show."""

    run_id: int
    message: str
    is_bug: bool


@dataclass(frozen=True, slots=True)
class CacheKept:
    """The KV cache of a run was written to a file; num_bytes: its size."""

    run_id: int
    path: str
    num_bytes: int


@dataclass(frozen=True, slots=True)
class CacheNotKept:
    """No resume file was written; nothing else changed. message is fit to show."""

    run_id: int
    message: str


Command = (
    LoadModel
    | CancelLoad
    | UnloadModel
    | StartGeneration
    | ResumeGeneration
    | PauseGeneration
    | KeepCache
    | QueryCommand
)
Event = (
    ModelLoaded
    | LoadProgressed
    | ModelLoadFailed
    | ModelUnloaded
    | GenerationStarted
    | TextsCounted
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
