"""Import a folder with packed weights: only the weights become others."""

from __future__ import annotations

import shutil

from quire_engine.catalog.bounded_files import check_file
from quire_engine.catalog.imported_models import source_digest
from quire_engine.catalog.packed_folders import SMALL_FLOATS, PackedFolder
from quire_engine.importing.import_work import ImportTask, ImportWork
from quire_engine.importing.packed_weights import PackedWeights
from quire_engine.importing.small_floats import SmallFloatWeights
from quire_engine.importing.weight_writer import WeightWriter

_COPIED = (
    "tokenizer.json",
    "tokenizer_config.json",
    "generation_config.json",
    "chat_template.jinja",
    "README.md",
    "LICENSE",
    "LICENSE.txt",
    "LICENSE.md",
    "LICENCE",
    "NOTICE",
    "USE_POLICY.md",
)


class PackedImport(ImportWork):
    """Writes the model of a folder with packed weights into another folder."""

    def __init__(self, source: PackedFolder, task: ImportTask) -> None:
        super().__init__(source, task)
        self._source, self._folder = source, task.folder

    def run(self) -> str:
        """Write all files; return the digest of the source."""
        for name in _COPIED:
            if (self._source.path / name).is_file():
                check_file(self._source.path, self._source.path / name)
                shutil.copyfile(self._source.path / name, self._folder / name)
        self.write_json("config.json", self._source.config)
        kind = SmallFloatWeights if self._source.method in SMALL_FLOATS else PackedWeights
        weights = kind(self._source)
        targets = weights.targets()
        writer = WeightWriter(self._folder, targets)
        try:
            for target in targets:
                chunks = weights.chunks(target, at_once=self.is_adapted(target.name))
                self.write_weight(target, chunks, writer)
                self.read(weights.bytes_of(target))
            writer.finish()
        finally:
            writer.close()
        digest = source_digest(self._source.files)
        self.finish(digest, {self._source.quantisation: len(targets)})
        return digest
