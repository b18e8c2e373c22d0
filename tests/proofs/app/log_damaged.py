"""T15: after damage to a log left by a kill, nothing is missing, or the writer reads how much since when."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from quire.services.transactions import project_text
from quire.storage.project_file import open_project_file
from tests.proofs.app.killed_project import NAME, KilledProject, killed, names_like
from tests.proofs.app.outcome import CheckResult

_ABOUT = 0.35
"""How far the number of words may be off: it is counted in characters."""
_FEW = 6
_PAGE = 4096


def damaged_logs(folder: Path, seed: int, number: int) -> Iterator[CheckResult]:
    """Damage the log of a killed project at a number of places, one after another."""
    rng = random.Random(seed)
    left = killed(folder / "killed", rng, rng.choice((3, 20, 80)))
    for turn in range(number):
        kind = rng.choice(tuple(DAMAGE))
        yield _tried(kind, left, folder / f"{turn}", rng)


def _tried(kind: str, left: KilledProject, folder: Path, rng: random.Random) -> CheckResult:
    path = left.copied(folder)
    log = path.with_name(f"{NAME}-wal")
    content = log.read_bytes()
    broken = DAMAGE[kind](content, rng)
    log.write_bytes(broken)
    try:
        outcome, wrong = _opened(path, left, broken)
    except Exception as error:  # noqa: BLE001  that is what is looked for
        return CheckResult(kind, repr(error))
    return CheckResult(f"{kind}, {outcome}", wrong)


def _opened(path: Path, left: KilledProject, broken: bytes) -> tuple[str, str]:
    file = open_project_file(path)
    try:
        text = project_text.open_and_recover(file).document.text
        said = " ".join(map(str, file.notices))
    finally:
        file.close()
    if text not in left.texts:
        return "opened", "a text that there never was"
    kept = [found.read_bytes() for found in names_like(path.parent, ("damaged log", "old log"))]
    if text == left.texts[-1]:
        return "nothing lost", "" if "may be missing" not in said or _is_few(
            said
        ) else f"too much said: {said}"
    missing = len(left.texts[-1].split()) - len(text.split())
    if "may be missing" not in said:
        return "told", f"{missing} words are missing, and nothing says so: {said!r}"
    if broken and broken not in kept:
        return "told", "the damaged log was not kept"
    return "told", "" if _about(said, missing) else f"{missing} words are missing, but it says: {said}"


def _is_few(said: str) -> bool:
    return "changes that were saved" in said


def _about(said: str, missing: int) -> bool:
    found = re.search(r"about ([\d,]+) words", said)
    if found is None:
        return _is_few(said) and missing <= _FEW
    told = int(found[1].replace(",", ""))
    return abs(told - missing) <= max(_FEW, _ABOUT * missing)


# ---------------------------------------------------------------- what is damaged
def _one_bit(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _zero_page(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(max(1, len(content) // _PAGE)) * _PAGE
    return content[:at] + bytes(min(_PAGE, len(content) - at)) + content[at + _PAGE :]


def _cut(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content))]


def _noise(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(content))
    noise = rng.randbytes(rng.choice((1, 16, 512)))[: len(content) - at]
    return content[:at] + noise + content[at + len(noise) :]


DAMAGE: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "one bit": _one_bit,
    "a zero page": _zero_page,
    "a cut": _cut,
    "noise": _noise,
}
