"""The engine: a loaded model and the runs on it. Importing this module imports no torch; `load` does."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from quire_engine.config import CPU_CONTEXT, GPU_PASS_WIDTH, PASS_WIDTH, ModelConfig
from quire_engine.errors import EngineBug, EngineError, EnvironmentProblem, is_out_of_memory
from quire_engine.messages import (
    FinishReason,
    GenerationFinished,
    GenerationStarted,
    ModelIdentity,
    ModelLoaded,
    ReadingProgressed,
    ResumeGeneration,
    StepCompleted,
)
from quire_engine.worker import Begin, RunEvent

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer

    from quire_engine.drafting.background import BackgroundTable
    from quire_engine.drafting.drafter_file import TrainedDrafters
    from quire_engine.models.loading import ModelFolder
    from quire_engine.models.passes import PassRunner
    from quire_engine.session import DraftingSession, PassCost, SessionStep
    from quire_engine.text import Detokenizer, EncodedPrompt, GoalWatch

_NEAR_TIE = {"float32": 1e-3, "bfloat16": 0.1}
"""Where passes round by their shape, decisions closer than this are taken by a pass of one row."""


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model ready to write.

    suppressed: ids that are never written. end_ids: those of them that end a text, where a run may end so.
    vocab_size: rows of its embedding table. trained, background: drafters that were prepared for it.
    pass_costs: measured at load. near_tie: see TokenStream; 0 where passes repeat their bits.
    """

    target: PassRunner
    tokenizer: Tokenizer
    suppressed: tuple[int, ...]
    end_ids: tuple[int, ...]
    description: ModelLoaded
    vocab_size: int
    trained: TrainedDrafters | None = None
    background: BackgroundTable | None = None
    pass_costs: tuple[PassCost, ...] = ()
    near_tie: float = 0.0


class Engine:
    """Backend of the worker thread; use it from one thread at a time."""

    def __init__(self) -> None:
        self._loaded: LoadedModel | None = None
        self._config: ModelConfig | None = None

    def load(self, config: ModelConfig) -> ModelLoaded:
        """Load a model and describe it; the one that is loaded already is kept."""
        if self._loaded is None or self._config != config:
            self.unload()
            self._loaded = load_model(config)
            self._config = config
        return self._loaded.description

    def unload(self) -> None:
        """Give the model's memory back."""
        self._loaded = None
        self._config = None

    def run(self, command: Begin) -> Iterator[RunEvent]:
        """Yield what happens in a run, one event per chunk read or pass made, until its goal is reached."""
        if self._loaded is None:
            raise EngineBug("a run was started before a model was loaded")
        return _run(self._loaded, command)


def load_model(config: ModelConfig) -> LoadedModel:
    """Load, check and describe a model; EnvironmentProblem when it cannot be used."""
    # imported here: torch takes seconds, and the window must not wait for it
    from quire_engine.models import calibration, loading
    from quire_engine.models.end_of_text import end_of_text_ids
    from quire_engine.session import PassCost

    started = time.perf_counter()
    folder = loading.inspect_folder(Path(config.folder))
    tokenizer = loading.load_tokenizer(folder)
    device = loading.choose_device(config.device)
    dtype = loading.choose_dtype(config.dtype, device)
    width = config.width or (PASS_WIDTH if device.type == "cpu" else GPU_PASS_WIDTH)
    context = config.context or (CPU_CONTEXT if device.type == "cpu" else folder.context_length)
    vocab_size = int(folder.config.vocab_size)
    with _loading_told(folder):
        target, num_parameters, reproducible = _build_target(
            folder, replace(config, width=width, context=context), dtype, device
        )
        costs = calibration.measure_passes(target, vocab_size)
    trained, background, notice = _find_drafters(folder, config)
    dtype_name = str(dtype).removeprefix("torch.")
    software = loading.software_versions() + ("" if device.type == "cpu" else f", {device.type}")
    identity = ModelIdentity(folder.name, folder.fingerprint, dtype_name, width, software)
    description = ModelLoaded(
        identity=identity,
        context_length=target.context_length,
        num_parameters=num_parameters,
        reproducible=reproducible,
        load_s=time.perf_counter() - started,
        notice=notice,
    )
    return LoadedModel(
        target=target,
        tokenizer=tokenizer,
        suppressed=loading.special_token_ids(tokenizer, vocab_size),
        end_ids=end_of_text_ids(folder.path, vocab_size),
        description=description,
        vocab_size=vocab_size,
        trained=trained,
        background=background,
        pass_costs=tuple(PassCost(*cost) for cost in costs),
        near_tie=0.0 if reproducible or not config.reproducible else _NEAR_TIE.get(dtype_name, 0.0),
    )


def _find_drafters(
    folder: ModelFolder, config: ModelConfig
) -> tuple[TrainedDrafters | None, BackgroundTable | None, str]:
    """Return what was prepared for a model, and a sentence about files that do not fit it.

    They are never needed to write, so a file that is damaged or another model's only makes writing slower.
    """
    from quire_engine.drafting import background, drafter_file

    vocab_size = int(folder.config.vocab_size)
    trained: TrainedDrafters | None = None
    table: BackgroundTable | None = None
    problems: list[str] = []
    for place in dict.fromkeys(Path(p) for p in (config.drafters_folder, config.folder) if p):
        try:
            trained = trained or drafter_file.find(place, folder.fingerprint)
        except EnvironmentProblem as problem:
            problems.append(str(problem))
        try:
            digest = background.tokenizer_digest(folder.path)
            table = table or background.find(place, digest, vocab_size)
        except EnvironmentProblem as problem:
            problems.append(str(problem))
    return trained, table, " ".join(problems)


@contextlib.contextmanager
def _loading_told(folder: ModelFolder) -> Iterator[None]:
    """Turn what libraries raise while a model is built into a sentence."""
    try:
        yield
    except EngineError:
        raise
    except Exception as error:
        if is_out_of_memory(error):
            raise EnvironmentProblem(
                f"There is not enough memory to load the model in {folder.path}. Close other programs or "
                "choose a smaller model."
            ) from error
        said = " ".join(str(error).split())[:200] or type(error).__name__
        raise EnvironmentProblem(f"The model in {folder.path} cannot be driven by Quire ({said}).") from error


def _build_target(
    folder: ModelFolder, config: ModelConfig, dtype: torch.dtype, device: torch.device
) -> tuple[PassRunner, int, bool]:
    """Return the model ready to run, its number of parameters, and whether its bits repeat."""
    import torch

    from quire_engine.models import loading, self_test
    from quire_engine.models.attention import BLOCK
    from quire_engine.models.network import FUSED_TYPES, FusedDecoder, LibraryNetwork
    from quire_engine.models.passes import PassRunner

    threads = loading.thread_choices(config.threads)
    torch.set_num_threads(threads[0])
    model = loading.build_model(folder, dtype, device)
    num_parameters = sum(p.numel() for p in model.parameters())
    vocab_size = int(folder.config.vocab_size)
    reference = self_test.reference_logits(model, self_test.chain_ids(vocab_size, config.width))
    fused = folder.config.model_type in FUSED_TYPES and folder.config.hidden_act == "silu"
    network = FusedDecoder(model, config.width) if fused else LibraryNetwork(model)
    context_length = min(folder.context_length, config.context // BLOCK * BLOCK)
    target = PassRunner(network, config.width, context_length, padded=config.reproducible)
    torch.set_num_threads(self_test.fastest_threads(target, vocab_size, threads))
    result = self_test.run_self_test(target, reference, vocab_size, dtype, routed=folder.is_mixture)
    if not result.matches:
        raise EnvironmentProblem(
            f"The model in {folder.path} failed its self-test (logits differ by {result.worst:.2g} of "
            "their spread), so Quire will not write with it. Please report the model's name."
        )
    return target, num_parameters, result.reproducible and config.reproducible


def _run(loaded: LoadedModel, command: Begin) -> Iterator[RunEvent]:
    from quire_engine.text import Detokenizer, GoalWatch

    prompt = _prompt_of(loaded, command)
    generated = command.generated_ids if isinstance(command, ResumeGeneration) else ()
    yield GenerationStarted(command.run_id, prompt.token_ids, prompt.num_left_out)
    detokenizer = Detokenizer(loaded.tokenizer, prompt.token_ids)
    goal = GoalWatch(command.goal)
    for token_id in generated:
        if goal.add(detokenizer.add((token_id,))):
            yield GenerationFinished(command.run_id, len(generated), FinishReason.GOAL)
            return
    session = _session_of(loaded, command, prompt.token_ids, generated)
    while True:
        if session.must_read:
            with _memory_told():
                for num_read, num_total in session.read():
                    yield ReadingProgressed(command.run_id, num_read, num_total)
        with _memory_told():
            step = session.step()
        kept, text, done = _kept_of(step, detokenizer, goal)
        yield _completed(command.run_id, step, kept, text, goal.num_words)
        if done or step.ended:
            num_tokens = session.num_generated - len(step.token_ids) + len(kept)
            reason = FinishReason.GOAL if done else FinishReason.END_OF_TEXT
            yield GenerationFinished(command.run_id, num_tokens, reason)
            return


def _session_of(
    loaded: LoadedModel, command: Begin, prompt_ids: tuple[int, ...], generated: tuple[int, ...]
) -> DraftingSession:
    from quire_engine.decoding.stream import EndOfText
    from quire_engine.session import DraftingSession
    from quire_engine.text import encode_prompt

    goal = command.goal
    end = EndOfText(loaded.end_ids, goal.min_tokens) if goal.stop_at_end else EndOfText()
    known = command.known_texts if command.drafting.method == "tokenswift" else ()
    return DraftingSession(
        loaded,
        prompt_ids,
        generated,
        command.sampling,
        command.drafting,
        end=end,
        known_texts=[encode_prompt(loaded.tokenizer, text, None).token_ids for text in known],
        forgiving=True,
    )


def _completed(
    run_id: int, step: SessionStep, kept: tuple[int, ...], text: str, num_words: int
) -> StepCompleted:
    """Describe a step by what was kept of it; drafts beyond the goal were neither accepted nor kept."""
    accepted = step.accepted_sources[: len(kept)]
    return StepCompleted(
        run_id=run_id,
        token_ids=kept,
        text=text,
        num_words=num_words,
        draft_depth=step.draft_depth,
        num_accepted=len(accepted),
        step_ms=step.draft_ms + step.verify_ms + step.rest_ms,
        margin=step.margin,
        num_drafted=step.num_drafted,
        accepted_sources=accepted,
        draft_ms=step.draft_ms,
        verify_ms=step.verify_ms,
    )


@contextlib.contextmanager
def _memory_told() -> Iterator[None]:
    """Turn what libraries raise when memory runs out into a sentence; they have no one name for it."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        raise EnvironmentProblem(
            "There is not enough memory to go on with a text of this length. Everything written is kept. "
            "Close other programs or choose a smaller model, then continue."
        ) from error


def _kept_of(
    step: SessionStep, detokenizer: Detokenizer, goal: GoalWatch
) -> tuple[tuple[int, ...], str, bool]:
    """Return a step's tokens up to the goal, their text, and whether the goal is reached.

    Stop rules look at one token at a time; what a pass wrote beyond the goal is thrown away, and so is the
    mark that ends a text.
    """
    tokens = step.token_ids[:-1] if step.ended else step.token_ids
    text = ""
    for count, token_id in enumerate(tokens, start=1):
        piece = detokenizer.add((token_id,))
        text += piece
        if goal.add(piece):
            return tokens[:count], text, True
    return tokens, text, False


def _prompt_of(loaded: LoadedModel, command: Begin) -> EncodedPrompt:
    from quire_engine.text import EncodedPrompt, encode_prompt

    capacity = loaded.target.context_length
    if isinstance(command, ResumeGeneration):
        return EncodedPrompt(command.prompt_ids, 0)
    if not command.prompt_text.strip():
        raise EnvironmentProblem("There is no text to go on from. Write or paste an opening first.")
    tail = capacity // 2 if command.read_tail else None
    prompt = encode_prompt(loaded.tokenizer, command.prompt_text, tail, whole_up_to=capacity)
    if not prompt.token_ids:
        raise EnvironmentProblem(
            "The model's tokenizer makes nothing of this text. Write or paste an opening."
        )
    if len(prompt.token_ids) > capacity:
        raise EnvironmentProblem(
            f"The text has {len(prompt.token_ids):,} tokens and this model can hold {capacity:,}. "
            "Let it read only the newest part (in commands: --read-tail), shorten the text, or choose a "
            "model that holds more."
        )
    return prompt
