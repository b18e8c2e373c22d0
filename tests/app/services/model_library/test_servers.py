"""Models on servers in the list: their records, and their keys, which are in no file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from quire.errors import WriterProblem
from quire.services.model_library.model_by_name import find_server
from quire.services.model_library.model_library import ModelLibrary, ModelOrigin
from quire.services.model_library.server_keys import ServerKeys
from quire.services.model_library.server_records import (
    FILE,
    ServerRecord,
    keep_server,
    read_server,
    server_folders,
    short_name,
)
from quire_engine.api.model_identity import ON_SERVER, ModelIdentity
from quire_engine.remote.server import ServerAbilities, ServerAddress, ServerKey
from tests.keyrings import KeyringInMemory, keyring_in_memory, no_keyring

__all__ = ["keyring_in_memory", "no_keyring"]  # fixtures

ABLE = ServerAbilities(
    ("a/story-8b.gguf", "b"), "a/story-8b.gguf", "llama.cpp", completions=True, context_length=4096
)
ADDRESS = ServerAddress("https://example.org/v1", "a/story-8b.gguf")


def test_a_server_is_listed_like_a_model_and_removed(tmp_path: Path) -> None:
    folder = keep_server(tmp_path, ServerRecord(ADDRESS, ABLE, has_key=True))
    library = ModelLibrary(tmp_path)
    (_, known) = library.models()
    assert (known.path, known.name, known.origin) == (folder, "story-8b", ModelOrigin.SERVER)
    assert (known.context, known.is_usable, known.is_removable) == (4096, True, True)
    assert not known.can_be_prepared
    assert not known.can_be_smaller
    assert library.with_prepared(known) == known
    record = read_server(folder)
    assert record is not None
    assert (record.address, record.has_key, record.abilities.models) == (ADDRESS, True, ())
    assert record.abilities.completions
    assert record.abilities.logit_bias is None
    library.remove(known)
    assert not folder.exists()
    assert len(library.models()) == 1


def test_the_same_model_of_a_server_is_kept_once_and_another_beside_it(tmp_path: Path) -> None:
    first = keep_server(tmp_path, ServerRecord(ADDRESS, ABLE))
    assert keep_server(tmp_path, ServerRecord(ADDRESS, ABLE, has_key=True)) == first
    other = keep_server(tmp_path, ServerRecord(ServerAddress(ADDRESS.url, "b"), ABLE))
    assert set(server_folders(tmp_path)) == {first, other}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        b'{"format": 2}',
        json.dumps({"format": 1, "url": "file:///etc/passwd", "model": "", "abilities": {}}).encode(),
        json.dumps(
            {"format": 1, "url": "https://me:pass@example.org/v1", "model": "", "abilities": {}}
        ).encode(),
        json.dumps({"format": 1, "url": ADDRESS.url, "model": 3, "abilities": {}, "has_key": True}).encode(),
    ],
)
def test_a_record_that_makes_no_sense_is_none(tmp_path: Path, content: bytes) -> None:
    folder = keep_server(tmp_path, ServerRecord(ADDRESS, ABLE))
    (folder / FILE).write_bytes(content)
    assert read_server(folder) is None
    assert server_folders(tmp_path) == []
    assert len(ModelLibrary(tmp_path).models()) == 1


def test_abilities_of_another_version_are_unknown(tmp_path: Path) -> None:
    folder = keep_server(tmp_path, ServerRecord(ADDRESS, ABLE))
    stored = json.loads((folder / FILE).read_bytes())
    stored["abilities"] |= {"sings": True, "kind": ["no", "text"]}
    (folder / FILE).write_text(json.dumps(stored))
    record = read_server(folder)
    assert record is not None
    assert (record.abilities.kind, record.abilities.context_length) == ("", 4096)


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "servers").write_text("in the way")
    with pytest.raises(WriterProblem, match="could not be saved"):
        keep_server(tmp_path, ServerRecord(ADDRESS, ABLE))


def test_names_lose_their_folders() -> None:
    assert [short_name(name) for name in ("/models/a.Q4.gguf", "C:\\m\\b.GGUF", "maker/model", "x", "/")] == [
        "a.Q4", "b", "model", "x", "/",
    ]  # fmt: skip


def test_a_key_is_in_the_keyring_and_forgotten_with_the_last_model(
    tmp_path: Path, keyring_in_memory: KeyringInMemory
) -> None:
    keys, url = ServerKeys(), ADDRESS.url
    first = keep_server(tmp_path, ServerRecord(ADDRESS, ABLE, has_key=True))
    other = keep_server(tmp_path, ServerRecord(ServerAddress(url, "b"), ABLE, has_key=True))
    assert keys.keep(url, ServerKey("sk-very-secret"))
    assert ServerKeys().key(url).reveal() == "sk-very-secret"  # the next start
    assert not ServerKeys().key("https://example.com/v1")
    library = ModelLibrary(tmp_path)
    library.remove(library.look_at(first))
    keys.forget_unused(url, tmp_path)
    assert keys.key(url)
    assert all(b"sk-very" not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    library.remove(library.look_at(other))
    keys.forget_unused(url, tmp_path)
    assert not keys.key(url)
    assert keyring_in_memory.kept == {}


def test_without_a_keyring_a_key_lasts_until_quire_closes(no_keyring: None) -> None:
    keys = ServerKeys()
    assert not keys.can_keep
    assert not keys.keep(ADDRESS.url, ServerKey("sk-mine"))
    assert keys.key(ADDRESS.url).reveal() == "sk-mine"
    assert "sk-mine" not in repr(vars(keys))
    assert not ServerKeys().key(ADDRESS.url)


def test_a_draft_is_continued_on_the_same_host_and_nowhere_else(tmp_path: Path) -> None:
    library = ModelLibrary(tmp_path)
    keep_server(tmp_path, ServerRecord(ServerAddress("https://other.example/v1", ADDRESS.model), ABLE))
    folder = keep_server(tmp_path, ServerRecord(ADDRESS, ABLE))
    software = "llama.cpp b1 at {}; not reproducible"
    drafted_with = ModelIdentity("story-8b.gguf", "f", ON_SERVER, 0, software.format("example.org"))
    assert find_server(drafted_with, library) == folder
    assert find_server(replace(drafted_with, software=software.format("example.com")), library) is None
    assert find_server(replace(drafted_with, software=software.format("le.org")), library) is None
    assert find_server(replace(drafted_with, name="8b.gguf"), library) is None
