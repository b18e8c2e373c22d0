"""Find all parts of a GGUF model and what is known of it before it is imported."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.gguf_header import MAGIC, GgufHeader, GgufTensor, damaged, read_gguf_header
from quire_engine.catalog.gguf_support import check_tokenizer_kind, check_types, model_type_of
from quire_engine.catalog.imported_models import SETTINGS_BYTES, folder_stem
from quire_engine.catalog.rejection import ModelRejected, Rejection, RejectionKind, printable

_PART = re.compile(r"(.{1,200})-(\d{5})-of-(\d{5})\.gguf", re.IGNORECASE)
_MAX_PARTS = 1000


@dataclass(frozen=True, slots=True)
class GgufSource:
    """A GGUF model in one or several files.

    Attributes:
        path: its first file.
        parts: the headers, in order.
        whole: the metadata with the tensors of all parts.
    """

    path: Path
    parts: tuple[GgufHeader, ...]
    whole: GgufHeader

    @property
    def name(self) -> str:
        """The file's name without its ending and part number, fit for a folder."""
        found = _PART.fullmatch(self.path.name)
        stem = found[1] if found else self.path.stem
        return folder_stem(stem, "model")

    @property
    def title(self) -> str:
        """The model's name as its makers wrote it, or else the file's."""
        return printable(self.whole.text("general.name"), 80) or self.name

    @property
    def licence(self) -> str:
        """The licence that the file names; empty for none."""
        named = self.whole.text("general.license.name") or self.whole.text("general.license")
        return "" if named == "other" else printable(named, 60)

    @property
    def is_chat(self) -> bool:
        """Whether it has a chat template."""
        return bool(self.whole.text("tokenizer.chat_template").strip())

    @property
    def files(self) -> tuple[Path, ...]:
        """All parts, in order."""
        return tuple(part.file for part in self.parts)

    @property
    def num_bytes(self) -> int:
        """Size of all files."""
        return sum(part.num_bytes for part in self.parts)

    @property
    def num_parameters(self) -> int:
        """Numbers in all tensors."""
        return sum(tensor.count for tensor in self.whole.tensors)

    @property
    def imported_bytes(self) -> int:
        """About the size of what an import adds: tokenizer and settings."""
        return SETTINGS_BYTES

    @property
    def quantisation(self) -> str:
        """The type of most of its numbers, such as Q4_K."""
        numbers: Counter[str] = Counter()
        for tensor in self.whole.tensors:
            numbers[tensor.type_name] += tensor.count
        return numbers.most_common(1)[0][0] if numbers else ""

    def file_of(self, tensor: GgufTensor) -> Path:
        """Return the file that a tensor is in."""
        return next(part.file for part in self.parts if tensor in part.tensors)


def is_gguf(path: Path) -> bool:
    """Say whether a path is a GGUF file, by its name or its first bytes."""
    try:
        if not path.is_file():
            return False
        if path.suffix.lower() == ".gguf":
            return True
        with path.open("rb") as data:
            return data.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def inspect_gguf(path: Path) -> GgufSource | Rejection:
    """Look at a GGUF file: what it is, or why it cannot be imported; never raises, whatever is there."""
    try:
        source = find_source(path)
        model_type_of(source.whole)
        check_types(source.whole)
        check_tokenizer_kind(source.whole)
    except ModelRejected as refused:
        return Rejection(path, refused.fault, refused.message)
    except (OSError, ValueError) as error:  # a name that the system does not take
        said = printable(getattr(error, "strerror", None) or error)
        return Rejection(
            path,
            RejectionKind.DAMAGED,
            UserMessage("{file} can't be read ({reason}).", file=printable(path.name), reason=said),
        )
    return source


def find_source(path: Path) -> GgufSource:
    """Read the headers of a file and of the other parts, if it is one of several.

    ModelRejected if one is missing or damaged.
    """
    if not path.is_file():
        raise ModelRejected(
            RejectionKind.MISSING, "{file} no longer exists. Choose it again.", file=printable(path.name)
        )
    files = _parts(path)
    headers = tuple(read_gguf_header(file) for file in files)
    first = headers[0]
    said = first.size("split.count") or 1
    if said != len(files):
        raise ModelRejected(
            RejectionKind.MISSING,
            "{file} is one of {number} files of a model. Put all of them into one folder, under the names "
            "that they were downloaded with.",
            file=printable(path.name),
            number=said,
        )
    tensors = tuple(tensor for header in headers for tensor in header.tensors)
    if len({tensor.name for tensor in tensors}) != len(tensors):
        raise damaged(path, UserMessage("two of its parts have the same weights"))
    if not tensors:
        raise ModelRejected(
            RejectionKind.UNSUPPORTED,
            "{file} holds no weights. Choose the model's own file.",
            file=printable(path.name),
        )
    return GgufSource(files[0], headers, replace(first, tensors=tensors))


def _parts(path: Path) -> tuple[Path, ...]:
    found = _PART.fullmatch(path.name)
    if found is None:
        return (path,)
    total = int(found[3])
    if not 1 <= total <= _MAX_PARTS:
        raise damaged(path, UserMessage("its name is invalid"))
    files = tuple(
        path.with_name(f"{found[1]}-{number:05}-of-{found[3]}.gguf") for number in range(1, total + 1)
    )
    for file in files:
        if not file.is_file():
            raise ModelRejected(
                RejectionKind.MISSING,
                "{file} is missing. Put all {number} files of the model into one folder.",
                file=printable(file.name),
                number=total,
            )
    return files
