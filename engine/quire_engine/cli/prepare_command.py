"""`prepare MODEL --text FILE... --minutes N`: drafters by time, and what they are worth afterwards."""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path

import torch

from quire_engine.answers.preparation_drafts import OwnText, pace_with
from quire_engine.api.config import ModelConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.sampling_scale import scaled
from quire_engine.models import loading
from quire_engine.runtime.loaded_model import LoadedModel, load_model
from quire_engine.training.draft_samples import Taught
from quire_engine.training.hidden_states import Tokens
from quire_engine.training.prepare_model import read_texts
from quire_engine.training.timed_plan import TimedAdvance, TimedPlan, TimedResult
from quire_engine.training.timed_preparation import TimedPreparation, split
from quire_engine.training.unfinished_work import stopping_cleanly

_VERDICT_SHARE, _VERDICT_MINUTES = 0.2, 0.75  # of the time, at most, for drafting with and without
_SHORTEST = 8.0  # seconds of each draft
_GROWTH = 10.0  # of the penalty, as in the presets
_VERDICT_TOKENS = 256  # of the text that the drafts go on from


def run(args: argparse.Namespace) -> int:
    """Run the command; exit status as for every command of the engine. EnvironmentProblem is the caller's."""
    if not (math.isfinite(args.minutes) and args.minutes > 0):
        raise EnvironmentProblem("minutes must be more than 0, got {minutes}.", minutes=args.minutes)
    started = time.monotonic()
    printer = _Printer()
    printer.advance(TimedAdvance("given text", 0, 0.0, 60 * args.minutes))
    folder = loading.inspect_folder(args.model)
    text = read_texts(args.text, loading.load_tokenizer(folder), int(folder.config.vocab_size))
    split(text)  # a text that is too short is said before the model is loaded
    out = args.out or args.model
    loaded = _loaded(args, out)
    plan = TimedPlan(
        minutes=args.minutes,
        # loading has taken some of the time, too
        reserved=min(_VERDICT_MINUTES, _VERDICT_SHARE * args.minutes),
        sampling=_usual_sampling(loaded, args.seed),
        vocabulary=args.vocabulary,
        seed=args.seed,
    )
    taught = Taught(folder, loaded.target, OwnText(loaded, plan.sampling), loaded.suppressed)
    try:
        with stopping_cleanly(printer.stop):
            result = TimedPreparation(taught, text, out, plan, printer.advance, began=started).run()
    except KeyboardInterrupt:
        sys.stderr.write("Stopped and saved; the same command goes on.\n")
        return 130
    sys.stdout.write(
        f"Expected tokens per pass on text it did not see: {result.before:.2f} before, "
        f"{result.after:.2f} now.\n"
    )
    left = 60 * args.minutes - (time.monotonic() - started)
    try:
        _say_pace(loaded, text, result, plan.sampling, left)
    except KeyboardInterrupt:
        sys.stderr.write("The drafters are there; only the comparison was stopped.\n")
    return 0


def _loaded(args: argparse.Namespace, out: Path) -> LoadedModel:
    """Load the model as drafts use it."""
    loaded = load_model(
        ModelConfig(
            folder=str(args.model),
            device=args.device,
            threads=args.threads,
            weights="auto",
            drafters_folder=str(out),
            cache_folder="" if args.cache is None else str(args.cache),
        )
    )
    torch.set_num_threads(loading.thread_choices(args.threads)[0])
    return loaded


def _usual_sampling(loaded: LoadedModel, seed: int) -> SamplingConfig:
    """Return the settings most drafts with this model use."""
    usual = SamplingConfig(seed=seed, penalty_growth=_GROWTH)
    return usual if loaded.description.scale is None else scaled(usual, loaded.description.scale)


def _say_pace(
    loaded: LoadedModel, text: Tokens, result: TimedResult, sampling: SamplingConfig, seconds: float
) -> None:
    """Draft with what was there and with what is there now, and say how fast either was."""
    # the end of the text, which nothing was learnt from
    ids = [int(token) for token in text[-_VERDICT_TOKENS:]]
    each = max(_SHORTEST, seconds / 2)
    before, now = (
        pace_with(loaded, trained, ids, sampling, each) for trained in (result.previous, result.drafters)
    )
    sys.stdout.write(
        f"Drafting: {before.tokens_per_pass:.2f} tokens per pass and {before.tokens_per_s:.1f} tokens/s "
        f"before, {now.tokens_per_pass:.2f} and {now.tokens_per_s:.1f} now.\n"
    )


class _Printer:
    """Says how far it has come, about once a second."""

    def __init__(self) -> None:
        self._said = ("", -math.inf)
        self._must_stop = False

    def stop(self) -> None:
        """Let the next report stop the preparation."""
        self._must_stop = True

    def advance(self, advance: TimedAdvance) -> None:
        if self._must_stop:
            raise KeyboardInterrupt
        stage, then = self._said
        now = time.monotonic()
        if stage == advance.stage and now - then < 1:
            return
        self._said = advance.stage, now
        share = min(1.0, advance.seconds / advance.total_seconds)
        left = math.ceil((1 - share) * advance.total_seconds / 60)
        unit = {"feature": "steps", "evaluation": ""}.get(advance.stage, "tokens")
        done = f"{advance.done:,} {unit}, " if unit else ""
        loss = "" if advance.loss is None else f", loss {advance.loss:.3f}"
        sys.stdout.write(f"{advance.stage}: {done}{share:.0%} done{loss}, about {left} min left\n")
        sys.stdout.flush()
