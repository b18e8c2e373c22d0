"""The decision between continuing a run and starting a new one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Self

from quire.domain.drafting.draft_goal import MOST_WORDS, DraftGoal
from quire.domain.drafting.run import Run, RunState
from quire.errors import WriterProblem
from quire_engine.api.config import CacheForm, Dtype, Weights, number_format, parts_of_format
from quire_engine.api.messages import FinishReason
from quire_engine.api.model_identity import ModelIdentity
from quire_engine.api.user_message import UserMessage

MAX_SEED = 2**63 - 1


class RestartKind(Enum):
    """Whether to start a new run even where one could be continued; CAREFUL: with less repetition."""

    NO = "no"
    AS_USUAL = "as usual"
    CAREFUL = "careful"


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A request for a draft, from the button to the engine.

    Attributes:
        goal_words: counted from the run's beginning; with extend a finished run grows by this many.
        seed: of a new run; None draws one.
        read_tail: allow a text that is too long to be read from its newest part; None allows it once Quire
            has drafted in the project.
        restart: do not continue the last run.
        unread: continue the run that the text ends with although the text was changed before it.
        document_id: the text to write in; None: the one that is open when the draft is requested.
        goal: how else it may end; its words are goal_words.
        like: start a run with the seed, the settings and the prefill plan of this one.
    """

    goal_words: int
    seed: int | None = None
    read_tail: bool | None = None
    extend: bool = False
    restart: RestartKind = RestartKind.NO
    unread: bool = False
    document_id: int | None = None
    goal: DraftGoal | None = None
    like: Run | None = None

    def __post_init__(self) -> None:
        if self.goal_words < 1:
            raise WriterProblem("The goal must be at least 1 word, not {words}.", words=self.goal_words)
        if self.like is not None and self.like.damaged:
            raise WriterProblem(
                "The record of run {run} is damaged, so the run can't be repeated. Start a new draft, or "
                "restore a backup.",
                run=self.like.run_id,
            )
        if self.seed is not None and not 0 <= self.seed <= MAX_SEED:
            raise WriterProblem(
                "The seed must be a whole number from 0 to {most}, not {seed}.", most=MAX_SEED, seed=self.seed
            )

    @classmethod
    def towards(cls, goal: DraftGoal) -> Self:
        """Return a request to draft up to a goal."""
        return cls(goal.words_at_most, extend=True, goal=goal)

    @property
    def ends_at(self) -> DraftGoal:
        """Where the draft ends by itself."""
        return self.goal or DraftGoal(words=min(self.goal_words, MOST_WORDS))


class ResumeChoice(Enum):
    """The ways to handle a request."""

    RESUME = "resume"
    BEGIN = "begin"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice and its message for the writer; empty where it is what they expect."""

    course: ResumeChoice
    notice: str = ""


@dataclass(frozen=True, slots=True)
class ViewLimits:
    """How far back a draft may look: at most `context` tokens (0: no limit), cached in this form.

    A run that needs more cannot be continued; one that needs less is continued as it was started.
    """

    context: int = 0
    cache: CacheForm = "full"


NO_LIMITS = ViewLimits()
_DAMAGED = UserMessage(
    "The record of the last draft is damaged in the project file, so this starts a new draft. The text of "
    "the last one is unchanged."
)


def decide(
    run: Run | None,
    text_digest: str,
    request: RunRequest,
    dtype: Dtype,
    identity: ModelIdentity | None,
    weights: Weights = "auto",
    limits: ViewLimits = NO_LIMITS,
) -> Decision:
    """Choose what to do with the last run; WriterProblem when the request contradicts it.

    Args:
        dtype, weights: the precision that the writer asked for; "auto" goes on with the run's.
        identity: the loaded model; None while there is none, when it may or may not be the run's.
    """
    if (
        request.restart is not RestartKind.NO
        or request.like is not None
        or run is None
        or run.model is None
        or not run.started
        or run.end_digest != text_digest
    ):
        return Decision(ResumeChoice.BEGIN)
    if run.damaged:
        return Decision(ResumeChoice.BEGIN, _DAMAGED)
    dtype_then, weights_then = parts_of_format(run.model.dtype)
    _, wanted = parts_of_format(number_format(dtype, weights))
    has_changed = weights != "auto" and wanted != weights_then
    if dtype not in ("auto", dtype_then) or has_changed:
        return Decision(ResumeChoice.BEGIN, _computed_otherwise(run.model.dtype, _asked_for(dtype, wanted)))
    if why := _takes_more(run.model, limits):
        return Decision(ResumeChoice.BEGIN, why)
    if identity is not None and not _continues(run.model, identity):
        return Decision(ResumeChoice.BEGIN, _model_changed(run.model, identity))
    other_seed = request.seed is not None and request.seed != run.sampling.seed
    if run.state is RunState.FINISHED:
        return _after_the_end(run, request, other_seed=other_seed)
    if other_seed:
        if identity is None:
            return Decision(ResumeChoice.RESUME)  # only the loaded model shows whether it is a contradiction
        raise WriterProblem(
            "Run {run} is not finished and uses seed {seed}. Continue with that seed (or none), or "
            "edit the manuscript to start a new run.",
            run=run.run_id,
            seed=run.sampling.seed,
        )
    if not request.extend and run.has_words(request.goal_words):
        return Decision(ResumeChoice.DONE, _has_words(run))
    return Decision(ResumeChoice.RESUME)


def computes_otherwise(then: ModelIdentity, now: ModelIdentity) -> bool:
    """Whether whole numbers are computed in another way than when a run began.

    Only their version decides their bits, so no comparison of tokens is needed to know.
    """
    return then.dtype == now.dtype == "int8" and _kernels(then) != _kernels(now)


def _kernels(model: ModelIdentity) -> str:
    """Return what an identity names last, after the versions of the libraries."""
    return model.software.rpartition(", ")[2]


def _after_the_end(run: Run, request: RunRequest, *, other_seed: bool) -> Decision:
    if other_seed:
        return Decision(ResumeChoice.BEGIN)
    if not request.extend and run.has_words(request.goal_words):
        return Decision(ResumeChoice.DONE, _has_words(run))
    if run.finish_reason is FinishReason.END_OF_TEXT:
        if request.extend:  # only a new run can write past an end-of-text token
            return Decision(
                ResumeChoice.BEGIN,
                UserMessage("The model had ended the text here, so this starts a new draft."),
            )
        return Decision(
            ResumeChoice.DONE,
            UserMessage(
                "The model ended this text after {num_words:,} words. To start a new draft, write a "
                "little yourself or choose another seed.",
                num_words=run.num_words,
            ),
        )
    return Decision(ResumeChoice.RESUME)


def _has_words(run: Run) -> str:
    return UserMessage(
        "This draft already has {num_words:,} words. Set a higher goal to continue it.",
        num_words=run.num_words,
    )


def _takes_more(model: ModelIdentity, limits: ViewLimits) -> str:
    """Return why a run needs more than the limits now allow, as a sentence; empty where it does not."""
    if limits.context and model.context_length > limits.context:
        return UserMessage(
            "You shortened the context from {then:,} to {now:,} tokens, so this starts a new draft.",
            then=model.context_length,
            now=limits.context,
        )
    # in whole numbers a cache takes a byte a number anyway
    if limits.cache == "float8" and model.cache != "float8" and model.dtype != "int8":
        return UserMessage("The model's memory is now compressed, so this starts a new draft.")
    return ""


def cache_of(model: ModelIdentity, wanted: CacheForm) -> CacheForm:
    """Return the cache form of a resumed run: its own where that decides its words, else the requested
    one."""
    if model.cache == "float8":
        return "float8"
    return "full" if wanted == "float8" else wanted


def _continues(then: ModelIdentity, now: ModelIdentity) -> bool:
    if (then.fingerprint, then.dtype, then.width) != (now.fingerprint, now.dtype, now.width):
        return False
    if then.cache != now.cache:
        return False
    # runs of projects of format 1 did not record these two
    same_view = then.context_length in (0, now.context_length)
    return same_view and now.rolls_over_as(then.rollover)


def _asked_for(dtype: Dtype, weights: Weights) -> str:
    """Return the precision that the writer asked for, before a load has shown what becomes of it."""
    if dtype != "auto":
        return number_format(dtype, weights)
    return UserMessage("8-bit numbers") if weights == "int8" else UserMessage("full precision")


def _computed_otherwise(then: str, now: str) -> str:
    return UserMessage(
        "You changed the model's precision ({then}, now {now}), so this starts a new draft.",
        then=then,
        now=now,
    )


def _model_changed(then: ModelIdentity, now: ModelIdentity) -> str:
    if then.fingerprint != now.fingerprint:
        return UserMessage(
            "The last draft used another model ({name}), so this starts a new draft.", name=then.name
        )
    if then.dtype != now.dtype:
        return _computed_otherwise(then.dtype, now.dtype)
    if then.width != now.width:
        return UserMessage(
            "The model now computes {now} rows at a time, not {then}, so this starts a new draft.",
            then=then.width,
            now=now.width,
        )
    if then.context_length != now.context_length:
        return UserMessage(
            "The context is now {now:,} tokens, not {then:,}, so this starts a new draft.",
            then=then.context_length,
            now=now.context_length,
        )
    if then.cache != now.cache:
        return UserMessage("The model's memory is now stored differently, so this starts a new draft.")
    return UserMessage("This version of Quire handles long texts differently, so this starts a new draft.")
