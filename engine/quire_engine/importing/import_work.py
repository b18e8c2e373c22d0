"""What every import does: progress, stopping, merging an adapter, and writing the files of a model folder."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.importable import Importable
from quire_engine.catalog.imported_models import IMPORT_VERSION, RECORD
from quire_engine.catalog.inspection import look_into
from quire_engine.catalog.rejection import ModelRejected, Rejection, RejectionKind, printable
from quire_engine.importing.stored_form import Floats, is_sound, stored
from quire_engine.importing.weight_writer import Target, WeightWriter


class WeightAdapter(Protocol):
    """A low-rank adapter that is merged at import. digest: SHA-256 of its file. names: what it changes."""

    @property
    def digest(self) -> str: ...

    @property
    def names(self) -> frozenset[str]: ...

    def merged(self, name: str, weight: Floats) -> Floats:
        """Return a weight of the imported model with the adapter added, in float32."""
        ...


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """Bytes of the source that were read, of all."""

    done: int
    total: int


class ImportStopped(Exception):
    """The import was stopped; nothing is left of it."""


@dataclass(frozen=True, slots=True)
class ImportTask:
    """What is to be imported where. folder: for the new files. The rest as for `import_model`."""

    folder: Path
    adapter: WeightAdapter | None
    on_progress: Callable[[ImportProgress], None]
    is_stopped: Callable[[], bool]
    name: str = ""
    licence: str = ""


class ImportWork:
    """The parts that imports of all kinds share."""

    def __init__(self, source: Importable, task: ImportTask) -> None:
        self._named, self._task = source, task
        self._done = 0
        self._unused = set() if task.adapter is None else set(task.adapter.names)

    def read(self, count: int) -> None:
        """Count bytes of the source that were read; ImportStopped when that was asked for."""
        self._done += count
        if self._task.is_stopped():
            raise ImportStopped
        self._task.on_progress(ImportProgress(self._done, self._named.num_bytes))

    def write_json(self, name: str, content: Mapping[str, Any]) -> None:
        """Write a JSON file into the new folder."""
        text = json.dumps(content, ensure_ascii=False) + "\n"
        (self._task.folder / name).write_text(text, encoding="utf-8")

    def is_adapted(self, name: str) -> bool:
        """Say whether the adapter changes a weight, which is then needed whole."""
        return name in self._unused

    def write_weight(self, target: Target, chunks: Iterable[Floats], writer: WeightWriter) -> None:
        """Write a weight: merge the adapter, round, and refuse what is not a number."""
        adapter = self._task.adapter if target.name in self._unused else None
        self._unused.discard(target.name)
        for chunk in chunks:
            changed = chunk if adapter is None else adapter.merged(target.name, chunk)
            if not is_sound(changed):
                raise not_finite(target.name)
            writer.write(stored(changed))

    def finish(self, digest: str, kinds: Mapping[str, int]) -> None:
        """Write the record, and look at the new folder as at any other: its faults are the source's."""
        if self._unused:
            raise EnvironmentProblem("The adapter doesn't belong to this model.")
        adapter = self._task.adapter
        record = {
            "format": 1,
            "import_version": IMPORT_VERSION,
            "source": self._named.path.name,
            "source_bytes": self._named.num_bytes,
            "source_sha256": digest,
            "quantisations": dict(sorted(kinds.items())),
            "adapter_sha256": None if adapter is None else adapter.digest,
        } | ({"name": self._task.name} if self._task.name else {})
        self.write_json(RECORD, record)
        found = look_into(self._task.folder)
        if isinstance(found, Rejection):
            raise ModelRejected(found.fault, found.sentence)

    def write_readme(self) -> None:
        """Write the README: the licence, where the list of models looks for it, and the name."""
        licence = re.sub(r"[^\w.+ -]", " ", self._named.licence or self._task.licence)[:60].strip()
        front = f"---\nlicense: {licence}\n---\n\n" if licence else ""
        title = self._task.name or self._named.title
        said = f"{front}# {title}\n\nImported by Quire from {self._named.path.name}.\n"
        (self._task.folder / "README.md").write_text(said, encoding="utf-8")


def not_finite(name: str) -> ModelRejected:
    """Return the rejection of weights that are no numbers."""
    return ModelRejected(
        RejectionKind.DAMAGED,
        "The weights are damaged: {name} holds values that aren't numbers. Download the model again.",
        name=printable(name, 60),
    )
