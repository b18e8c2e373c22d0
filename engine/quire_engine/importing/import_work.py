"""The steps that every import shares: writing the files of a model folder, and where its weights are."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire_engine.catalog.adapters import Adapter
from quire_engine.catalog.importable import Importable
from quire_engine.catalog.imported_models import (
    ADAPTER,
    DIGEST,
    IMPORT_VERSION,
    RECORD,
    TOKENIZER,
    SourceFile,
)
from quire_engine.catalog.inspection import look_into
from quire_engine.catalog.rejection import ModelRejected, Rejection, RejectionKind, printable


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """Bytes of the source that were read, of all."""

    done: int
    total: int


class ImportStopped(Exception):
    """The import was stopped; nothing is left of it."""


@dataclass(frozen=True, slots=True)
class ImportTask:
    """The source of an import and its destination.

    Attributes:
        folder: for the new files.
        digest: of the source. The rest as for `import_model`.
    """

    folder: Path
    digest: str
    adapter: Adapter | None
    name: str = ""
    licence: str = ""


class ImportWork:
    """The parts that imports of all kinds share. files: those with the weights."""

    def __init__(self, source: Importable, files: Sequence[Path], task: ImportTask) -> None:
        self._named, self._files, self._task = source, files, task

    def write_json(self, name: str, content: Mapping[str, Any]) -> None:
        """Write a JSON file into the new folder."""
        text = json.dumps(content, ensure_ascii=False) + "\n"
        (self._task.folder / name).write_text(text, encoding="utf-8")

    def finish(self, kinds: Mapping[str, int], largest_id: int | None = None) -> None:
        """Say where the weights are, and look at the new folder as at any other: its faults are the
        source's.

        largest_id: of the tokenizer, where the import made it.
        """
        task, adapter = self._task, self._task.adapter
        digests = task.digest if adapter is None else f"{task.digest}\n{adapter.digest}"
        (task.folder / DIGEST).write_text(digests + "\n", encoding="ascii")
        if adapter is not None:
            shutil.copyfile(adapter.file, task.folder / ADAPTER)
        record = {
            "format": 1,
            "import_version": IMPORT_VERSION,
            "source": self._named.path.name,
            "source_bytes": self._named.num_bytes,
            "source_sha256": task.digest,
            "quantisations": dict(sorted(kinds.items())),
            "adapter_sha256": None if adapter is None else adapter.digest,
            "files": references(self._files),
        } | ({"name": task.name} if task.name else {})
        if largest_id is not None:
            made = SourceFile.at(task.folder / TOKENIZER)
            record["tokenizer"] = {
                "bytes": made.num_bytes,
                "changed": made.changed,
                "largest_id": largest_id,
            }
        self.write_json(RECORD, record)
        found = look_into(task.folder)
        if isinstance(found, Rejection):
            raise ModelRejected(found.fault, found.sentence)

    def write_readme(self) -> None:
        """Write the README: the licence, where the list of models looks for it, and the name."""
        licence = re.sub(r"[^\w.+ -]", " ", self._named.licence or self._task.licence)[:60].strip()
        front = f"---\nlicense: {licence}\n---\n\n" if licence else ""
        title = self._task.name or self._named.title
        said = f"{front}# {title}\n\nImported by Quire from {self._named.path.name}.\n"
        (self._task.folder / "README.md").write_text(said, encoding="utf-8")


def references(files: Sequence[Path]) -> list[dict[str, str | int]]:
    """Return where files are, and by which they are known again."""
    found = [SourceFile.at(file.absolute()) for file in files]
    return [{"path": str(each.path), "bytes": each.num_bytes, "changed": each.changed} for each in found]


def not_finite(name: str) -> ModelRejected:
    """Return the rejection of weights that are no numbers."""
    return ModelRejected(
        RejectionKind.DAMAGED,
        "The weights are damaged: {name} holds values that aren't numbers. Download the model again.",
        name=printable(name, 60),
    )
