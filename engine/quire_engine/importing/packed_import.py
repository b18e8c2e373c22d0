"""Import a folder with packed weights: its tokenizer and settings; the weights stay where they are."""

from __future__ import annotations

import shutil

from quire_engine.catalog.bounded_files import check_file
from quire_engine.catalog.packed_folders import PackedFolder
from quire_engine.importing.import_work import ImportTask, ImportWork

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
    """Writes tokenizer and settings of a folder with packed weights into another folder."""

    def __init__(self, source: PackedFolder, task: ImportTask) -> None:
        super().__init__(source, source.weights, task)
        self._source, self._folder = source, task.folder

    def run(self) -> None:
        """Write all files."""
        for name in _COPIED:
            if (self._source.path / name).is_file():
                check_file(self._source.path, self._source.path / name)
                shutil.copyfile(self._source.path / name, self._folder / name)
        self.write_json("config.json", self._source.config)
        self.finish({self._source.quantisation: len(self._source.tensors)})
