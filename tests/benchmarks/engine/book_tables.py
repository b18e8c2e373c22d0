"""The tables of `book`: a row for every stretch of the draft, beside the plain draft of the same text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

PAGE = "first page"
_PLAIN = "plain"
_ENOUGH = 20  # steps


def book_tables(reports: Sequence[dict[str, Any]]) -> str:
    """Return the Markdown of drafts of one text: all of them side by side, then each by itself.

    reports: the newest last, which knows of all others whether they are the same text.
    """
    plain = next((each for each in reports if each["asked"]["drafters"] == _PLAIN), None)
    by_name = {} if plain is None else {row["name"]: row for row in plain["stretches"]}
    model = reports[0]["text"]["model"]
    lines = [
        f"# A draft by {model['name']}, {model['dtype']}, seed {reports[0]['text']['sampling']['seed']}",
        "",
        f"{reports[0]['machine']['processor']}, {reports[0]['machine']['threads']} threads, processor time. "
        f"The same text in all: {reports[-1]['same_text']}.",
        "",
        *_side_by_side([each for each in reports if each is not plain], by_name),
    ]
    for each in reports:
        lines += ["", f"## {each['name']}", "", *_alone(each, by_name)]
    return "\n".join(lines) + "\n"


def over_plain(row: dict[str, Any], plain: dict[str, dict[str, Any]], *, reading: bool) -> float | None:
    """Return the speed of a stretch over the plain draft's, by processor time per token.

    reading: with what is read when the context rolls over, and before the first step.
    """
    base = plain.get(row["name"])
    return None if base is None else tokens_per_s(row, reading=reading) / tokens_per_s(base, reading=reading)


def tokens_per_s(row: dict[str, Any], *, reading: bool = False) -> float:
    """Return the tokens per second of processor time of a stretch."""
    seconds: float = row["writing_s"] + (row["reading_s"] if reading else 0.0)
    return float(row["tokens"]) / max(seconds, 1e-9)


def over_own_plain(row: dict[str, Any]) -> float | None:
    """Return the speed of a stretch over that of its own plain steps, at the same moments of the machine.

    It says more than `over_plain` where other programs' use of the processor's caches changed between the two
    drafts; None where there were too few such steps.
    """
    steps: int = row["num_plain"]
    return None if steps < _ENOUGH else tokens_per_s(row) * float(row["plain_s"]) / steps


def stretch_line(row: dict[str, Any]) -> str:
    """Return a stretch as a line for people."""
    alpha = "" if row["alpha"] is None else f", alpha {row['alpha']:.2f}"
    return (
        f"{row['name']:>10}: {row['words']:,} words, {tokens_per_s(row):.1f} tokens/s, "
        f"{row['tokens_per_pass']:.3f} a pass, {row['led']} led{alpha}; "
        f"{_number(over_own_plain(row))} times its own plain passes; "
        f"{row['writing_s']:.1f} s, reading {row['reading_s']:.1f} s"
    )


def _side_by_side(reports: Sequence[dict[str, Any]], plain: dict[str, dict[str, Any]]) -> list[str]:
    """Return tokens a pass and the speed over plain of every draft."""
    rows = {each["name"]: {row["name"]: row for row in each["stretches"]} for each in reports}
    names = list(dict.fromkeys([*plain, *(name for each in rows.values() for name in each)]))
    header = "".join(f" {name}: a pass | over plain |" for name in rows)
    lines = [f"| Words | plain, tokens/s |{header}", "|---" * (2 + 2 * len(rows)) + "|"]
    for name in names:
        cells = [f"{tokens_per_s(plain[name]):.1f}" if name in plain else ""]
        for each in rows.values():
            row = each.get(name)
            cells += ["", ""] if row is None else [f"{row['tokens_per_pass']:.2f}", _times(row, plain)]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _alone(report: dict[str, Any], plain: dict[str, dict[str, Any]]) -> list[str]:
    lines = [
        "| Words | Tokens | Passes | A pass | Writing, s | Reading, s | Tokens/s | Over plain | With reading "
        "| Over its own plain passes | Led | Passes with guesses | Alpha |",
        "|---" * 13 + "|",
    ]
    for row in report["stretches"]:
        alpha = "" if row["alpha"] is None else f"{row['alpha']:.2f}"
        lines.append(
            f"| {row['name']} | {row['tokens']:,} | {row['steps']:,} | {row['tokens_per_pass']:.3f} "
            f"| {row['writing_s']:.1f} | {row['reading_s']:.1f} | {tokens_per_s(row):.1f} "
            f"| {_times(row, plain)} | {_times(row, plain, reading=True)} "
            f"| {_number(over_own_plain(row))} | {row['led']} "
            f"| {row['drafting_steps'] / row['steps']:.0%} | {alpha} |"
        )
    return lines


def _times(row: dict[str, Any], plain: dict[str, dict[str, Any]], *, reading: bool = False) -> str:
    return _number(over_plain(row, plain, reading=reading))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
