"""Arguments that several commands share: sampling, texts, what ships with Quire."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.user_cache import own_cache
from quire_engine.catalog.gguf_files import is_gguf

_NO_MODEL = "No built-in model is installed. Name a model folder with --model."


def add_sampling_options(parser: argparse.ArgumentParser) -> None:
    """Add the sampling options; defaults: temperature 1, min-p 0.1, theta 1.2, W 1,024."""
    defaults = SamplingConfig()
    parser.add_argument("--temperature", type=float, default=defaults.temperature, help="0 is greedy")
    parser.add_argument("--top-k", type=int, default=defaults.top_k)
    parser.add_argument("--top-p", type=float, default=defaults.top_p)
    parser.add_argument("--min-p", type=float, default=defaults.min_p)
    parser.add_argument("--eta", type=float, default=defaults.eta)
    parser.add_argument(
        "--penalty",
        type=float,
        default=defaults.repetition_penalty,
        dest="repetition_penalty",
        metavar="THETA",
    )
    parser.add_argument("--penalty-window", type=int, default=defaults.penalty_window)
    parser.add_argument("--penalty-growth", type=float, default=defaults.penalty_growth)


def sampling_of(args: argparse.Namespace) -> SamplingConfig:
    """Return the sampling settings from the arguments; ValueError if they are invalid."""
    given = [rule.name for rule in fields(SamplingConfig) if rule.name != "banned"]
    return SamplingConfig(**{name: getattr(args, name) for name in given})


def built_in_model() -> Path:
    """Return the folder of the model that ships with Quire; a sentence where it is not installed."""
    try:
        from quire_resources import BUILT_IN_MODEL
    except ImportError as error:
        raise EnvironmentProblem(_NO_MODEL) from error
    if not (BUILT_IN_MODEL / "config.json").is_file():
        raise EnvironmentProblem(_NO_MODEL)
    return BUILT_IN_MODEL


def built_in_ngrams() -> str:
    """Return the folder whose n-grams are translated for other models; empty where it is not installed."""
    with suppress(EnvironmentProblem):
        return str(built_in_model())
    return ""


def model_folder(named: Path | None) -> Path:
    """Return the folder of a model: the built-in one's without a name.

    That of a GGUF file is made in the user's cache as the window makes it: with what ships for the model.
    """
    if named is None:
        return built_in_model()
    if not is_gguf(named):
        return named
    from quire_engine.importing.shipped_parts import import_with_shipped  # numpy: not before it is needed

    return import_with_shipped(named, own_cache())


def installed_model() -> str:
    """Return the model file that came with this installation, which guesses for larger ones; empty: none."""
    files = sorted(Path(sys.prefix, "share", "quire", "models").glob("*.gguf"))
    return str(files[0]) if files else ""


def sample_opening() -> Path:
    """Return the opening that ships with Quire; a sentence where it is not installed."""
    try:
        from quire_resources import SAMPLE_OPENING
    except ImportError as error:
        raise EnvironmentProblem("No sample opening is installed. Name a text with --prompt-file.") from error
    return SAMPLE_OPENING


def read_prompt(path: Path) -> str:
    """Return the text of a UTF-8 file; a sentence where there is none to continue from."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise EnvironmentProblem(
            "The prompt file {path} doesn't exist. Check the name.", path=path
        ) from error
    except UnicodeDecodeError as error:
        raise EnvironmentProblem(
            "{path} is not UTF-8 text. Save it as UTF-8 and try again.", path=path
        ) from error
    if not text.strip():
        raise EnvironmentProblem("{path} is empty. Write an opening for the model to continue.", path=path)
    return text
