"""Import a GGUF file: configuration, tokenizer and weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from quire_engine.catalog.gguf_files import GgufSource
from quire_engine.catalog.gguf_support import check_types
from quire_engine.catalog.rejection import ModelRejected, RejectionKind
from quire_engine.importing.gguf_config import config_of, rotated
from quire_engine.importing.gguf_families import pieces_of
from quire_engine.importing.gguf_tokenizer import tokenizer_files
from quire_engine.importing.gguf_weights import GgufWeights, unpacked
from quire_engine.importing.import_work import ImportTask, ImportWork, not_finite
from quire_engine.importing.rope_factors import llama3_scaling
from quire_engine.importing.weight_writer import WeightWriter

_FACTORS = "rope_freqs.weight"


class GgufImport(ImportWork):
    """Writes the model of a GGUF file into a folder."""

    def __init__(self, source: GgufSource, task: ImportTask) -> None:
        super().__init__(source, task)
        self._source, self._folder = source, task.folder

    def run(self) -> str:
        """Write all files; return the digest of the source."""
        header = self._source.whole
        check_types(header)
        config = config_of(header, self._scaling())
        files = tokenizer_files(header)
        self.write_json("tokenizer.json", files.tokenizer)
        self.write_json("tokenizer_config.json", files.settings)
        self.write_json("generation_config.json", files.generation)
        if files.template:
            (self._folder / "chat_template.jinja").write_text(files.template, encoding="utf-8")
        self.write_json("config.json", config | {"eos_token_id": files.generation["eos_token_id"]})
        digest = self._weights(config)
        self.write_readme()
        self.finish(digest, Counter(tensor.type_name for tensor in header.tensors))
        return digest

    def _weights(self, config: Mapping[str, Any]) -> str:
        plan = {
            tensor.name: pieces_of(tensor, config)
            for part in self._source.parts
            for tensor in sorted(part.tensors, key=lambda each: each.start)
        }
        targets = [piece.target for pieces in plan.values() for piece in pieces]
        if len({target.name for target in targets}) != len(targets):
            raise ModelRejected(RejectionKind.DAMAGED, "Two parts of this file are the same weight.")
        weights = GgufWeights(self._source.parts, self.read)
        writer = WeightWriter(self._folder, targets)
        try:
            for tensor, rows in weights.tensors():
                for piece in plan[tensor.name]:
                    chunks = rows.chunks(piece, at_once=self.is_adapted(piece.target.name))
                    self.write_weight(piece.target, chunks, writer)
            writer.finish()
        finally:
            writer.close()
        return weights.digest

    def _scaling(self) -> dict[str, Any]:
        """Return the scaling of positions that the file stores as a factor for each pair."""
        header = self._source.whole
        found = next((tensor for tensor in header.tensors if tensor.name == _FACTORS), None)
        if found is None:
            return {}
        base, dim = rotated(header)
        if found.count > 1 << 16:
            raise not_finite(found.name)
        with self._source.file_of(found).open("rb") as data:
            data.seek(found.start)
            raw = np.frombuffer(data.read(found.num_bytes), dtype=np.uint8)
        factors = unpacked(raw.reshape(1, -1), found.type_id).reshape(-1).astype(np.float64)
        scaling = llama3_scaling(factors, base, dim)
        if scaling is None:
            raise ModelRejected(
                RejectionKind.UNSUPPORTED,
                "This model uses an unsupported position scaling ({kind}). Choose another model.",
                kind=_FACTORS,
            )
        return scaling
