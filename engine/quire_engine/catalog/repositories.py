"""A model's repository on the Hugging Face hub: its files, and which of them Quire downloads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.download_errors import TOKENS_PAGE, DownloadProblem, DownloadTrouble
from quire_engine.catalog.gguf_support import check_architecture
from quire_engine.catalog.gguf_variants import GgufVariant, find_variants
from quire_engine.catalog.imported_models import folder_stem
from quire_engine.catalog.rejection import ModelRejected, printable
from quire_engine.catalog.repository_file import RepositoryFile
from quire_engine.catalog.weight_files import INDEX, SINGLE, is_plain_name

_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(?:/[A-Za-z0-9][\w.-]{0,95})", re.ASCII)
_WITH_VARIANT = re.compile(r"((?:https?://)?[^:]+):([\w.-]{1,200})", re.ASCII)
_SHARD = re.compile(r"model-\d{5}-of-\d{5}\.safetensors")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_REVISION = re.compile(r"[0-9a-f]{40}")
_SMALL = frozenset(
    {
        "config.json",
        "generation_config.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "chat_template.jinja",
        "chat_template.json",
        "README.md",
        "LICENSE",
        "LICENSE.txt",
        "LICENSE.md",
        "LICENCE",
        "NOTICE",
        "USE_POLICY.md",
        INDEX,
    }
)
_MAX_SMALL = 256 << 20
_MAX_FILE = 1 << 43


@dataclass(frozen=True, slots=True)
class Repository:
    """What would be downloaded.

    Attributes:
        revision: the exact commit.
        files: the model's folder, or the files of one quantisation; empty while one is to be chosen.
        licence: empty if none is named.
        variant: the label of the quantisation that the files are; empty for a folder.
        imported_bytes: about the size of its numbers in bfloat16, where they are quantised; 0 for a folder.
        variants: the quantisations to choose from; not recorded.
    """

    name: str
    revision: str
    files: tuple[RepositoryFile, ...]
    licence: str
    is_gated: bool
    variant: str = ""
    imported_bytes: int = 0
    variants: tuple[GgufVariant, ...] = ()

    @property
    def num_bytes(self) -> int:
        """Size of all files."""
        return sum(file.size for file in self.files)

    @property
    def title(self) -> str:
        """Its name, with the quantisation if it is one."""
        return f"{self.name} {self.variant}".strip()

    @property
    def folder_name(self) -> str:
        """The name of its folder: maker, model and quantisation in one name."""
        name = self.name.replace("/", "--")
        return f"{name}--{folder_stem(self.variant, 'gguf')}" if self.variant else name

    def only(self, variant: GgufVariant) -> Repository:
        """Return one quantisation alone."""
        return replace(
            self,
            files=variant.files,
            variant=variant.label,
            imported_bytes=variant.imported_bytes,
            variants=(),
        )

    @property
    def page(self) -> str:
        """The model's page, where its licence can be accepted."""
        return f"https://huggingface.co/{self.name}"


def checked_name(text: str) -> str:
    """Return the repository name in what was typed, which may be a URL."""
    name = text.strip().removeprefix("https://").removeprefix("http://").removeprefix("huggingface.co/")
    name = re.sub(r"/(?:tree|blob|resolve)/.*", "", name).strip("/")
    if not _NAME.fullmatch(name) or ".." in name or "--" in name:
        raise DownloadProblem(
            DownloadTrouble.UNKNOWN_NAME,
            "“{name}” is not a model name. Write it as on its page: maker/model.",
            name=printable(text, 60),
        )
    return name


def look_up(text: str, *, token: str = "", endpoint: str | None = None) -> Repository:
    """Ask the hub for a repository's files; nothing is downloaded. Raises DownloadProblem if it is
    unusable.

    Args:
        text: a name, or a name and a quantisation: maker/model:Q4_K_M, which is then the only one returned.
    """
    from quire_engine.catalog.hub import HubClient

    text, wanted = split_name(text)
    name = checked_name(text)
    info: Any = HubClient(endpoint, token).describe(name)
    revision = str(info.sha or "")
    if not _REVISION.fullmatch(revision):
        raise _nonsense(name)
    found = [_file(name, each) for each in info.siblings or ()]
    about: dict[str, Any] = info.gguf if isinstance(info.gguf, dict) else {}
    variants = find_variants(found, _count(about.get("total")))
    card: Any = info.card_data
    listed = Repository(name, revision, (), _licence(card), bool(info.gated), variants=variants)
    if wanted:
        return _only(listed, wanted)
    try:
        return replace(listed, files=chosen_files(found, name))
    except DownloadProblem:
        if not variants:
            raise
    _refuse_unknown_type(str(about.get("architecture", "")))
    return listed


def split_name(text: str) -> tuple[str, str]:
    """Return the name of a repository and of a quantisation in what was typed; the latter may be empty."""
    found = _WITH_VARIANT.fullmatch(text.strip())
    return (found[1], found[2]) if found else (text, "")


def _only(listed: Repository, wanted: str) -> Repository:
    for variant in listed.variants:
        if variant.label.lower() == wanted.lower():
            return listed.only(variant)
    raise DownloadProblem(
        DownloadTrouble.CONTENT,
        "{name} has no GGUF file called {wanted}. It has: {labels}.",
        name=listed.name,
        wanted=printable(wanted, 40),
        labels=printable(", ".join(each.label for each in listed.variants) or "-", 300),
    )


def _refuse_unknown_type(architecture: str) -> None:
    """Reject a model that could not be imported before its gigabytes are fetched."""
    try:
        if architecture:
            check_architecture(architecture)
    except ModelRejected as refused:
        raise DownloadProblem(DownloadTrouble.CONTENT, refused.message) from refused


def _count(value: object) -> int:
    return value if type(value) is int and 0 < value < _MAX_FILE else 0


def chosen_files(found: Sequence[RepositoryFile], name: str) -> tuple[RepositoryFile, ...]:
    """Return the files to download: safetensors weights, configuration, tokenizer, licence, description."""
    by_name = {file.name: file for file in found if is_plain_name(file.name)}
    weights = [SINGLE] if SINGLE in by_name else sorted(each for each in by_name if _SHARD.fullmatch(each))
    if not weights or (weights != [SINGLE] and INDEX not in by_name):
        raise DownloadProblem(DownloadTrouble.CONTENT, _no_weights(by_name, name))
    small = [each for each in sorted(_SMALL & by_name.keys()) if by_name[each].size <= _MAX_SMALL]
    if weights == [SINGLE]:
        small = [each for each in small if each != INDEX]  # the engine would read the single file
    for needed in ("config.json", "tokenizer.json"):
        if needed not in small:
            raise DownloadProblem(
                DownloadTrouble.CONTENT,
                "{name} has no {file}, so Quire can't use it. Choose another version of the model.",
                name=name,
                file=needed,
            )
    return tuple(by_name[each] for each in (*small, *weights))


def need_for_token(repository: Repository) -> str:
    """Explain how to get a token for a gated repository."""
    return UserMessage(
        "The makers of {name} require you to accept their licence. Accept it at {page}, create a "
        "read token at {tokens_page}, and paste it here.",
        name=repository.name,
        page=repository.page,
        tokens_page=TOKENS_PAGE,
    )


def _file(name: str, sibling: Any) -> RepositoryFile:
    lfs: Any = sibling.lfs
    size: Any = sibling.size if lfs is None else lfs.size
    digest = "" if lfs is None else str(lfs.sha256 or "")
    git_id = str(sibling.blob_id or "")
    if type(size) is not int or not 0 <= size <= _MAX_FILE:
        raise _nonsense(name)
    if lfs is not None and not _DIGEST.fullmatch(digest):
        raise _nonsense(name)
    if lfs is None and not _REVISION.fullmatch(git_id):
        raise _nonsense(name)
    path = str(sibling.rfilename)
    folder, _, file = path.rpartition("/")
    is_gguf = bool(folder) and path.lower().endswith(".gguf") and all(map(is_plain_name, path.split("/")))
    # only these are taken out of folders; any other name with a folder in it is chosen by nobody
    shown, at = (file, path) if is_gguf else (path, "")
    return RepositoryFile(shown, size, digest, "" if digest else git_id, at)


def _licence(card: Any) -> str:
    if card is None:
        return ""
    for key in ("license_name", "license"):
        named = card.get(key)
        if isinstance(named, str) and named.strip() and named != "other":
            return printable(named, 60)
    return ""


def _no_weights(files: dict[str, RepositoryFile], name: str) -> str:
    if any(each.endswith((".bin", ".pt", ".pth")) for each in files):
        return UserMessage(
            "{name} only has pickle files, which can run programs when opened. Quire reads "
            "safetensors only; look for a version in that format.",
            name=name,
        )
    return UserMessage("{name} has no weights in safetensors. Choose another model.", name=name)


def _nonsense(name: str) -> DownloadProblem:
    return DownloadProblem(
        DownloadTrouble.NETWORK,
        "Hugging Face gave an invalid answer about {name}. Try again later.",
        name=name,
    )
