"""Import a GGUF file: its tokenizer and settings; the weights stay where they are."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from quire_engine.catalog.gguf_files import GgufSource
from quire_engine.catalog.gguf_support import check_types
from quire_engine.catalog.imported_models import TOKENIZER
from quire_engine.catalog.rejection import ModelRejected, RejectionKind
from quire_engine.catalog.weights.file_tensor import read_bytes, unpacked
from quire_engine.importing.gguf_config import config_of, rotated
from quire_engine.importing.gguf_tokenizer import tokenizer_files
from quire_engine.importing.import_work import ImportTask, ImportWork, not_finite
from quire_engine.importing.rope_factors import llama3_scaling

_FACTORS = "rope_freqs.weight"


class GgufImport(ImportWork):
    """Writes tokenizer and settings of a GGUF file into a folder."""

    def __init__(self, source: GgufSource, task: ImportTask) -> None:
        super().__init__(source, source.files, task)
        self._source, self._folder = source, task.folder

    def run(self) -> None:
        """Write all files."""
        header = self._source.whole
        check_types(header)
        config = config_of(header, self._scaling())
        files = tokenizer_files(header)
        self.write_json(TOKENIZER, files.tokenizer)
        self.write_json("tokenizer_config.json", files.settings)
        self.write_json("generation_config.json", files.generation)
        if files.template:
            (self._folder / "chat_template.jinja").write_text(files.template, encoding="utf-8")
        self.write_json("config.json", config | {"eos_token_id": files.generation["eos_token_id"]})
        self.write_readme()
        self.finish(Counter(tensor.type_name for tensor in header.tensors), files.largest_id)

    def _scaling(self) -> dict[str, Any]:
        """Return the scaling of positions that the file stores as a factor for each pair."""
        header = self._source.whole
        found = next((tensor for tensor in header.tensors if tensor.name == _FACTORS), None)
        if found is None:
            return {}
        base, dim = rotated(header)
        if found.count > 1 << 16:
            raise not_finite(found.name)
        raw = read_bytes(self._source.file_of(found), found.start, found.num_bytes)
        factors = unpacked(raw.reshape(1, -1), found.type_id).reshape(-1).astype(np.float64)
        scaling = llama3_scaling(factors, base, dim)
        if scaling is None:
            raise ModelRejected(
                RejectionKind.UNSUPPORTED,
                "This model uses an unsupported position scaling ({kind}). Choose another model.",
                kind=_FACTORS,
            )
        return scaling
