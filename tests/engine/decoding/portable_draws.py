"""Draws from rows of whole numbers, and digests of them that are the same on every computer.

Started by itself it prints the digests, so that a test can limit the instructions of its process.
"""

from __future__ import annotations

import hashlib
import struct
import sys
from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np
import torch

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.candidate_tokens import can_shorten, shorten, unpacked
from quire_engine.decoding.gumbel_noise import noise_of
from quire_engine.decoding.sampling import Draw, Ids, Logits, draw
from quire_engine.decoding.sampling_rules import SamplingRules

NOTHING: Ids = np.zeros(0, dtype=np.int64)
SIZES = (3, 40, 700, 6_000, 33_000)
"""Vocabularies: without and with a choice of the best before sorting, without and with blocks."""
SETTINGS = tuple(
    SamplingConfig(
        temperature=temperature,
        top_k=top_k,
        top_p=top_p,
        min_p=min_p,
        eta=eta,
        repetition_penalty=penalty,
        seed=place,
    )
    for place, (temperature, top_k, top_p, min_p, eta, penalty) in enumerate(
        [
            *product((0.8, 1.0), (0, 40), (1.0, 0.9, 0.31), (0.0, 0.07), (0.0, 0.002), (1.0, 1.2)),
            (0.0, 0, 1.0, 0.1, 0.0, 1.2),
            (0.003, 0, 0.5, 0.0, 0.0, 1.0),
            (50.0, 2000, 0.999, 1e-6, 1e-7, 700.0),
        ]
    )
)


@cache
def row_of(size: int, place: int) -> Logits:
    """Return logits that no rounding touches: 2^12 different ones, high ones rare, two of them suppressed."""
    ids = np.arange(size, dtype=np.int64)
    mixed = (ids * 2_654_435_761 + place * 40_503_551) % 1_000_003
    logits = ((mixed % 4096) / 256 - 12).astype(np.float32)
    logits[mixed % 97 == 0] += 6
    logits[[place % size, (7 * place + 1) % size]] = -np.inf
    return logits


@cache
def window_of(size: int, place: int) -> Ids:
    """Return ids in the penalty window, the likeliest among them."""
    return np.unique(np.append(np.arange(place % 5, size, 5), row_of(size, place).argmax()))


def draws() -> Iterator[Draw]:
    """Draw from rows of every size with every setting."""
    for size, (place, settings) in product(SIZES, enumerate(SETTINGS)):
        for index in range(place, place + (2 if size > 1000 else 12)):
            yield draw(row_of(size, index), window_of(size, index), index, settings)


def short_draws() -> Iterator[tuple[Draw, Draw]]:
    """Draw from whole rows and from the candidates that a device would have selected."""
    size = 6_000
    for place, settings in enumerate(SETTINGS):
        if can_shorten(settings):
            rules = SamplingRules(settings, NOTHING, NOTHING, 0)
            row, window = row_of(size, place), window_of(size, place)
            suppressed = torch.from_numpy(row == -np.inf)
            packed = shorten(
                torch.from_numpy(row.copy())[None], suppressed, torch.from_numpy(window), settings
            )
            few = unpacked(packed.numpy(), 0)
            if few is not None:
                whole = draw(row, window, place, settings)
                yield rules.draw_among(few, place, window, NOTHING), whole


def digest_of_noise() -> str:
    """Return a digest of all noise that there is: of every number of 23 bits."""
    digest = hashlib.sha256()
    for start in range(0, 1 << 23, 1 << 18):
        digest.update(noise_of(np.arange(start, start + (1 << 18), dtype=np.uint32)).tobytes())
    return digest.hexdigest()[:16]


def digest_of_draws() -> str:
    """Return a digest of tokens, margins, and what truncation left."""
    digest = hashlib.sha256()
    for drawn in draws():
        digest.update(struct.pack("<qd", drawn.token_id, drawn.margin))
        digest.update(drawn.kept_tokens.astype("<i8").tobytes())
        digest.update(drawn.scores.astype("<f4").tobytes())
    return digest.hexdigest()[:16]


def digest_of_short_draws() -> str:
    """Return a digest of the tokens drawn from candidates."""
    tokens = [drawn.token_id for drawn, _ in short_draws()]
    return hashlib.sha256(struct.pack(f"<{len(tokens)}q", *tokens)).hexdigest()[:16]


if __name__ == "__main__":
    sys.stdout.write(f"{digest_of_noise()} {digest_of_draws()} {digest_of_short_draws()}\n")
