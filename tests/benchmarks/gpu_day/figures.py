"""Figures that the slices leave, read from their reports, with the goals beside them; the table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

PLAIN_GOAL = 1.25
"""A plain step takes at most so many times its bandwidth roofline."""
SPEED_GOAL, SPEED_GOAL_AT = 3.0, 16_384
"""TokenSwift is so many times as fast as plain decoding at this length, with trained drafters."""
LONG_GOAL, LONG_GOAL_SHAPE = 4.0, "llama-3.1-8b"
"""100,000 tokens of this shape take fewer minutes on an H200."""
REPORT, OUTPUT = "report.json", "output.txt"
"""Files in the folder of a slice: what its command reported, and what it said."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. goal: what it should be, in words; holds: whether it is, None where nothing was wanted."""

    name: str
    value: str
    goal: str = ""
    holds: bool | None = None

    def report(self) -> dict[str, Any]:
        """Return it for JSON."""
        return asdict(self)


def _report(folder: Path) -> Any:
    return json.loads((folder / REPORT).read_text(encoding="utf-8"))


def no_figures(_: Path) -> list[Figure]:
    """Return nothing: the exit status says all."""
    return []


def of_tests(folder: Path) -> list[Figure]:
    """Read pytest's report."""
    suites = ElementTree.parse(folder / "report.xml").getroot().iter("testsuite")
    counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for suite in suites:
        for name in counts:
            counts[name] += int(suite.get(name) or 0)
    bad = counts["failures"] + counts["errors"]
    run = counts["tests"] - counts["skipped"] - bad
    said = f"{run} passed, {bad} failed, {counts['skipped']} skipped"
    return [
        Figure("tests that need a GPU", said, "all pass, none is skipped", run > 0 == bad + counts["skipped"])
    ]


def of_law(folder: Path) -> list[Figure]:
    """Read a report of `device_proof`: what held, how fast, and the digest of the plain text."""
    report = _report(folder)
    found: list[Figure] = []
    for machine in report["machines"]:
        of_format = [one for one in report["findings"] if one["dtype"] == machine["dtype"]]
        bad = [f"{one['row']}: {one['difference'] or one['missing']}" for one in of_format]
        bad = [text for text in bad if not text.endswith(": ")]
        what = f"{machine['dtype']}, {machine['passes']} passes"
        said = f"{len(of_format) - len(bad)} of {len(of_format)} hold over {report['tokens']:,} tokens"
        found.append(
            Figure(f"the law in {what}", "; ".join([said, *bad]), "all hold", not bad and bool(of_format))
        )
        bits = "repeat their bits" if machine["passes_repeat_their_bits"] else "do not repeat their bits"
        found.append(Figure(f"passes in {what}", bits, "repeat", bool(machine["passes_repeat_their_bits"])))
        found += [
            Figure(f"plain text in {what}", digest, "the same for graphs and step by step")
            for digest in machine["texts"].values()
        ]
        found += [
            Figure(
                f"{one['row']}, {what}",
                f"{one['tokens_per_s']:.1f} tokens/s, {one['tokens_per_pass']:.2f} a pass",
            )
            for one in of_format
            if one["tokens_per_s"]
        ]
    return found


def of_survival(folder: Path) -> list[Figure]:
    """Read what recorded passes outlived."""
    return [
        Figure(
            one["trouble"],
            f"{one['num_tokens']:,} tokens, {one['times']} times{', ' + one['note'] if one['note'] else ''}"
            f"{': ' + one['difference'] if one['difference'] else ''}",
            "the same text",
            one["holds"],
        )
        for one in _report(folder)["troubles"]
    ]


def of_speed(folder: Path) -> list[Figure]:
    """Read a report of the benchmark `speed`."""
    found: list[Figure] = []
    report = _report(folder)
    trained = ", ".join(report["machine"]["trained_drafters"]) or "no trained drafters"
    for length in report["lengths"]:
        for method in length["methods"]:
            over = method["over"].get("plain")
            said = f"{method['tokens_per_s']:.1f} tokens/s" + (f", {over:.2f}x plain" if over else "")
            goal, holds = "", None
            if method["name"] == "TokenSwift" and over and length["context"] >= SPEED_GOAL_AT:
                goal, holds = f"{SPEED_GOAL:g}x plain", over >= SPEED_GOAL
            found.append(Figure(f"{method['name']} at {length['context']:,} ({trained})", said, goal, holds))
    return found


def of_roofline(folder: Path) -> list[Figure]:
    """Read a report of the benchmark `roofline`: plain and tree, the library, the minutes of a long text."""
    report = _report(folder)
    found = [Figure("memory, read", f"{report['device_speed']['read'] / 1e9:,.0f} GB/s")]
    for shape in report["shapes"]:
        name, plain = shape["shape"]["name"], dict[int, float]()
        for one in shape["timings"]:
            if one["kind"] not in ("plain step", "verify step") or one["rows"] not in (1, shape["width"]):
                continue
            kind = f"{name}, {one['kind']} of {one['rows']} at {one['length']:,} ({shape['backend']})"
            goal, holds = "", None
            if one["kind"] == "plain step" and one["rows"] == shape["width"]:
                plain[one["length"]] = one["ms"]
                goal, holds = f"{PLAIN_GOAL:g}x the roofline", one["ratio"] <= PLAIN_GOAL
            found.append(Figure(kind, f"{one['ms']:.2f} ms, {one['ratio']:.2f}x the roofline", goal, holds))
        for one in shape["generate"]:
            said = one["reason"] if one["ms"] is None else f"{one['ms']:.2f} ms"
            if one["ms"] is not None and one["length"] in plain:
                said += f", Quire's plain step is {one['ms'] / plain[one['length']]:.2f}x as fast"
            found.append(Figure(f"{name}, generate, {one['cache']} cache at {one['length']:,}", said))
        for one in shape["projected_minutes_per_100k"]:
            wanted = name == LONG_GOAL_SHAPE and one["method"].startswith("TokenSwift")
            found.append(
                Figure(
                    f"{name}, 100,000 tokens, projected, {one['method']}",
                    f"{one['minutes']:.1f} minutes",
                    f"under {LONG_GOAL:g} minutes" if wanted else "",
                    one["minutes"] < LONG_GOAL if wanted else None,
                )
            )
    return found


def of_other_engine(folder: Path) -> list[Figure]:
    """Read what another engine took for the same shape, or why it did not run."""
    return [Figure(one["name"], one["said"]) for one in _report(folder)["figures"]]


def of_loss(folder: Path) -> list[Figure]:
    """Read the held-out loss that `tests.training loss` printed."""
    said = (folder / OUTPUT).read_text(encoding="utf-8")
    found = json.loads(said[said.index("{") : said.rindex("}") + 1])
    text = f"{found['mean']:.4f} nats per token, perplexity {found['perplexity_per_word']:.1f} per word"
    return [Figure("held-out loss", text)]


def of_training(folder: Path) -> list[Figure]:
    """Read how far a training came, from what it printed."""
    said = (folder / OUTPUT).read_text(encoding="utf-8")
    steps = re.findall(r"^step (\d+).*loss ([\d.]+)\s+([\d,]+) tokens/s", said, re.MULTILINE)
    found = [Figure("last step", f"{step}, loss {loss}, {pace} tokens/s") for step, loss, pace in steps[-1:]]
    found += [
        Figure("held-out loss", f"{loss} nats per token")
        for loss in re.findall(r"held-out loss ([\d.]+)", said)
    ]
    found += [
        Figure(name, text)
        for name, text in re.findall(r"^(\w+): (.*tokens per pass expected.*)$", said, re.MULTILINE)
    ]
    return found


def of_window(folder: Path) -> list[Figure]:
    """Read what a draft in the window came to."""
    one = _report(folder)
    pace = one["words"] / one["seconds"]
    said = f"{one['words']:,} words in {one['seconds']:.0f} s ({pace:.1f} a second), {one['computes']}"
    return [
        Figure(f"the window on {one['screen']}, cards: {one['cards']}", said),
        Figure("what it said", "; ".join(one["said"])),
        Figure("late by its own work", f"{one['share_late_by_own_work']:.2%} of the time"),
    ]


_NAMES = {1: "Tests", 2: "The law", 3: "Speed", 4: "Training", 5: "The window"}


def table(machine: Mapping[str, Any], slices: Iterable[tuple[int, str, str, Mapping[str, Any]]]) -> str:
    """Return the day as Markdown. slices: (point, name, title, what is kept of it; empty: not tried yet)."""
    lines = ["# A day with a GPU", "", *(f"- {name}: {value}" for name, value in machine.items())]
    point = None
    for number, name, title, kept in slices:
        if number != point:
            point = number
            lines += ["", f"## {number}. {_NAMES[number]}", ""]
            lines += ["| slice | state | figure | value | goal | |", "|---|---|---|---|---|---|"]
        state = str(kept.get("state", "not tried"))
        if "seconds" in kept:
            state += f" ({kept['seconds']:.0f} s)"
        lines.append(f"| {name} | {state} | {title} | {_cell(kept.get('said', ''))} | | |")
        for one in kept.get("figures", ()):
            verdict = {True: "reached", False: "missed", None: ""}[one["holds"]]
            lines.append(f"| | | {_cell(one['name'])} | {_cell(one['value'])} | {one['goal']} | {verdict} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "/").split())
