"""What a feature drafter learnt while drafting, beside the drafters that were prepared for its model.

There are two versions at most: what is in use, and what was in use before the sitting that made it. What was
prepared is never overwritten, so that what was learnt can be removed. A file of another model, tokenizer or
version, or one that was learnt before the model was prepared anew, is not used.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.user_message import UserMessage
from quire_engine.drafting import drafter_file
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.feature_drafter import FeatureWeights

FILE_NAME = "drafters.learned.safetensors"
BEFORE_NAME = "drafters.learned-before.safetensors"
_NEW_NAME = "drafters.learned-new.safetensors"
LEARNING = 1
"""Of how the feature drafter computes; what another version of it learnt is worth nothing."""
MAX_BYTES = 128 << 20
"""Of one version; a larger file is not one that this version wrote."""


@dataclass(frozen=True, slots=True)
class LearnedFrom:
    """What a version comes from, and what it is worth.

    Attributes:
        tokenizer: digest of the model's.
        prepared: digest of the drafter that was prepared (`digest_of`); empty: there was none.
        version: counts sittings from 1.
        num_tokens: drafted tokens that it learnt from.
        before, now: tokens per pass of the first guesses, on text set aside: without what was learnt in the
            last sitting, and with it.
        learning: see LEARNING.
    """

    tokenizer: str
    prepared: str
    version: int
    num_tokens: int
    before: float
    now: float
    learning: int = LEARNING


@dataclass(frozen=True, slots=True)
class Learned:
    """A version: the drafters, of which there is a feature drafter alone, and what they come from."""

    drafters: TrainedDrafters
    about: LearnedFrom


def digest_of(feature: FeatureWeights | None) -> str:
    """Return what tells one feature drafter from another; empty for none."""
    if feature is None:
        return ""
    digest = hashlib.sha256(repr(feature.shape).encode())
    for name in sorted(feature.tensors):
        digest.update(
            feature.tensors[name].to(torch.bfloat16).contiguous().view(torch.uint8).numpy().tobytes()
        )
    return digest.hexdigest()


class LearnedVersions:
    """The versions in one folder.

    Args:
        folder: need not exist.
        fingerprint, tokenizer: of the model.
        prepared: `digest_of` the drafter that was prepared for it.
    """

    def __init__(self, folder: Path, fingerprint: str, tokenizer: str, prepared: str) -> None:
        self._file, self._before = folder / FILE_NAME, folder / BEFORE_NAME
        self._fingerprint, self._tokenizer, self._prepared = fingerprint, tokenizer, prepared

    @property
    def has_before(self) -> bool:
        """Say whether there is a version to go back to."""
        return self._before.is_file()

    @property
    def has_any(self) -> bool:
        """Say whether there is a version to remove, even one that cannot be used."""
        return self._file.is_file() or self._before.is_file()

    def find(self) -> Learned | None:
        """Return the version in use; None without one. EnvironmentProblem where it cannot be used."""
        try:
            # a crash may have come between the two renames of `save`
            if self._before.is_file() and not self._file.is_file():
                os.replace(self._before, self._file)
            return self._load(self._file) if self._file.is_file() else None
        except OSError as error:
            raise _unusable(error.strerror or str(error)) from error

    def save(self, learned: Learned, *, is_new_version: bool) -> None:
        """Write a version in place of the one in use; OSError, and nothing lost, when that fails.

        is_new_version: the one in use becomes the version before; one that cannot be used does not, so that
            a good version before stays.
        """
        figures = {"learned": asdict(learned.about)}
        written = TrainedDrafters(self._fingerprint, None, learned.drafters.feature, figures)
        new = drafter_file.save(written, self._file.parent, _NEW_NAME)
        if is_new_version and self._is_usable():
            os.replace(self._file, self._before)
        os.replace(new, self._file)

    def undo(self) -> None:
        """Go back to the version before; without one, to what was prepared. OSError when that fails."""
        if self._before.is_file():
            os.replace(self._before, self._file)
        else:
            self._file.unlink(missing_ok=True)

    def remove(self) -> None:
        """Delete every version; OSError when that fails."""
        for file in (self._before, self._file, self._file.with_name(_NEW_NAME)):
            file.unlink(missing_ok=True)

    def _is_usable(self) -> bool:
        """Say whether there is a version in use."""
        try:
            return self._file.is_file() and bool(self._load(self._file))
        except (EnvironmentProblem, OSError):
            return False

    def _load(self, file: Path) -> Learned:
        """Return a version, checked."""
        about = self._about(file)
        try:
            drafters = drafter_file.load(file, self._fingerprint)
        except EnvironmentProblem as problem:
            raise _unusable(UserMessage("its file is damaged")) from problem
        if drafters.feature is None or drafters.feature.vocabulary is None:
            raise _unusable(UserMessage("its file is damaged"))
        return Learned(drafters, about)

    def _about(self, file: Path) -> LearnedFrom:
        """Return what a file says of itself; EnvironmentProblem where that rules it out."""
        if file.stat().st_size > MAX_BYTES:
            raise _unusable(UserMessage("its file is damaged"))
        try:
            metadata = drafter_file.metadata_of(file)
            about = _read(metadata["figures"])
            of_model = metadata["fingerprint"]
        except (EnvironmentProblem, KeyError, TypeError, ValueError) as error:
            raise _unusable(UserMessage("its file is damaged")) from error
        if about.learning != LEARNING:
            raise _unusable(UserMessage("another version of Quire learned it"))
        if of_model != self._fingerprint:
            raise _unusable(UserMessage("it belongs to another model, or to another version of this one"))
        if about.tokenizer != self._tokenizer:
            raise _unusable(UserMessage("the model has another tokenizer now"))
        if about.prepared != self._prepared:
            raise _unusable(UserMessage("the model was sped up anew since then"))
        return about


def _read(figures: str) -> LearnedFrom:
    """Return what the figures of a file say; KeyError, TypeError or ValueError where they say it wrongly."""
    said: Mapping[str, Any] = drafter_file.figures_of(figures)["learned"]
    about = LearnedFrom(**said)
    texts, numbers = (about.tokenizer, about.prepared), (about.version, about.num_tokens, about.learning)
    if not all(isinstance(each, str) for each in texts):
        raise TypeError("its digests are no texts")
    if not all(isinstance(each, int) and 0 <= each < 1 << 53 for each in numbers):
        raise ValueError("its counts are impossible")
    if not all(isinstance(each, int | float) and 0 < each < 100 for each in (about.before, about.now)):
        raise ValueError("its figures are impossible")
    return about


def _unusable(reason: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        "What this model learned while drafting is not used ({reason}). Drafts are the same without it; "
        "to clear it away, choose Inspect > Acceleration.",
        reason=reason,
    )
