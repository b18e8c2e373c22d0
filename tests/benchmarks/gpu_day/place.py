"""Where everything of the day is, on which device it runs, and how large."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.gpu_day.figures import REPORT


@dataclass(frozen=True, slots=True)
class Day:
    """See above.

    Attributes:
        work: folder for models, checkpoints and reports.
        model_file, corpus: what travelled here; either may be missing.
        is_small: sizes that a processor manages in seconds.
    """

    work: Path
    device: str
    model_file: Path
    corpus: Path
    is_small: bool = False

    def folder(self, name: str) -> Path:
        """Return the folder of a slice."""
        return self.work / "slices" / name

    def report(self, name: str) -> Path:
        """Return the file into which a slice's command reports."""
        return self.folder(name) / REPORT

    @property
    def trained(self) -> Path:
        """What the day made to be kept."""
        return self.work / "trained"

    @property
    def base(self) -> Path:
        """SmolLM2 as its file has it."""
        return self.work / "models" / "smollm2"

    @property
    def tuned(self) -> Path:
        """SmolLM2 with the adapter that the day trained."""
        return self.work / "models" / "smollm2-with-adapter"

    @property
    def tuned_drafters(self) -> Path:
        """What was trained to draft for it: the model itself can be made again."""
        return self.trained / "smollm2-drafters"

    @property
    def adapter(self) -> Path:
        """That adapter."""
        return self.trained / "smollm2-135m-instruct.safetensors"

    @property
    def medium(self) -> Path:
        """The larger built-in model."""
        return self.trained / "medium"

    @property
    def text(self) -> Path:
        """Plain text for drafters."""
        return self.work / "text.txt"
