"""The same GGUF model in another number format, for a comparison with llama.cpp."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf

_WRITERS_OWN = ("GGUF.", "general.architecture", "general.file_type", "general.quantization_version")
"""Fields that the writer adds itself, or that no longer hold."""


def write_converted(source: Path, target: Path, number_format: str) -> Path:
    """Write a GGUF file whose matrices are in `number_format` ("Q8_0", "BF16"); return it.

    The numbers are those of the source, which may be rounded already. The package trusts the file, so it is
    only for files that are known.
    """
    reader: Any = gguf.GGUFReader(source)
    kind = gguf.GGMLQuantizationType[number_format]
    block = gguf.GGML_QUANT_SIZES[kind][0]
    writer = gguf.GGUFWriter(target, reader.fields["general.architecture"].contents())
    for name, field in reader.fields.items():
        if not name.startswith(_WRITERS_OWN):
            inner = field.types[1] if len(field.types) > 1 else None
            writer.add_key_value(name, field.contents(), field.types[0], inner)
    for tensor in reader.tensors:
        numbers = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        packs = numbers.ndim > 1 and numbers.shape[-1] % block == 0
        here = kind if packs else gguf.GGMLQuantizationType.F32
        writer.add_tensor(tensor.name, gguf.quants.quantize(numbers, here), raw_dtype=here)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return target
