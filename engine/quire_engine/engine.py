"""The engine: a loaded model and the runs on it. Importing this module imports no torch; `load` does."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from quire_engine.config import ModelConfig
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

    from quire_engine.decoding.stream import Step, TokenStream
    from quire_engine.drafting.base import Drafter, DraftRequest
    from quire_engine.models.adapter import TargetModel
    from quire_engine.models.loading import ModelFolder
    from quire_engine.text import Detokenizer, EncodedPrompt, GoalWatch


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model ready to write: target, tokenizer, ids that are never written, and its description."""

    target: TargetModel
    tokenizer: Tokenizer
    suppressed: tuple[int, ...]
    description: ModelLoaded


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
    import torch

    from quire_engine.models import loading

    started = time.perf_counter()
    folder = loading.inspect_folder(Path(config.folder))
    tokenizer = loading.load_tokenizer(folder)
    dtype = loading.choose_dtype(config.dtype, torch.device("cpu"))
    try:
        target, num_parameters, reproducible = _build_target(folder, config, dtype)
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
    identity = ModelIdentity(
        name=folder.name,
        fingerprint=folder.fingerprint,
        dtype=str(dtype).removeprefix("torch."),
        width=config.width,
        software=loading.software_versions(),
    )
    description = ModelLoaded(
        identity=identity,
        context_length=folder.context_length,
        num_parameters=num_parameters,
        reproducible=reproducible,
        load_s=time.perf_counter() - started,
    )
    suppressed = loading.special_token_ids(tokenizer, int(folder.config.vocab_size))
    return LoadedModel(target, tokenizer, suppressed, description)


def _build_target(
    folder: ModelFolder, config: ModelConfig, dtype: torch.dtype
) -> tuple[TargetModel, int, bool]:
    """Return the model ready to run, its number of parameters, and whether its bits repeat."""
    import torch

    from quire_engine.models import loading, self_test
    from quire_engine.models.network import FUSED_TYPES, FusedDecoder, LibraryNetwork
    from quire_engine.models.passes import PassRunner

    threads = loading.thread_choices(config.threads)
    torch.set_num_threads(threads[0])
    model = loading.build_model(folder, dtype)
    num_parameters = sum(p.numel() for p in model.parameters())
    vocab_size = int(folder.config.vocab_size)
    reference = self_test.reference_logits(model, self_test.chain_ids(vocab_size, config.width))
    fused = folder.config.model_type in FUSED_TYPES and folder.config.hidden_act == "silu"
    network = FusedDecoder(model, config.width) if fused else LibraryNetwork(model)
    target = PassRunner(network, config.width, folder.context_length)
    torch.set_num_threads(self_test.fastest_threads(target, vocab_size, threads))
    result = self_test.run_self_test(target, reference, vocab_size, dtype)
    if not result.matches:
        raise EnvironmentProblem(
            f"The model in {folder.path} failed its self-test (logits differ by {result.worst:.2g} of "
            "their spread), so Quire will not write with it. Please report the model's name."
        )
    return target, num_parameters, result.reproducible


def _run(loaded: LoadedModel, command: Begin) -> Iterator[RunEvent]:
    from quire_engine.decoding.stream import TokenStream
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
    drafter = _drafter_of(command)
    if drafter is not None:
        drafter.observe([*prompt.token_ids, *generated])
    stream = TokenStream(loaded.target, prompt.token_ids, generated, command.sampling, loaded.suppressed)
    while True:
        if stream.must_read:
            with _memory_told():
                for num_read, num_total in stream.read():
                    yield ReadingProgressed(command.run_id, num_read, num_total)
        started = time.perf_counter()
        tree = None if drafter is None else drafter.draft(_request(stream, loaded, command))
        with _memory_told():
            step = stream.step(tree)
        if drafter is not None:
            drafter.observe(step.token_ids)
        kept, text, done = _kept_of(step, detokenizer, goal)
        yield StepCompleted(
            run_id=command.run_id,
            token_ids=kept,
            text=text,
            num_words=goal.num_words,
            draft_depth=step.draft_depth,
            num_accepted=min(step.num_accepted, len(kept)),
            step_ms=(time.perf_counter() - started) * 1000,
            margin=step.margin,
        )
        if done:
            num_tokens = stream.num_generated - len(step.token_ids) + len(kept)
            yield GenerationFinished(command.run_id, num_tokens, FinishReason.GOAL)
            return


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


def _kept_of(step: Step, detokenizer: Detokenizer, goal: GoalWatch) -> tuple[tuple[int, ...], str, bool]:
    """Return a step's tokens up to the goal, their text, and whether the goal is reached.

    Stop rules look at one token at a time; what a pass wrote beyond the goal is thrown away.
    """
    text = ""
    for count, token_id in enumerate(step.token_ids, start=1):
        piece = detokenizer.add((token_id,))
        text += piece
        if goal.add(piece):
            return step.token_ids[:count], text, True
    return step.token_ids, text, False


def _drafter_of(command: Begin) -> Drafter | None:
    from quire_engine.drafting.ngrams import NgramDrafter

    return NgramDrafter() if command.drafting.method == "tokenswift" else None


def _request(stream: TokenStream, loaded: LoadedModel, command: Begin) -> DraftRequest:
    from quire_engine.drafting.base import DraftRequest

    return DraftRequest(
        root_token=stream.last_token,
        index=stream.num_stream,
        seed=command.sampling.seed if command.sampling.temperature > 0 else None,
        max_nodes=loaded.target.width - 1,
        max_depth=stream.draft_room,
    )


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
