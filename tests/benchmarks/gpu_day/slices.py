"""The day as slices: commands of this checkout in the order of their worth, each within ten minutes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from quire_engine.cli.arguments import built_in_model
from tests.benchmarks.gpu_day import figures
from tests.benchmarks.gpu_day.figures import Figure
from tests.benchmarks.gpu_day.place import Day

MINUTES = "{minutes}"
"""Stands in a command for the minutes that it may take."""
SHAPES = ("qwen2.5-1.5b", "qwen2.5-7b", "llama-3.1-8b")
_BENCHMARKS, _TRAINING = "tests.benchmarks.engine", "tests.training"
_MATERIALS = "tests.benchmarks.gpu_day.materials"
_FEW_ROWS = ("--rows", "plain, resumed", "auto")


@dataclass(frozen=True, slots=True)
class Slice:
    """One command of the day.

    Attributes:
        point: of the day, 1 to 5.
        module: with a `main(arguments)`, and started by `python -m`.
        minutes: after so many it is stopped.
        read: takes figures out of the folder that it wrote into.
        needs: files and folders without which it waits.
        goes_on: stopped, it continues where it was when it is started again.
        own_process: never run inside another one.
        environment: variables of its process.
    """

    name: str
    point: int
    title: str
    module: str
    arguments: tuple[str, ...]
    minutes: float
    read: Callable[[Path], list[Figure]] = figures.no_figures
    needs: tuple[Path, ...] = ()
    goes_on: bool = False
    own_process: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)


def plan(day: Day) -> list[Slice]:
    """Return the slices of the day, in its order."""
    return [
        *_tests(day),
        *_law(day, "built-in", day.base if day.is_small else built_in_model()),
        *_law(day, "smollm2", day.base),
        *_speed(day),
        *_training(day),
        *_window(day),
    ]


def _words(*parts: str | Path | tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a command: texts are cut at spaces, paths and tuples stay as they are."""
    found: list[str] = []
    for part in parts:
        found += part.split() if isinstance(part, str) else [str(part)] if isinstance(part, Path) else part
    return tuple(found)


def _where(day: Day) -> str:
    """Return the device as options; a trial keeps to one thread."""
    return f"--device {day.device}" + (" --threads 1" if day.is_small else "")


def _imported(day: Day, adapter: Path | None = None) -> tuple[str, ...]:
    """Return how SmolLM2 is made; a trial makes up a tiny model instead."""
    if day.is_small:
        return ("tiny",)
    return _words("model --file", day.model_file, *(() if adapter is None else ("--adapter", adapter)))


# ---------------------------------------------------------------- 1, 2: the tests and the law
def _tests(day: Day) -> list[Slice]:
    files = [file for file in sorted(Path("tests").rglob("test_*.py")) if _needs_gpu(file)]
    report = f"--junitxml={day.folder('tests') / 'report.xml'}"
    # other versions of the libraries may warn of what ours do not
    command = _words("-m gpu -q -W default -p no:cacheprovider", (report,), *files)
    making = _words(_imported(day), "--to", day.base)
    needs = () if day.is_small else (day.model_file,)
    return [
        Slice("tests", 1, "pytest -m gpu", "pytest", command, 8, figures.of_tests, own_process=True),
        Slice("import", 2, "SmolLM2 out of its file", _MATERIALS, making, 3, needs=needs),
    ]


def _needs_gpu(file: Path) -> bool:
    return "mark.gpu" in file.read_text(encoding="utf-8")


def _law(day: Day, model: str, folder: Path) -> list[Slice]:
    found: list[Slice] = []
    size, lasting = ("12", "200") if day.is_small else ("5000", "2000")
    ways = [(way, "bfloat16", _where(day)) for way in ("graphs", "steps", "portable")]
    ways.append(("portable", "float32", _where(day)))
    ways.append(("auto", "int8", "--device cpu"))  # passes in whole numbers are a processor's
    for way, dtype, where in ways:
        name = f"law-{model}-integers" if dtype == "int8" else f"law-{model}-{way}-{dtype}"
        command = _words(
            where, f"--dtypes {dtype} --backend {way} --tokens {size} --minutes {MINUTES} --model", folder,
            "--json", day.report(name), () if way == "graphs" and not day.is_small else _FEW_ROWS,
        )  # fmt: skip
        proof = "tests.proofs.engine.device_proof"
        found.append(Slice(name, 2, "device_proof", proof, command, 5, figures.of_law, (folder,)))
    name, title = f"survival-{model}", "growth, pauses, memory that runs out"
    command = _words(_where(day), f"--tokens {lasting} --model", folder, "--json", day.report(name))
    module = "tests.benchmarks.gpu_day.survival"
    return [*found, Slice(name, 2, title, module, command, 5, figures.of_survival, (folder,))]


# ---------------------------------------------------------------- 3: speed
def _speed(day: Day) -> list[Slice]:
    found = [
        _speed_of(day, "speed-built-in", built_in_model(), "1024 4096 16384"),
        _speed_of(day, "speed-smollm2", day.base, "1024 4096 6500"),  # it holds 8,192
    ]
    for shape in ("tiny",) if day.is_small else SHAPES:
        found.append(_roofline(day, shape, "graphs"))
        if shape == SHAPES[0]:
            found.append(_roofline(day, shape, "steps"))
        name = f"other-engine-{shape}"
        command = _words("--shape", shape, "--json", day.report(name))
        module, read = "tests.benchmarks.gpu_day.other_engine", figures.of_other_engine
        found.append(Slice(name, 3, "vLLM, where it is installed", module, command, 6, read))
    return found


def _speed_of(
    day: Day, name: str, model: Path, lengths: str, point: int = 3, drafters: Path | None = None
) -> Slice:
    size = f"--lengths {lengths} --tokens 256 --turns 3 --each"
    size = "--lengths 24 --tokens 4 --turns 1" if day.is_small else size
    beside = () if drafters is None else _words("--drafters-folder", drafters)
    command = _words("speed", _where(day), size, "--model", model, beside, "--json", day.report(name))
    title, needs = "TokenSwift, plain, generate", (model / "config.json", *filter(None, (drafters,)))
    return Slice(name, point, title, _BENCHMARKS, command, 6, figures.of_speed, needs)


def _roofline(day: Day, shape: str, way: str) -> Slice:
    name, accepted = f"roofline-{shape}-{way}", day.report("speed-built-in")
    size = "--lengths 1024 4096 16384 98304 --rows 1 8 16 32"
    size = "--lengths 64 128 --rows 8 --rounds 3 --dtype bfloat16" if day.is_small else size
    backend = "--backend 0" if way == "graphs" else "--backend 1 --no-generate"
    command = _words(
        f"roofline --shape {shape}", _where(day), size, backend, "--acceptance", accepted,
        "--json", day.report(name),
    )  # fmt: skip
    title = "passes against the memory bandwidth"
    return Slice(name, 3, title, _BENCHMARKS, command, 9, figures.of_roofline, (accepted,))


# ---------------------------------------------------------------- 4: training
def _training(day: Day) -> list[Slice]:
    corpus = day.work / "books" if day.is_small else day.corpus
    size = f"--chars {30_000 if day.is_small else 12_000_000}"
    text = _words("text --corpus", corpus, size, "--to", day.text)
    found = [Slice("text", 4, "text for drafters", _MATERIALS, text, 2, needs=(corpus,))]
    if day.is_small:
        making = _words("books --to", corpus)
        found.insert(0, Slice("books", 4, "a corpus for the trial", _MATERIALS, making, 1))
    return [*found, *_adapter(day, corpus), *_medium(day, corpus)]


def _adapter(day: Day, corpus: Path) -> list[Slice]:
    # every book as a whole, once: 760 steps of 65,536 tokens are 50 million
    size = "--steps 760 --pieces 64 --length 1024 --max-book-chars 100000000"
    if day.is_small:
        size = "--steps 3 --rank 2 --pieces 2 --length 48 --max-book-chars 3000"
    source = day.base / "config.json" if day.is_small else day.model_file
    given = _words("--model", day.base, "--corpus", corpus, _where(day))
    train = _words(
        "adapter", given, size, "--source", source, "--work", day.work / "adapter", "--out", day.adapter,
        "--minutes", MINUTES,
    )  # fmt: skip
    loss = _words("loss", given, f"--pieces {1 if day.is_small else 16}")
    with_it = _words(loss, "--adapter", day.adapter)
    making = _words(_imported(day, day.adapter), "--to", day.tuned)
    needs, both = (day.base, corpus), (day.base, corpus, day.adapter)
    read, learnt = figures.of_loss, figures.of_training
    title = "the adapter, on the whole corpus"
    return [
        Slice("loss-base", 4, "SmolLM2 on unseen books", _TRAINING, loss, 3, read, needs),
        Slice("adapter", 4, title, _TRAINING, train, 8, learnt, needs, goes_on=True),
        Slice("loss-adapter", 4, "SmolLM2 with it, on unseen books", _TRAINING, with_it, 3, read, both),
        Slice("import-adapter", 4, "SmolLM2 with it, imported", _MATERIALS, making, 3, needs=(day.adapter,)),
        _drafters(day, "drafters-smollm2", day.tuned, day.tuned_drafters),
        _speed_of(day, "speed-smollm2-drafters", day.tuned, "1024 6500", 4, day.tuned_drafters),
    ]


def _medium(day: Day, corpus: Path) -> list[Slice]:
    work, model = day.work / "medium", day.medium
    size = "--preset tiny --tokens 8192" if day.is_small else "--preset medium --compile"
    given = _words("--work", work, "--out", model, "--minutes", MINUTES)
    train = _words("train --corpus", corpus, size, _where(day), given)
    few = "--positions 1024 --own-tokens 0" if day.is_small else ""
    ngrams = _words("background --model", model, "--data", work / "packed", _where(day), few)
    needs, read = (model / "config.json",), figures.of_training
    title = "the built-in model at 13 million parameters"
    return [
        Slice("medium", 4, title, _TRAINING, train, 8, read, (corpus,), goes_on=True),
        Slice("background-medium", 4, "its n-grams", _TRAINING, ngrams, 5, needs=needs),
        _drafters(day, "drafters-medium", model, model),
        _speed_of(day, "speed-medium", model, "1024 16384", 4),
    ]


def _drafters(day: Day, name: str, model: Path, out: Path) -> Slice:
    size = "--heads-steps 1200 --feature-steps 4000"
    size = "--heads-steps 1 --feature-steps 1 --own-tokens 0" if day.is_small else size
    command = _words("prepare", model, "--text", day.text, "--out", out, size, _where(day))
    needs, read = (model / "config.json", day.text), figures.of_training
    return Slice(name, 4, "heads and feature drafter", "quire_engine", command, 9, read, needs, goes_on=True)


# ---------------------------------------------------------------- 5: the window
def _window(day: Day) -> list[Slice]:
    left = (1 << 25) if day.device == "cpu" else (1 << 28)
    full = f"--take-memory {day.device} --left {left}"
    return [
        _draft(day, "window-draft", "a long draft", "20000"),
        _draft(day, "window-memory", "the card is full meanwhile", "3000", full),
        _draft(day, "window-lost-card", "the card is gone", "300", cards={"CUDA_VISIBLE_DEVICES": "-1"}),
    ]


def _draft(
    day: Day, name: str, title: str, words: str, more: str = "", cards: Mapping[str, str] | None = None
) -> Slice:
    model = built_in_model() if day.is_small else day.base
    size = f"--words {20 if day.is_small else words}"
    command = _words(
        "--folder", day.work / "window", "--model", model, size, more,
        "--picture", day.folder(name) / "window.png", "--json", day.report(name),
    )  # fmt: skip
    module, read = "tests.benchmarks.gpu_day.window", figures.of_window
    return Slice(
        name, 5, title, module, command, 6, read, (model,), own_process=True, environment=cards or {}
    )
