"""Downloads against a server on this computer: cut, paused, continued, falsified, gated, offline."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from huggingface_hub import constants

from quire_engine.catalog.download import (
    PART,
    SOURCE_FILE,
    Download,
    DownloadProgress,
    Paused,
    read_source,
)
from quire_engine.catalog.download_errors import DownloadProblem, DownloadTrouble
from quire_engine.catalog.inspection import ModelFacts, inspect_folder
from quire_engine.catalog.repositories import Repository, checked_name, look_up, need_for_token
from tests.engine.catalog.hub_server import NAME, REVISION, Behaviour, HubServer

WEIGHTS = "model.safetensors"
CHUNK = 1 << 20
TAKEN = {
    "config.json", "generation_config.json", "tokenizer.json", "README.md", "LICENSE", WEIGHTS,
}  # fmt: skip


def download(hub: HubServer, folder: Path, token: str = "") -> Download:
    repository = look_up(NAME, endpoint=hub.address)
    return Download(repository, folder, token=token, endpoint=hub.address, wait_s=0)


def nothing(progress: DownloadProgress) -> None:
    """Look away."""


def problem_of(action: Callable[[], object]) -> DownloadProblem:
    with pytest.raises(DownloadProblem) as caught:
        action()
    sentence = str(caught.value)
    assert sentence.isprintable()
    assert 20 < len(sentence) < 400
    assert sentence.endswith(".")
    return caught.value


def enlarge(behaviour: Behaviour, size: int) -> bytes:
    """Give the weights many chunks; only their bytes matter to a download."""
    behaviour.files[WEIGHTS] = bytes(range(256)) * (size // 256)
    return behaviour.files[WEIGHTS]


# ---------------------------------------------------------------- looking
def test_only_what_a_model_needs_is_chosen(hub: HubServer, behaviour: Behaviour) -> None:
    found = look_up(f"https://huggingface.co/{NAME}/tree/main", endpoint=hub.address)
    assert {file.name for file in found.files} == TAKEN
    assert found.files[-1].name == WEIGHTS  # the gigabytes come last
    assert found.num_bytes == sum(len(behaviour.files[name]) for name in TAKEN)
    assert (found.name, found.revision, found.licence) == (NAME, REVISION, "apache-2.0")
    assert not found.is_gated


def test_shards_are_taken_with_their_list(hub: HubServer, behaviour: Behaviour) -> None:
    shard = "model-0000{}-of-00002.safetensors"
    content = behaviour.files.pop(WEIGHTS)
    behaviour.files |= {
        shard.format(1): content,
        shard.format(2): content,
        "consolidated.safetensors": content,
    }
    behaviour.files["model.safetensors.index.json"] = b"{}"
    names = [file.name for file in look_up(NAME, endpoint=hub.address).files]
    assert names[-2:] == [shard.format(1), shard.format(2)]
    assert "model.safetensors.index.json" in names
    assert "consolidated.safetensors" not in names


@pytest.mark.parametrize(
    ("gone", "added", "said"),
    [
        (WEIGHTS, "pytorch_model.bin", "pickle"),
        (WEIGHTS, "mmproj-f16.gguf", "no weights in safetensors"),
        ("tokenizer.json", "tokenizer.model", "tokenizer.json"),
        ("config.json", "x", "config.json"),
    ],
)
def test_a_repository_that_lacks_something_is_rejected(
    hub: HubServer, behaviour: Behaviour, gone: str, added: str, said: str
) -> None:
    if added != "pytorch_model.bin":
        del behaviour.files["pytorch_model.bin"]
    del behaviour.files[gone]
    behaviour.files[added] = bytes(9)
    problem = problem_of(lambda: look_up(NAME, endpoint=hub.address))
    assert problem.trouble is DownloadTrouble.CONTENT
    assert said in str(problem)


@pytest.mark.parametrize(
    "text", ["", "one", "a/b/c", "../x", "a/..", "a b/c", "-a/b", "a/b\n", "a//b", "ä/b"]
)
def test_an_invalid_name_is_reported(text: str) -> None:
    if text == "a/b\n":
        assert checked_name(text) == "a/b"
        return
    assert problem_of(lambda: checked_name(text)).trouble is DownloadTrouble.UNKNOWN_NAME


def test_an_unknown_name_is_reported(hub: HubServer) -> None:
    problem = problem_of(lambda: look_up("other/model", endpoint=hub.address))
    assert problem.trouble is DownloadTrouble.UNKNOWN_NAME


@pytest.mark.parametrize("status", [401, 403, 429, 418])
def test_an_answer_that_is_an_error_is_reported(hub: HubServer, behaviour: Behaviour, status: int) -> None:
    behaviour.status = status
    problem_of(lambda: look_up(NAME, endpoint=hub.address))


# ---------------------------------------------------------------- GGUF files
def put_gguf(behaviour: Behaviour, *names: str, size: int = 3000) -> None:
    """Put files of other sizes and contents into the repository, which has no safetensors."""
    behaviour.files.pop(WEIGHTS, None)
    behaviour.files.pop("pytorch_model.bin", None)
    behaviour.files |= {name: b"GGUF" + bytes([at + 1]) * (size + at) for at, name in enumerate(names)}


PARTS = ("Q8_0/Tiny-Q8_0-00001-of-00002.gguf", "Q8_0/Tiny-Q8_0-00002-of-00002.gguf")


def test_the_quantisations_are_listed_and_one_is_downloaded_with_all_its_parts(
    hub: HubServer, behaviour: Behaviour, tmp_path: Path
) -> None:
    put_gguf(behaviour, "Tiny-Q4_K_M.gguf", *PARTS, "mmproj-Tiny-f16.gguf")
    found = look_up(NAME, endpoint=hub.address)
    assert found.files == ()
    assert [each.label for each in found.variants] == ["Q4_K_M", "Q8_0"]
    chosen = found.only(found.variants[1])
    assert (chosen.title, chosen.folder_name) == (f"{NAME} Q8_0", "maker--tiny-model--Q8_0")
    assert chosen.imported_bytes > chosen.num_bytes
    folder = Download(chosen, tmp_path / chosen.folder_name, endpoint=hub.address, wait_s=0).run(nothing)
    assert {each.name for each in folder.iterdir()} == {Path(part).name for part in PARTS} | {SOURCE_FILE}
    assert all((folder / Path(part).name).read_bytes() == behaviour.files[part] for part in PARTS)
    source = read_source(folder)
    assert source is not None
    assert source.is_finished
    assert source.repository == chosen  # so that it can be resumed


def test_a_wrong_byte_in_a_part_is_noticed(hub: HubServer, behaviour: Behaviour, tmp_path: Path) -> None:
    put_gguf(behaviour, *PARTS)
    behaviour.wrong[PARTS[1]] = 1
    chosen = look_up(f"{NAME}:q8_0", endpoint=hub.address)
    folder = Download(chosen, tmp_path / "model", endpoint=hub.address, wait_s=0).run(nothing)
    assert (folder / Path(PARTS[1]).name).read_bytes() == behaviour.files[PARTS[1]]
    assert len([each for each in behaviour.asked if each[0] == PARTS[1]]) == 2


def test_a_quantisation_can_be_named_and_one_that_is_not_there_is_answered_with_those_that_are(
    hub: HubServer, behaviour: Behaviour
) -> None:
    put_gguf(behaviour, "Tiny-Q4_K_M.gguf", "Tiny-IQ2_XXS.gguf")
    named = look_up(f"https://huggingface.co/{NAME}:q4_k_m", endpoint=hub.address)
    assert (named.variant, [file.name for file in named.files]) == ("Q4_K_M", ["Tiny-Q4_K_M.gguf"])
    problem = problem_of(lambda: look_up(f"{NAME}:Q8_0", endpoint=hub.address))
    assert "Q4_K_M, IQ2_XXS" in str(problem)
    problem_of(lambda: look_up(f"{NAME}:../x", endpoint=hub.address))


def test_a_model_in_both_forms_offers_both(hub: HubServer, behaviour: Behaviour) -> None:
    behaviour.files["Tiny-Q8_0.gguf"] = b"GGUF" + bytes(3000)
    found = look_up(NAME, endpoint=hub.address)
    assert {file.name for file in found.files} == TAKEN
    assert [each.label for each in found.variants] == ["Q8_0"]
    del behaviour.files["tokenizer.json"]  # the folder can't be used, the file can
    found = look_up(NAME, endpoint=hub.address)
    assert (found.files, len(found.variants)) == ((), 1)


def test_a_type_that_cannot_be_imported_costs_no_gigabytes(hub: HubServer, behaviour: Behaviour) -> None:
    put_gguf(behaviour, "Tiny-Q8_0.gguf")
    behaviour.gguf = {"architecture": "mamba", "total": 1000}
    problem = problem_of(lambda: look_up(NAME, endpoint=hub.address))
    assert problem.trouble is DownloadTrouble.CONTENT
    assert "mamba" in str(problem)
    behaviour.gguf = {"architecture": "llama", "total": 3100}
    (variant,) = look_up(NAME, endpoint=hub.address).variants
    assert variant.num_parameters == 3100
    behaviour.gguf = {"architecture": ["llama"], "total": "many"}
    problem_of(lambda: look_up(NAME, endpoint=hub.address))


def test_a_disk_without_room_for_the_import_is_reported(
    hub: HubServer, behaviour: Behaviour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_gguf(behaviour, "Tiny-Q8_0.gguf")
    chosen = look_up(f"{NAME}:Q8_0", endpoint=hub.address)
    free = 80 << 20  # enough for the file alone
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(free, 0, free))
    start = Download(chosen, tmp_path / "model", endpoint=hub.address, wait_s=0)
    assert problem_of(lambda: start.run(nothing)).trouble is DownloadTrouble.DISK
    assert behaviour.asked == []


# ---------------------------------------------------------------- fetching
def test_a_download_is_a_model(hub: HubServer, behaviour: Behaviour, tmp_path: Path) -> None:
    seen: list[DownloadProgress] = []
    assert look_up(NAME, endpoint=hub.address).folder_name == "maker--tiny-model"
    folder = download(hub, tmp_path / "model").run(seen.append)
    assert {each.name for each in folder.iterdir()} == TAKEN | {SOURCE_FILE}
    assert (folder / WEIGHTS).read_bytes() == behaviour.files[WEIGHTS]
    found = inspect_folder(folder)
    assert isinstance(found, ModelFacts)
    assert found.licence == "apache-2.0"
    source = read_source(folder)
    assert source is not None
    assert source.is_finished
    assert source.repository.name == NAME
    total = source.repository.num_bytes
    assert [each.done for each in seen] == sorted(each.done for each in seen)
    assert (seen[-1].done, seen[-1].total) == (total, total)


def test_a_second_download_fetches_nothing(hub: HubServer, behaviour: Behaviour, tmp_path: Path) -> None:
    download(hub, tmp_path / "model").run(nothing)
    behaviour.asked.clear()
    download(hub, tmp_path / "model").run(nothing)
    assert behaviour.asked == []


def test_a_cut_connection_continues_where_it_was_cut(
    hub: HubServer, behaviour: Behaviour, tmp_path: Path
) -> None:
    content = enlarge(behaviour, 6 * CHUNK)
    behaviour.cuts = [CHUNK // 2 + CHUNK, 2 * CHUNK + 17]
    folder = download(hub, tmp_path / "model").run(nothing)
    assert (folder / WEIGHTS).read_bytes() == content
    starts = [start for name, start, _ in behaviour.asked if name == WEIGHTS]
    assert len(starts) == 3
    assert 0 == starts[0] < starts[1] < starts[2]


def test_a_server_that_ignores_where_to_begin_is_understood(
    hub: HubServer, behaviour: Behaviour, tmp_path: Path
) -> None:
    content = enlarge(behaviour, 4 * CHUNK)
    behaviour.cuts = [2 * CHUNK]
    behaviour.ignores_range = True
    assert (download(hub, tmp_path / "model").run(nothing) / WEIGHTS).read_bytes() == content


def test_a_network_that_stays_away_is_reported_and_what_came_is_kept(
    hub: HubServer, behaviour: Behaviour, tmp_path: Path
) -> None:
    content = enlarge(behaviour, 4 * CHUNK)
    behaviour.cuts = [2 * CHUNK, 0, 0, 0, 0, 0, 0, 0]
    problem = problem_of(lambda: download(hub, tmp_path / "model").run(nothing))
    assert problem.trouble is DownloadTrouble.NETWORK
    kept = (tmp_path / "model" / (WEIGHTS + PART)).stat().st_size
    assert 0 < kept <= 2 * CHUNK
    behaviour.cuts.clear()
    behaviour.asked.clear()
    assert (download(hub, tmp_path / "model").run(nothing) / WEIGHTS).read_bytes() == content
    assert behaviour.asked == [(WEIGHTS, kept, "")]


def test_a_missing_server_is_reported(tmp_path: Path, hub: HubServer) -> None:
    waiting = download(hub, tmp_path / "model")
    hub.behaviour.status = 503
    assert problem_of(lambda: waiting.run(nothing)).trouble is DownloadTrouble.NETWORK


@pytest.mark.parametrize("chunks_before", [1, 2, 3])
def test_a_pause_keeps_what_came_and_the_next_run_continues(
    hub: HubServer, behaviour: Behaviour, tmp_path: Path, chunks_before: int
) -> None:
    content = enlarge(behaviour, 5 * CHUNK)
    first = download(hub, tmp_path / "model")

    def pause_soon(progress: DownloadProgress) -> None:
        small = sum(len(behaviour.files[name]) for name in TAKEN - {WEIGHTS})
        if progress.file == WEIGHTS and progress.done - small >= chunks_before * CHUNK:
            first.pause()

    with pytest.raises(Paused):
        first.run(pause_soon)
    kept = (tmp_path / "model" / (WEIGHTS + PART)).stat().st_size
    assert chunks_before * CHUNK <= kept < len(content)
    source = read_source(tmp_path / "model")
    assert source is not None
    assert not source.is_finished
    behaviour.asked.clear()
    again = Download(source.repository, tmp_path / "model", endpoint=hub.address, wait_s=0)
    assert (again.run(nothing) / WEIGHTS).read_bytes() == content
    assert behaviour.asked == [(WEIGHTS, kept, "")]


# ---------------------------------------------------------------- checking
@pytest.mark.parametrize("name", [WEIGHTS, "tokenizer.json", "LICENSE"])
def test_a_wrong_byte_is_noticed_and_fetched_again(
    hub: HubServer, behaviour: Behaviour, tmp_path: Path, name: str
) -> None:
    behaviour.wrong[name] = 1
    folder = download(hub, tmp_path / "model").run(nothing)
    assert (folder / name).read_bytes() == behaviour.files[name]
    assert len([each for each in behaviour.asked if each[0] == name]) == 2


@pytest.mark.parametrize("name", [WEIGHTS, "LICENSE"])
def test_a_file_that_stays_wrong_is_not_kept(
    hub: HubServer, behaviour: Behaviour, tmp_path: Path, name: str
) -> None:
    behaviour.wrong[name] = 9
    problem = problem_of(lambda: download(hub, tmp_path / "model").run(nothing))
    assert problem.trouble is DownloadTrouble.CONTENT
    assert "checksum" in str(problem)
    assert not (tmp_path / "model" / name).exists()
    assert not (tmp_path / "model" / (name + PART)).exists()


def test_a_beginning_that_was_changed_on_the_disk_is_noticed(
    hub: HubServer, behaviour: Behaviour, tmp_path: Path
) -> None:
    content = enlarge(behaviour, 4 * CHUNK)
    behaviour.cuts = [2 * CHUNK, 0, 0, 0, 0, 0]
    problem_of(lambda: download(hub, tmp_path / "model").run(nothing))
    behaviour.cuts.clear()
    part = tmp_path / "model" / (WEIGHTS + PART)
    part.write_bytes(b"x" + part.read_bytes()[1:])
    assert (download(hub, tmp_path / "model").run(nothing) / WEIGHTS).read_bytes() == content


def test_a_model_that_is_not_supported_costs_no_gigabytes(
    hub: HubServer, behaviour: Behaviour, tmp_path: Path
) -> None:
    behaviour.files["config.json"] = json.dumps({"model_type": "mamba", "state_size": 16}).encode()
    problem = problem_of(lambda: download(hub, tmp_path / "model").run(nothing))
    assert "mamba" in str(problem)
    assert WEIGHTS not in [name for name, _, _ in behaviour.asked]


# ---------------------------------------------------------------- tokens
def test_a_gate_needs_a_token_and_the_sentence_says_where_to_get_one(
    hub: HubServer, behaviour: Behaviour, tmp_path: Path
) -> None:
    behaviour.gate = "hf_right"
    repository = look_up(NAME, endpoint=hub.address)
    assert repository.is_gated
    assert "settings/tokens" in need_for_token(repository)
    for token in ("", "hf_wrong"):
        problem = problem_of(partial(download(hub, tmp_path / "model", token).run, nothing))
        assert problem.trouble is DownloadTrouble.TOKEN
    folder = download(hub, tmp_path / "model", "hf_right").run(nothing)
    assert (folder / WEIGHTS).exists()
    assert all(b"hf_right" not in file.read_bytes() for file in folder.iterdir())


def test_a_token_is_not_handed_on_to_another_host(
    serve: Callable[[Behaviour], HubServer], hub: HubServer, behaviour: Behaviour, tmp_path: Path
) -> None:
    elsewhere = serve(Behaviour(behaviour.files))
    behaviour.gate = "hf_right"
    behaviour.content_host = elsewhere.address
    download(hub, tmp_path / "model", "hf_right").run(nothing)
    assert {name for name, _, _ in elsewhere.behaviour.asked} == TAKEN
    assert {token for _, _, token in elsewhere.behaviour.asked} == {""}


def test_a_token_of_other_programs_is_not_used(
    hub: HubServer, behaviour: Behaviour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_others")
    download(hub, tmp_path / "model").run(nothing)
    assert {token for _, _, token in behaviour.asked} == {""}


# ---------------------------------------------------------------- this computer
def test_offline_means_offline(
    hub: HubServer, behaviour: Behaviour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = download(hub, tmp_path / "model")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert problem_of(lambda: waiting.run(nothing)).trouble is DownloadTrouble.OFFLINE
    assert problem_of(lambda: look_up(NAME, endpoint=hub.address)).trouble is DownloadTrouble.OFFLINE
    assert behaviour.asked == []


def test_a_folder_of_others_is_left_alone(hub: HubServer, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    assert problem_of(lambda: download(hub, tmp_path).run(nothing)).trouble is DownloadTrouble.DISK
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


def test_a_full_disk_is_reported_before_anything_is_fetched(
    hub: HubServer, behaviour: Behaviour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(9, 9, 9))
    assert problem_of(lambda: download(hub, tmp_path / "model").run(nothing)).trouble is DownloadTrouble.DISK
    assert behaviour.asked == []


def test_another_state_of_the_model_replaces_the_old_one(
    hub: HubServer, behaviour: Behaviour, tmp_path: Path
) -> None:
    folder = download(hub, tmp_path / "model").run(nothing)
    source = read_source(folder)
    assert source is not None
    old = source.repository
    note = json.loads((folder / SOURCE_FILE).read_text())
    (folder / SOURCE_FILE).write_text(json.dumps(note | {"revision": "b" * 40}))
    behaviour.files["README.md"] = b"---\nlicense: mit\n---\n"
    download(hub, folder).run(nothing)
    assert (folder / "README.md").read_bytes() == behaviour.files["README.md"]
    assert old.revision == REVISION


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", '{"format": 9}', '{"format": 1, "files": [{"name": "../x", "size": 1}]}', "x"]
)
def test_a_damaged_note_is_no_note(tmp_path: Path, content: str) -> None:
    (tmp_path / SOURCE_FILE).write_text(content)
    assert read_source(tmp_path) is None


def test_a_repository_is_a_value() -> None:
    repository = Repository(NAME, REVISION, (), "", is_gated=True)
    assert repository.page == f"https://huggingface.co/{NAME}"
    assert repository.num_bytes == 0
