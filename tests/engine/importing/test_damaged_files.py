"""Damaged and malicious GGUF files: a sentence or a model, and never more memory than a file of that size."""

from __future__ import annotations

import random
import re
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import gguf
import pytest

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.gguf_files import find_source, inspect_gguf
from quire_engine.catalog.gguf_header import TENSOR_TYPES, read_gguf_header
from quire_engine.catalog.inspection import ModelFacts, inspect_folder
from quire_engine.catalog.rejection import ModelRejected, Rejection
from quire_engine.importing.model_import import import_model
from tests.engine.gguf_samples import write_gguf

_NUM_FILES = 200
_BUFFERS = 1 << 18  # bytes that Python takes to read any file
_TENSOR = re.compile(rb"(?:blk\.\d\.)?[a-z_]+\.weight")
_HUGE = (0, 1, 2**16, 2**31 - 1, 2**32 - 1, 2**40, 2**63 - 1, 2**64 - 1)


@pytest.fixture(scope="module")
def each_sound(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Files with two quantisations; those of the last families join or reorder weights."""
    folder = tmp_path_factory.mktemp("sound")
    families = ("llama", "mixtral", "gpt_neox")
    return [write_gguf(each, folder / f"{each}.gguf", kind="Q8_0").read_bytes() for each in families]


@pytest.fixture
def sound(each_sound: list[bytes]) -> bytes:
    """The file of a llama."""
    return each_sound[0]


def outcome(file: Path, imported: Path) -> str:
    """Return the sentence with which a file is refused; empty for one that became a model."""
    try:
        folder = import_model(file, imported)
    except EnvironmentProblem as problem:
        return str(problem)
    assert isinstance(inspect_folder(folder), ModelFacts)
    return ""


def flipped(data: bytes, dice: random.Random) -> bytes:
    """Turn a few bits of the header, where nearly everything is decided."""
    start = find_data(data)
    changed = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        changed[dice.randrange(start)] ^= 1 << dice.randrange(8)
    return bytes(changed)


def relabelled(data: bytes, dice: random.Random) -> bytes:
    """Put an absurd length or count somewhere into the header."""
    place = dice.randrange(4, find_data(data) - 8)
    return data[:place] + struct.pack("<Q", dice.choice(_HUGE)) + data[place + 8 :]


def counted(data: bytes, dice: random.Random) -> bytes:
    """Change a number of tensors or of entries."""
    place = dice.choice((8, 16))
    return data[:place] + struct.pack("<Q", dice.choice(_HUGE)) + data[place + 8 :]


def described(data: bytes, dice: random.Random) -> bytes:
    """Give a tensor another shape, type or place."""
    name = dice.choice(_TENSOR.findall(data[: find_data(data)]))
    place = data.index(struct.pack("<Q", len(name)) + name) + 8 + len(name)
    (sides,) = struct.unpack_from("<I", data, place)
    end = place + 4 + 8 * sides
    change, shape = dice.randrange(4), struct.unpack_from(f"<{sides}Q", data, place + 4)
    if change == 0:
        new = struct.pack(f"<I{sides}Q", sides, *shape[::-1])
    elif change == 1:
        new = struct.pack(f"<I{sides + 1}Q", sides + 1, *shape, 1)
    elif change == 2:
        new = struct.pack(f"<I{sides}Q", sides, *(dice.choice((side, 1, 48, 96)) for side in shape))
    else:
        new = data[place:end] + struct.pack("<I", dice.choice([*TENSOR_TYPES]))
        end += 4
    changed = data[:place] + new + data[end:]
    return changed[: len(data)].ljust(len(data), b"\0")


def cut(data: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data))]


def spoiled(data: bytes, dice: random.Random) -> bytes:
    """Overwrite weights."""
    start = dice.randrange(find_data(data), len(data) - 64)
    return data[:start] + dice.randbytes(64) + data[start + 64 :]


def find_data(data: bytes) -> int:
    """Return where the weights begin."""
    return data.index(b"output_norm.weight") + 64


_CHANGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    flipped, relabelled, counted, described, cut, spoiled,
)  # fmt: skip


@pytest.mark.slow
def test_damaged_files_get_a_sentence_or_become_a_model(each_sound: list[bytes], tmp_path: Path) -> None:
    dice = random.Random(5)
    sentences, highest = [], 0
    outcome(_written(tmp_path, each_sound[0]), tmp_path / "first")  # loads the libraries
    for number in range(_NUM_FILES):
        sound = each_sound[number // len(_CHANGES) % len(each_sound)]
        file = _written(tmp_path, _CHANGES[number % len(_CHANGES)](sound, dice))
        tracemalloc.start()
        said = outcome(file, tmp_path / f"imported-{number}")
        highest = max(highest, tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        if said:
            assert said.isprintable()
            assert "cannot" not in said  # what a library says of shapes
            assert len(said.replace(str(tmp_path), "")) < 400
            sentences.append(said)
    assert 100 < len(sentences) < _NUM_FILES
    assert highest < 2 * max(map(len, each_sound)) + _BUFFERS


def _written(folder: Path, data: bytes) -> Path:
    file = folder / "m.gguf"
    file.write_bytes(data)
    return file


def test_a_header_is_read_as_the_package_reads_it(sound: bytes, tmp_path: Path) -> None:
    file = _written(tmp_path, sound)
    header, reader = read_gguf_header(file), gguf.GGUFReader(file)
    assert header.fields.keys() == {name for name in reader.fields if not name.startswith("GGUF.")}
    for name, value in header.fields.items():
        wanted = reader.fields[name].contents()
        if isinstance(wanted, list):
            assert [*(header.strings(name) or header.numbers(name))] == wanted
        else:
            assert value == wanted
    for mine, theirs in zip(header.tensors, reader.tensors, strict=True):
        assert (mine.name, mine.type_id) == (theirs.name, int(theirs.tensor_type))
        assert mine.shape == tuple(reversed(theirs.shape.tolist()))
        assert (mine.start, mine.num_bytes) == (theirs.data_offset, theirs.n_bytes)


def test_the_types_are_those_of_the_package() -> None:
    assert {int(kind): (kind.name, *sizes) for kind, sizes in gguf.GGML_QUANT_SIZES.items()} == TENSOR_TYPES


def header_of(fields: bytes, num_fields: int, tensors: bytes = b"", num_tensors: int = 0) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, num_tensors, num_fields) + fields + tensors


def text(value: bytes) -> bytes:
    return struct.pack("<Q", len(value)) + value


def tensor(name: bytes, shape: tuple[int, ...], kind: int, offset: int) -> bytes:
    return text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, offset)


_NESTED = text(b"k") + struct.pack("<IIQ", 9, 9, 1) + struct.pack("<IQ", 9, 1)
_TWINS = b"".join(tensor(b"t%d" % number, (16,), 0, 0) for number in range(2))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GGUF",
        b"GGML" + bytes(100),
        b"GGUF" + struct.pack("<IQQ", 1, 0, 0),
        header_of(text(b"k") + struct.pack("<IIQ", 9, 8, 2**60), 1) + bytes(64),
        header_of(text(b"k") + struct.pack("<IIQ", 9, 0, 2**63), 1) + bytes(64),
        header_of(_NESTED, 1) + bytes(64),
        header_of(struct.pack("<Q", 2**50), 1) + bytes(64),
        header_of((text(b"k") + struct.pack("<II", 4, 1)) * 2, 2) + bytes(64),
        header_of(text(b"\xff\xfe") + struct.pack("<II", 4, 1), 1) + bytes(64),
        header_of(b"", 0, tensor(b"t", (2**40, 2**40), 0, 0), 1) + bytes(256),
        header_of(b"", 0, tensor(b"t", (16,), 0, 2**40), 1) + bytes(256),
        header_of(b"", 0, tensor(b"t", (16,), 99, 0), 1) + bytes(256),
        header_of(b"", 0, tensor(b"t", (33,), 2, 0), 1) + bytes(256),
        header_of(b"", 0, _TWINS, 2) + bytes(256),
        header_of(b"", 0) + bytes(64),
    ],
)
def test_a_lying_header_is_refused(data: bytes, tmp_path: Path) -> None:
    found = inspect_gguf(_written(tmp_path, data))
    assert isinstance(found, Rejection)
    assert found.sentence.isprintable()


def test_a_file_that_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(ModelRejected, match="no longer exists"):
        find_source(tmp_path / "m.gguf")
