"""How a run starts: on a prompt or from stored tokens, reusing what the KV cache still has of the last
text."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from quire_engine.api.context_rules import context_rule, front_length
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.known_texts import CountedText, KnownText
from quire_engine.api.messages import ResumeGeneration
from quire_engine.api.user_message import UserMessage
from quire_engine.cache import resume_file
from quire_engine.decoding.context_window import ContextRule
from quire_engine.decoding.prefill_plan import is_plan, num_reusable, plan_reusing, prefill_segments
from quire_engine.decoding.token_stream import EndOfText
from quire_engine.drafting.ngram_table import MAX_CONTEXT
from quire_engine.drafting.phrase_counts import PhraseCounts, counted, unpacked
from quire_engine.drafting.planner import Planner
from quire_engine.models.attention import BLOCK
from quire_engine.prompt.banned_phrases import banned_sequences
from quire_engine.prompt.chat_template import ChatTemplate
from quire_engine.prompt.prompt import Prompt, PromptTexts, prompt_of_request, prompt_of_texts
from quire_engine.prompt.tokenization import encode_prompt
from quire_engine.runtime.engine_thread import StartCommand
from quire_engine.runtime.loaded_model import LoadedModel
from quire_engine.runtime.session import DraftingSession

_log = logging.getLogger(__name__)

_UNKNOWN_READING = UserMessage(
    "The way the model first read this text is unknown, so it is read in the usual way; the "
    "continuation may differ from a draft without the pause."
)


@dataclass(slots=True)
class PreviousRun:
    """The run that the KV cache belongs to.

    Attributes:
        num_written: its tokens that were published.
    """

    run_id: int
    session: DraftingSession
    known_texts: tuple[str, ...]
    end: EndOfText
    num_written: int


@dataclass(frozen=True, slots=True)
class RunStart:
    """A run that is ready to prefill and generate.

    Attributes:
        must_check: verify the newest stored tokens after prefill.
        counted: known texts that had to be tokenised.
    """

    run: PreviousRun
    prefill_plan: tuple[int, ...]
    num_reused: int
    notice: str
    must_check: bool
    counted: tuple[CountedText, ...] = ()


@dataclass(frozen=True, slots=True)
class _StreamStart:
    """The stream that a run starts with, and the prefill plan of its prompt."""

    prompt_ids: tuple[int, ...]
    generated_ids: tuple[int, ...]
    prefill_plan: tuple[int, ...]
    num_front: int

    @property
    def num_read(self) -> int:
        """Tokens to be read before the first step."""
        return len(self.prompt_ids) + len(self.generated_ids) - 1


def start_run(
    loaded: LoadedModel,
    command: StartCommand,
    prompt: Prompt,
    last: PreviousRun | None,
    before: Planner | None = None,
) -> RunStart:
    """Return a run that is ready to prefill what is not cached, and then to generate.

    Args:
        last: the run whose text is in the KV cache, if that is certain.
        before: planned an earlier draft with these drafting settings.
    """
    end = EndOfText(loaded.end_ids, command.goal.min_tokens) if command.goal.stop_at_end else EndOfText()
    known = command.known_texts if command.drafting.method == "tokenswift" else ()
    texts = tuple(one.text for one in known)  # whether they come with their phrases changes no run
    new: tuple[CountedText, ...] = ()
    start, num_cached, notice = _place(loaded, command, prompt, last)
    is_live = False
    if last is not None and num_cached > 0 and (last.known_texts, last.end) == (texts, end):
        is_live = _can_go_on(loaded, command, start, last)
    if last is not None and is_live:
        session = last.session
    else:
        counts, new = _known_phrases(loaded, known)
        session = DraftingSession(
            loaded,
            start.prompt_ids,
            start.generated_ids,
            command.sampling,
            command.drafting,
            end=end,
            known=counts,
            forgiving=True,
            prefill_plan=start.prefill_plan,
            num_cached=num_cached,
            num_front=start.num_front,
            banned=banned_sequences(loaded.tokenizer, command.sampling.banned, loaded.vocab_size),
            before=before,
        )
    run = PreviousRun(command.run_id, session, texts, end, len(start.generated_ids))
    repeats = loaded.target.padded or loaded.description.reproducible
    must_check = bool(start.generated_ids) and session.must_read and not is_live and repeats
    return RunStart(run, start.prefill_plan, num_cached, notice, must_check, new)


def _can_go_on(loaded: LoadedModel, command: StartCommand, start: _StreamStart, last: PreviousRun) -> bool:
    """Say whether the last run's session can write this one."""
    return last.session.trained is loaded.trained and last.session.can_resume_as(
        start.prompt_ids,
        start.generated_ids,
        start.prefill_plan,
        command.sampling,
        command.drafting,
        start.num_front,
    )


def _place(
    loaded: LoadedModel, command: StartCommand, prompt: Prompt, last: PreviousRun | None
) -> tuple[_StreamStart, int, str]:
    """Return a run's stream, how many tokens of its context are cached, and a message for the writer."""
    if not isinstance(command, ResumeGeneration):
        prefill_plan, num_cached = _reused_plan(loaded, prompt.token_ids, last)
        return _StreamStart(prompt.token_ids, (), prefill_plan, prompt.num_front), num_cached, ""
    is_known = is_plan(command.prefill_plan, len(prompt.token_ids))
    prefill_plan = tuple(command.prefill_plan) if is_known else ()
    start = _StreamStart(prompt.token_ids, command.generated_ids, prefill_plan, prompt.num_front)
    notice = "" if is_known else _UNKNOWN_READING
    num_cached = 0 if last is None else _num_cached(loaded, start, last.session)
    length = _view_length(loaded, start)
    if not command.cache_file or num_cached == length:
        return start, num_cached, notice
    try:
        resume_file.read(loaded.target.store, length, resume_key(loaded, start), Path(command.cache_file))
    except EnvironmentProblem as problem:
        said = UserMessage(
            "{problem} The text is reread instead; the continuation is the same.", problem=problem
        )
        return start, min(num_cached, loaded.target.length), f"{notice} {said}".strip()
    return start, length, notice


def _reused_plan(
    loaded: LoadedModel, prompt_ids: tuple[int, ...], last: PreviousRun | None
) -> tuple[tuple[int, ...], int]:
    """Return the prefill plan of a new run, and how many of its tokens are cached."""
    if (
        last is None
        or (cached := last.session.cached_text(rows_repeat=loaded.description.reproducible)) is None
    ):
        return (), 0
    # how far the last pass went beyond the published tokens depends on drafts; the plan must not
    num_completed = max(len(last.session.prompt_ids) + last.num_written - 1, 0)
    completed = replace(cached, ids=cached.ids[:num_completed])
    return plan_reusing(completed, np.array(prompt_ids, dtype=np.int64))


def _num_cached(loaded: LoadedModel, start: _StreamStart, session: DraftingSession) -> int:
    """Return how many tokens of a resumed run's context are cached exactly as it would read them."""
    is_here = session.is_at(start.prompt_ids, start.generated_ids, start.prefill_plan, start.num_front)
    if is_here and not session.must_read:
        return loaded.target.length  # paused here, so that nothing depends on what a device repeats
    cached = session.cached_text(rows_repeat=loaded.description.reproducible)
    if cached is None or start.num_read >= loaded.target.context_length:
        return 0
    ids = np.array([*start.prompt_ids, *start.generated_ids], dtype=np.int64)[: start.num_read]
    return num_reusable(
        cached, ids, prefill_segments(start.prefill_plan, len(start.prompt_ids), start.num_read)
    )


def _view_length(loaded: LoadedModel, start: _StreamStart) -> int:
    policy = ContextRule(loaded.target.context_length, BLOCK, start.num_front)
    return policy.view(len(start.prompt_ids), start.num_read).length(start.num_read)


def keep(loaded: LoadedModel, run: PreviousRun, path: str) -> int:
    """Write the KV cache of a run to a file; return its size. Raises EnvironmentProblem if that is
    impossible."""
    session = run.session
    generated_ids = session.generated_ids[: run.num_written]
    start = _StreamStart(session.prompt_ids, generated_ids, session.prefill_plan, session.num_front)
    length = _view_length(loaded, start)
    # what a pass wrote beyond the goal is behind the rest, but after a rollover the context window may be
    # another one
    is_there = run.num_written == session.num_generated or length == start.num_read
    if session.must_read or not is_there or not 0 < length <= loaded.target.length:
        raise EnvironmentProblem("The text is too short for a fast resume file.")
    return resume_file.write(loaded.target.store, length, resume_key(loaded, start), Path(path))


def resume_key(loaded: LoadedModel, start: _StreamStart) -> dict[str, str]:
    """Return everything that decides the bits of a KV cache, as a resume file records it."""
    identity = loaded.description.identity
    return {
        "model": identity.fingerprint,
        "dtype": f"{identity.dtype}, {identity.cache}" if identity.cache else identity.dtype,
        "width": str(identity.width),
        "padded": str(loaded.target.padded),
        "context_length": str(identity.context_length),
        "rollover": context_rule(start.num_front),
        "software": identity.software,
        "reading": json.dumps(start.prefill_plan),
        "num_prompt": str(len(start.prompt_ids)),
        "num_tokens": str(len(start.prompt_ids) + len(start.generated_ids)),
        "token_ids": resume_file.digest_of_ids([*start.prompt_ids, *start.generated_ids]),
    }


def _known_phrases(
    loaded: LoadedModel, known: tuple[KnownText, ...]
) -> tuple[list[PhraseCounts], tuple[CountedText, ...]]:
    """Return what is counted in known texts, and those of them that were counted now.

    Texts that cannot be encoded are left out: they could only make a run faster.
    """
    counts: list[PhraseCounts] = []
    new: list[CountedText] = []
    for place, one in enumerate(known):
        if (stored := _stored(one)) is not None:
            counts.append(stored)
            continue
        try:
            ids = encode_prompt(loaded.tokenizer, one.text, None).token_ids
        except EnvironmentProblem as problem:
            _log.warning("a known text is left out: %s", problem)
            continue
        counts.append(counted(np.array(ids, dtype=np.int64), MAX_CONTEXT))
        new.append(CountedText(place, MAX_CONTEXT, len(ids), counts[-1].frequent().packed()))
    return counts, tuple(new)


def _stored(known: KnownText) -> PhraseCounts | None:
    try:
        return unpacked(known.phrases, MAX_CONTEXT) if known.phrases else None
    except ValueError as error:
        _log.warning("the stored phrases of a known text are of no use: %s", error)
        return None


def prompt_of(loaded: LoadedModel, command: StartCommand) -> Prompt:
    """Return the prompt as the model reads it; EnvironmentProblem if it is empty or too long."""
    if isinstance(command, ResumeGeneration):
        num_front = front_length(command.rollover)
        if num_front is None:
            raise EnvironmentProblem(
                "This draft was started by a newer version of Quire, which handles long texts "
                "differently. Use that version, or start a new draft."
            )
        return Prompt(command.prompt_ids, (), 0, num_front)
    capacity = loaded.target.context_length
    if command.is_request:
        return prompt_of_request(loaded.tokenizer, command.front_text, capacity, chat_template_of(loaded))
    texts = PromptTexts(command.prompt_text, command.front_text, command.note_text, command.note_depth)
    template = chat_template_of(loaded) if command.chat else None
    return prompt_of_texts(loaded.tokenizer, texts, capacity, read_tail=command.read_tail, template=template)


def chat_template_of(loaded: LoadedModel) -> ChatTemplate:
    """Return the model's chat template; EnvironmentProblem if it has none."""
    if loaded.chat is None:
        raise EnvironmentProblem("This model has no chat template. Turn the chat form off instead.")
    return loaded.chat
