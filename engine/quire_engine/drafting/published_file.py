"""Read heads that others have published for a model, and keep them with the model's drafters.

What is read: TokenSwift's checkpoints, which hold the base model and `medusa_layers` beside it, and Medusa's
heads (`medusa_lm_head`). Only safetensors are opened, and only what names, shapes and the model itself
confirm is used; the rest is rejected in a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog import safetensors_header, weight_files
from quire_engine.catalog.bounded_files import check_file, read_json
from quire_engine.catalog.model_families import FUSED_TYPES
from quire_engine.catalog.rejection import ModelRejected, printable
from quire_engine.catalog.tokenizer_fit import same_tokens
from quire_engine.drafting import drafter_file
from quire_engine.drafting.draft_heads import AnyHeads
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.published_heads import ChainWeights, MedusaWeights
from quire_engine.models.model_folder import ModelFolder

MAX_HEADS = 16
_MAX_BLOCKS = 4
_MAX_FILES = 1000
_MAX_CONFIG = 1 << 20
_SAID = "published_heads"  # among the figures
_DTYPES = ("F16", "BF16", "F32", "F64")
_CHAIN = re.compile(r"(?:model\.)?medusa_layers\.(\d{1,2})\.(linear|input_layernorm|post_layernorm)\.weight")
_MEDUSA = re.compile(r"(?:medusa_head\.)?(\d{1,2})\.(\d{1,2})\.(linear\.weight|linear\.bias|weight)")
_EAGLE3 = re.compile(r"d2t|t2d|midlayer\..+")
_EAGLE = re.compile(r"(?:model\.)?fc\.(?:weight|bias)")
_PICKLES = (".pt", ".pth", ".bin", ".ckpt", ".pkl")
_NORM = "model.norm.weight"
_UNLIKE = 0.1  # relative difference of two final norms from which they belong to different models

Shapes = Mapping[str, safetensors_header.Tensor]


@dataclass(frozen=True, slots=True)
class PublishedHeads:
    """Heads that were read.

    Attributes:
        weights: of one of the published forms.
        replaced: who made the heads whose place they took (see `kind_of`); empty where there were none.
    """

    weights: ChainWeights | MedusaWeights
    replaced: str = ""

    @property
    def kind(self) -> str:
        """The name of their form."""
        return kind_of(self.weights)

    @property
    def count(self) -> int:
        """Number of heads."""
        return len(self.weights.weight)


def kind_of(heads: AnyHeads) -> str:
    """Return the name under which people know heads: that of their form, or Quire's for its own."""
    if isinstance(heads, MedusaWeights):
        return "Medusa"
    return "TokenSwift" if isinstance(heads, ChainWeights) else "Quire"


def add_published(model: ModelFolder, source: Path, out: Path) -> PublishedHeads:
    """Keep published heads among a model's drafters, in the place of the heads that it had.

    Args:
        model: the heads' base model, checked.
        source: a safetensors file, or a folder with one or several.
        out: the folder of the model's drafters' file. Other drafters in it, or else in the model's folder,
            are kept.

    Raises:
        EnvironmentProblem: the heads can't be read, do not fit the model, or can't be written.
    """
    found = read_published(model, source)
    before = drafter_file.find(out, model.fingerprint) or drafter_file.find(model.path, model.fingerprint)
    figures = {} if before is None else dict(before.figures)
    figures[_SAID] = {"kind": found.kind, "from": printable(source.name)}
    feature = None if before is None else before.feature
    with _writing_to(out):
        drafter_file.save(TrainedDrafters(model.fingerprint, found.weights, feature, figures), out)
    if before is None or before.heads is None:
        return found
    return replace(found, replaced=kind_of(before.heads))


def remove_published(model: ModelFolder, out: Path) -> bool:
    """Take published heads out of a model's drafters, in `out` and in its own folder; return whether there
    were any. Heads that Quire trained itself stay. Raises EnvironmentProblem.
    """
    removed = [_removed_from(model, place) for place in dict.fromkeys((out, model.path))]
    return any(removed)


def _removed_from(model: ModelFolder, place: Path) -> bool:
    before = drafter_file.find(place, model.fingerprint)
    if before is None or not isinstance(before.heads, ChainWeights | MedusaWeights):
        return False
    figures = {name: said for name, said in before.figures.items() if name != _SAID}
    with _writing_to(place):
        if before.feature is None:
            (place / drafter_file.FILE_NAME).unlink()
        else:
            drafter_file.save(TrainedDrafters(model.fingerprint, None, before.feature, figures), place)
    return True


@contextmanager
def _writing_to(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise EnvironmentProblem("Can't write to {path} ({reason}).", path=place, reason=reason) from error


def read_published(model: ModelFolder, source: Path) -> PublishedHeads:
    """Read published heads for a model. EnvironmentProblem: they can't be read, or do not fit it."""
    try:
        files = _files_of(source)
        shapes = weight_files.read_tensors(files)
        config = _config_beside(files[0].parent)
        is_chain, names = _recognised(source, shapes)
        if is_chain:
            _check_base(model, config)
        _check_tokens(model, files[0].parent)  # before much is read
        if is_chain:
            return PublishedHeads(_chain(model, shapes, names, files, config))
        return PublishedHeads(_medusa(model, shapes, names, files))
    except ModelRejected as refused:
        raise EnvironmentProblem(refused.message) from refused
    except OSError as error:
        reason = error.strerror or str(error)
        raise EnvironmentProblem("{file} can't be read ({reason}).", file=source, reason=reason) from error


# ---------------------------------------------------------------- files
def _files_of(source: Path) -> tuple[Path, ...]:
    """Return the safetensors files at a place, in order."""
    if source.is_file():
        if source.suffix != ".safetensors":
            raise _not_safetensors(source) if source.suffix in _PICKLES else _nothing_there(source)
        return (source,)
    if not source.is_dir():
        raise EnvironmentProblem("{path} doesn't exist. Check the name.", path=source)
    files = tuple(sorted(source.glob("*.safetensors"))[:_MAX_FILES])
    if not files:
        pickles = [file for file in sorted(source.iterdir()) if file.suffix in _PICKLES]
        raise _not_safetensors(pickles[0]) if pickles else _nothing_there(source)
    for file in files:
        check_file(source, file)
    return files


def _not_safetensors(file: Path) -> EnvironmentProblem:
    return EnvironmentProblem(
        "The heads are in a pickle file ({name}), which can run programs when it is opened. Quire reads "
        "safetensors only: download that version of them.",
        name=printable(file.name, 60),
    )


def _nothing_there(source: Path) -> EnvironmentProblem:
    return EnvironmentProblem(
        "There are no draft heads in {path} that Quire knows. It reads TokenSwift's checkpoints and Medusa's "
        "heads, as safetensors.",
        path=source,
    )


def _config_beside(folder: Path) -> Mapping[str, Any]:
    """Return what config.json beside the heads says; nothing where there is none."""
    file = folder / "config.json"
    if not file.is_file():
        return {}
    check_file(folder, file)
    said = read_json(file, _MAX_CONFIG)
    return said if isinstance(said, dict) else {}


def _recognised(source: Path, shapes: Shapes) -> tuple[bool, dict[tuple[int, str], str]]:
    """Say whether the heads are TokenSwift's; and the name of each tensor by its head and part."""
    for pattern, name in ((_EAGLE3, "EAGLE-3"), (_EAGLE, "EAGLE")):
        if any(pattern.fullmatch(each) for each in shapes):
            raise _eagle(name)
    chain = {(int(m[1]), m[2]): each for each in shapes if (m := _CHAIN.fullmatch(each))}
    if chain:
        return True, chain
    medusa = {(int(m[1]), f"{int(m[2])}.{m[3]}"): each for each in shapes if (m := _MEDUSA.fullmatch(each))}
    if medusa:
        return False, medusa
    raise _nothing_there(source)


def _eagle(name: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        "These are {name} heads, which Quire can't compute yet. Choose "
        "TokenSwift's or Medusa's heads, or let Quire train a draft model for this one.",
        name=name,
    )


# ---------------------------------------------------------------- do they fit the model?
def _check_base(model: ModelFolder, config: Mapping[str, Any]) -> None:
    """Compare what a checkpoint says about its base model with the model."""
    own: Any = model.config
    if own.model_type not in FUSED_TYPES:
        raise EnvironmentProblem(
            "TokenSwift's heads are for models of the Llama, Mistral and Qwen families; {name} is of another "
            "one.",
            name=model.name,
        )
    for key in ("hidden_size", "vocab_size", "num_hidden_layers"):
        said = config.get(key)
        if said is not None and said != getattr(own, key):
            raise _misfit(model, key, said, getattr(own, key))


def _misfit(model: ModelFolder, what: str, theirs: object, own: object) -> EnvironmentProblem:
    return EnvironmentProblem(
        "These heads don't fit {name} ({what}: {theirs} in the heads, {own} in the model). Choose heads that "
        "were made for this very model.",
        name=model.name,
        what=what,
        theirs=printable(theirs, 40),
        own=printable(own, 40),
    )


def _check_tensor(model: ModelFolder, found: safetensors_header.Tensor, wanted: Sequence[int]) -> None:
    if found.dtype not in _DTYPES:
        raise EnvironmentProblem(
            "The numbers of these heads are in a form that Quire doesn't read ({form}). Choose heads in "
            "float16, bfloat16 or float32.",
            form=found.dtype,
        )
    if found.shape != tuple(wanted):
        theirs, own = ("x".join(map(str, shape)) for shape in (found.shape, wanted))
        raise _misfit(model, "size", theirs, own)


def _check_tokens(model: ModelFolder, folder: Path) -> None:
    """Compare the tokenizer beside the heads, where there is one, with the model's."""
    if (folder / "tokenizer.json").is_file() and not same_tokens(model.path, folder):
        raise EnvironmentProblem(
            "These heads don't fit {name}: they are for a model with another tokenizer. Choose heads that "
            "were made for this very model.",
            name=model.name,
        )


def _check_norm(model: ModelFolder, theirs: Tensor) -> None:
    """Compare the final norm of a checkpoint with the model's: other weights have other ones."""
    for file in model.weights:
        shapes = safetensors_header.read_header(file)
        own = {name: _empty(*shapes[name].shape) for name in shapes if name.endswith(_NORM)}
        _fill((file,), own)
        for norm in own.values():
            if norm.shape != theirs.shape or (norm - theirs).float().norm() > _UNLIKE * norm.float().norm():
                raise EnvironmentProblem(
                    "These heads are for another model of the size of {name}. Choose heads that were made "
                    "for this very model.",
                    name=model.name,
                )


# ---------------------------------------------------------------- the two forms
def _chain(
    model: ModelFolder,
    shapes: Shapes,
    names: Mapping[tuple[int, str], str],
    files: Sequence[Path],
    config: Mapping[str, Any],
) -> ChainWeights:
    own: Any = model.config
    width, parts = int(own.hidden_size), ("linear", "input_layernorm", "post_layernorm")
    count = _count_of(names, parts)
    for (_, part), name in names.items():
        _check_tensor(model, shapes[name], (width, width) if part == "linear" else (width,))
    eps = config.get("rms_norm_eps", getattr(own, "rms_norm_eps", 1e-6))
    if not isinstance(eps, float) or not 0 < eps < 1:
        raise _misfit(model, "rms_norm_eps", eps, getattr(own, "rms_norm_eps", ""))
    if _NORM in shapes:
        _check_tensor(model, shapes[_NORM], (width,))
        base = _empty(width)
        _fill(files, {_NORM: base})
        _check_norm(model, base)
    weight, norm, post_norm = _empty(count, width, width), _empty(count, width), _empty(count, width)
    stacks = dict(zip(parts, (weight, norm, post_norm), strict=True))
    _fill(files, {name: stacks[part][head] for (head, part), name in names.items()})
    return ChainWeights(weight, norm, post_norm, eps)


def _medusa(
    model: ModelFolder, shapes: Shapes, names: Mapping[tuple[int, str], str], files: Sequence[Path]
) -> MedusaWeights:
    own: Any = model.config
    width, vocab = int(own.hidden_size), int(own.vocab_size)
    blocks = sum(head == 0 and part.endswith("linear.weight") for head, part in names)
    if blocks > _MAX_BLOCKS:
        raise _damaged()
    linear = [f"{block}.linear" for block in range(blocks)]
    last = f"{blocks}.weight"
    count = _count_of(names, [*(f"{each}.{end}" for each in linear for end in ("weight", "bias")), last])
    for (_, part), name in names.items():
        of_block = (width, width) if part.endswith("linear.weight") else (width,)
        _check_tensor(model, shapes[name], (vocab, width) if part == last else of_block)
    weight, bias = _empty(count, blocks, width, width), _empty(count, blocks, width)
    lm_heads = _empty(count, vocab, width)
    places: dict[str, Tensor] = {}
    for (head, part), name in names.items():
        block, _, end = part.partition(".linear.")
        stack = weight if end == "weight" else bias
        places[name] = lm_heads[head] if part == last else stack[head, int(block)]
    _fill(files, places)
    return MedusaWeights(weight, bias, lm_heads)


def _count_of(names: Mapping[tuple[int, str], str], parts: Sequence[str]) -> int:
    """Return the number of heads; each must have all parts, and no others."""
    count = 1 + max(head for head, _ in names)
    if count > MAX_HEADS or set(names) != {(head, part) for head in range(count) for part in parts}:
        raise _damaged()
    return count


def _damaged() -> EnvironmentProblem:
    return EnvironmentProblem("These heads are incomplete or damaged. Download them again.")


def _empty(*size: int) -> Tensor:
    """Return room for weights as they are kept."""
    return torch.empty(size, dtype=torch.bfloat16)


def _fill(files: Sequence[Path], places: Mapping[str, Tensor]) -> None:
    """Read tensors, each into its place; all numbers are finite as they are kept."""
    for file in files:
        try:
            with safe_open(file, framework="pt") as opened:
                for name in places.keys() & set(opened.keys()):
                    places[name].copy_(opened.get_tensor(name))
        except (OSError, SafetensorError) as error:
            raise _damaged() from error
    # a number of float32 may be too large for bfloat16
    if not all(bool(place.isfinite().all()) for place in places.values()):
        raise _damaged()
