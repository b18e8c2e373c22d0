"""The engine from the command line: what it writes, what it reports, and every bad input in one sentence."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer

import quire_resources
from quire_engine.__main__ import main
from quire_engine.api.config import SamplingConfig
from quire_engine.catalog.imported_models import shown_name
from quire_engine.cli import commands
from quire_engine.models.loading import inspect_folder
from tests.engine.gguf_samples import write_gguf
from tests.engine.tiny import OPENING, SENTENCES, edit_config

Generate = Callable[..., dict[str, Any]]


@pytest.fixture
def prompt_file(tmp_path: Path) -> Path:
    """A file with an opening."""
    file = tmp_path / "opening.txt"
    file.write_text(OPENING, encoding="utf-8")
    return file


@pytest.fixture
def generate(llama: Path, prompt_file: Path, tmp_path: Path) -> Generate:
    """Run `generate` on the tiny Llama; return its report."""

    def run(*more: str, tokens: int = 12) -> dict[str, Any]:
        report = tmp_path / "report.json"
        assert main(arguments(llama, prompt_file, tokens, "--json", str(report), *more)) == 0
        content: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        return content

    return run


def arguments(model: Path, prompt: Path, tokens: int | str = 12, *more: str) -> list[str]:
    return [
        *["generate", "--model", str(model), "--prompt-file", str(prompt), "--tokens", str(tokens)],
        *["--dtype", "float32", "--threads", "1", *more],
    ]


# ---------------------------------------------------------------- what it writes
def test_a_report_holds_what_others_need_to_write_the_same_text(
    generate: Generate, llama: Path, tokenizer: Tokenizer
) -> None:
    report = generate("--seed", "7", "--min-p", "0.02")
    assert {
        *["token_ids", "text", "seconds", "tokens_per_s", "prompt_tokens", "settings", "model_fingerprint"],
        *["model", "reproducible"],
    } <= set(report)
    assert len(report["token_ids"]) == 12
    assert report["prompt_tokens"] == len(tokenizer.encode(OPENING).ids)
    assert report["seconds"] > 0
    assert report["tokens_per_s"] == pytest.approx(12 / report["seconds"], rel=0.05)
    settings = report["settings"]
    assert settings["method"] == "plain"
    assert (settings["seed"], settings["min_p"], settings["repetition_penalty"]) == (7, 0.02, 1.2)
    fingerprint = inspect_folder(llama).fingerprint
    assert report["model_fingerprint"] == report["model"]["fingerprint"] == fingerprint
    assert (report["model"]["dtype"], report["model"]["width"]) == ("float32", 8)
    assert report["reproducible"] is True


def test_a_gguf_file_is_read_where_it_lies_with_what_ships_for_it(
    prompt_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QUIRE_CACHE", str(tmp_path / "cache"))
    file, report = write_gguf("llama", tmp_path / "Tale.Q8_0.gguf", kind="Q8_0"), tmp_path / "report.json"
    texts = []
    for _ in range(2):
        assert main(arguments(file, prompt_file, 12, "--json", str(report))) == 0
        texts.append(json.loads(report.read_text(encoding="utf-8"))["token_ids"])
    assert texts[0] == texts[1]
    (folder,) = (tmp_path / "cache" / "imported").iterdir()
    assert json.loads(report.read_text(encoding="utf-8"))["model"]["name"] == shown_name(folder)
    assert main(["selftest", str(file), "--dtype", "float32", "--threads", "1"]) == 0
    file.write_bytes(file.read_bytes()[:-1])
    capsys.readouterr()
    assert main(arguments(file, prompt_file)) == 1
    assert "truncated" in capsys.readouterr().err


def test_the_text_goes_to_standard_output_and_the_speed_to_standard_error(
    generate: Generate, capsys: pytest.CaptureFixture[str]
) -> None:
    report = generate()
    written = capsys.readouterr()
    assert written.out == report["text"] + "\n"
    assert "12 tokens in" in written.err


def test_the_same_seed_writes_the_same_and_another_one_another(generate: Generate) -> None:
    first = generate("--seed", "3")
    assert generate("--seed", "3")["token_ids"] == first["token_ids"]
    assert generate("--seed", "4")["token_ids"] != first["token_ids"]


def test_greedy_writing_asks_no_seed(generate: Generate) -> None:
    greedy = ("--temperature", "0", "--penalty", "1")
    assert generate(*greedy, "--seed", "1")["token_ids"] == generate(*greedy, "--seed", "2")["token_ids"]


@pytest.mark.parametrize(
    ("option", "value", "name"),
    [
        ("--temperature", 0.5, "temperature"),
        ("--top-k", 5, "top_k"),
        ("--top-p", 0.9, "top_p"),
        ("--min-p", 0.3, "min_p"),
        ("--eta", 0.01, "eta"),
        ("--penalty", 1.5, "repetition_penalty"),
        ("--penalty-window", 3, "penalty_window"),
        ("--seed", 2**63 - 1, "seed"),
    ],
)
def test_every_setting_arrives(generate: Generate, option: str, value: float, name: str) -> None:
    settings = generate(option, str(value), tokens=1)["settings"]
    assert settings[name] == value != getattr(SamplingConfig(), name)


@pytest.mark.parametrize("width", [1, 8])
def test_acceleration_writes_the_same_text(generate: Generate, width: int) -> None:
    plain = generate("--width", str(width), tokens=40)
    fast = generate("--width", str(width), "--method", "tokenswift", tokens=40)
    assert fast["token_ids"] == plain["token_ids"]
    assert fast["settings"]["method"] == "tokenswift"


def test_a_report_says_what_acceleration_earned(generate: Generate) -> None:
    report = generate("--method", "tokenswift", "--drafters", "ngrams", "--tree", "2,1", tokens=60)
    assert {
        *["alpha", "beta", "passes", "tokens_per_pass", "accepted_by_source", "distinct", "draft_ms"],
        *["verify_ms", "rest_ms"],
    } <= set(report)
    assert report["tokens_per_pass"] == pytest.approx(60 / report["passes"], abs=1e-3)
    assert set(report["accepted_by_source"]) <= {"ngrams"}
    assert report["settings"]["tree"] == [2, 1]
    assert report["distinct"]["units"] == 60
    plain = generate(tokens=60)
    assert (plain["alpha"], plain["tokens_per_pass"], plain["draft_ms"]) == (None, 1.0, 0.0)
    assert plain["token_ids"] == report["token_ids"]


def test_a_fixed_tree_gets_a_pass_that_can_hold_it(generate: Generate) -> None:
    report = generate("--method", "tokenswift", "--drafters", "fourgrams", "--tree", "1,3,3,3", tokens=5)
    assert report["model"]["width"] == 48  # 1 + 1 + 3 + 9 + 27 rows, rounded up
    assert generate("--width", "3", tokens=5)["model"]["width"] == 3
    whole = generate("--method", "tokenswift", "--drafters", "ngrams", "--tree", "3,3,3,3", tokens=5)
    assert whole["model"]["width"] == 128  # 121 rows


def test_a_tree_wider_than_any_pass_is_cut_and_says_so(
    llama: Path, prompt_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fast = ("--method", "tokenswift", "--drafters", "ngrams", "--tree", "1,9,9,9")
    assert main(arguments(llama, prompt_file, 3, *fast)) == 0
    assert "The tree has 821 rows, and a pass at most 128" in capsys.readouterr().err


def test_a_model_is_loaded_as_the_app_loads_it(llama: Path, prompt_file: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    words = ["generate", "--model", str(llama), "--prompt-file", str(prompt_file), "--tokens", "3"]
    words += ["--threads", "1", "--json", str(report)]
    assert main(words) == 0
    assert json.loads(report.read_text(encoding="utf-8"))["model"]["dtype"] == "int8"
    assert main([*words, "--method", "tokenswift", "--drafters", "partial", "--tree", "1,2"]) == 0
    assert json.loads(report.read_text(encoding="utf-8"))["model"]["dtype"] != "int8"


def test_phrases_of_other_texts_change_nothing_but_the_speed(
    generate: Generate, prompt_file: Path, tmp_path: Path
) -> None:
    plain = generate(tokens=50)
    draft = tmp_path / "draft.txt"
    draft.write_text(OPENING + plain["text"], encoding="utf-8")
    fast = ("--method", "tokenswift", "--drafters", "ngrams", "--tree", "1,1,1,1,1")
    alone, helped = generate(*fast, tokens=50), generate(*fast, "--known-text", str(draft), tokens=50)
    assert alone["token_ids"] == helped["token_ids"] == plain["token_ids"]
    assert helped["passes"] < alone["passes"]


def test_an_empty_text_of_phrases_is_no_problem(generate: Generate, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("", encoding="utf-8")
    plain = generate(tokens=5)["token_ids"]
    assert generate("--method", "tokenswift", "--known-text", str(empty), tokens=5)["token_ids"] == plain


def test_of_a_text_that_is_too_long_the_newest_part_is_read_where_wanted(
    generate: Generate, prompt_file: Path, llama: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prompt_file.write_text(OPENING * 20, encoding="utf-8")
    assert "--read-tail" in sentence_of(capsys, main(arguments(llama, prompt_file)))
    assert 0 < generate("--read-tail", tokens=3)["prompt_tokens"] <= 256


def test_passes_as_narrow_as_they_can_be_promise_only_the_distribution(generate: Generate) -> None:
    assert generate("--reproducible", "off", tokens=5)["reproducible"] is False


def test_a_text_may_be_let_end(generate: Generate) -> None:
    report = generate("--stop-at-end", "--min-tokens", "4", tokens=8)
    assert 4 <= len(report["token_ids"]) <= 8
    assert 0 not in report["token_ids"]


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_one_sentence(
    llama: Path, prompt_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "GPU" in sentence_of(capsys, main(arguments(llama, prompt_file, 3, "--device", "cuda")))


def test_a_prompt_saved_with_a_byte_order_mark_is_the_same_prompt(
    generate: Generate, prompt_file: Path
) -> None:
    wanted = generate()["token_ids"]
    prompt_file.write_text(OPENING, encoding="utf-8-sig")
    assert generate()["token_ids"] == wanted


def test_a_terminal_that_cannot_show_the_text_does_not_end_the_run(
    generate: Generate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where standard output that goes into a file has an old encoding."""
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True))
    assert not generate(tokens=30)["text"].isascii()


def test_the_self_test_says_what_a_model_can_promise(llama: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selftest", "--model", str(llama), "--dtype", "bfloat16", "--threads", "1"]) == 0
    line = capsys.readouterr().out
    assert line.startswith("llama: matches the library; reproducible")
    assert "bfloat16" in line
    assert "512 tokens of context" in line


def test_the_built_in_model_is_the_default(
    llama: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(quire_resources, "BUILT_IN_MODEL", llama)
    assert main(["selftest", "--threads", "1"]) == 0
    assert capsys.readouterr().out.startswith("llama: ")


# ---------------------------------------------------------------- bad inputs
def sentence_of(capsys: pytest.CaptureFixture[str], status: int) -> str:
    """Return the one line that a refusal says; nothing else was said."""
    written = capsys.readouterr()
    assert (status, written.out) == (1, "")
    assert written.err.count("\n") == 1
    return written.err


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *[("--tokens", "0"), ("--tokens", "-3"), ("--temperature", "-1"), ("--temperature", "nan")],
        *[
            ("--temperature", "inf"),
            ("--top-k", "-1"),
            ("--top-p", "0"),
            ("--top-p", "1.5"),
            ("--min-p", "1"),
        ],
        *[("--eta", "-0.1"), ("--penalty", "0.9"), ("--penalty", "inf"), ("--penalty-window", "-1")],
        *[
            ("--seed", "-1"),
            ("--seed", str(2**63)),
            ("--width", "0"),
            ("--width", "129"),
            ("--threads", "-1"),
        ],
        *[("--width", "wide"), ("--drafters", "nonsense"), ("--drafters", "ngram"), ("--drafters", "")],
        *[("--tree", "1,x"), ("--tree", "0"), ("--tree", "99"), ("--partial-budget", "3")],
        *[("--gamma", "0"), ("--tails", "0"), ("--table-delay", "soon")],
        *[("--min-tokens", "-1")],
    ],
)
def test_a_value_outside_of_its_limits_is_one_sentence(
    llama: Path, prompt_file: Path, capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    status = main(arguments(llama, prompt_file, 12, option, value))
    sentence = sentence_of(capsys, status)
    assert " must be " in sentence
    assert value in sentence


def test_a_prompt_that_cannot_be_read_is_one_sentence(
    llama: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contents = {"empty": b"", "blank": b" \n\t\n", "latin": "café".encode("latin-1"), "mark": b"\xef\xbb\xbf"}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
        status = main(arguments(llama, tmp_path / name))
        assert str(tmp_path / name) in sentence_of(capsys, status)
    for path in (tmp_path, tmp_path / "nowhere.txt", tmp_path / "empty" / "x", tmp_path / ("a" * 300)):
        status = main(arguments(llama, path))
        assert path.name in sentence_of(capsys, status)


def test_a_prompt_that_is_too_long_is_one_sentence(
    llama: Path, prompt_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prompt_file.write_text("".join(SENTENCES) * 5, encoding="utf-8")
    assert "512" in sentence_of(capsys, main(arguments(llama, prompt_file)))


def test_a_model_that_cannot_be_used_is_one_sentence(
    own_llama: Path, prompt_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in (tmp_path / "nowhere", tmp_path, prompt_file, edit_config(own_llama, model_type="gpt2")):
        for command in (arguments(folder, prompt_file), ["selftest", "--model", str(folder)]):
            sentence_of(capsys, main(command))


def test_without_a_built_in_model_a_message_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, prompt_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["generate", "--prompt-file", str(prompt_file), "--tokens", "1"]
    monkeypatch.setattr(quire_resources, "BUILT_IN_MODEL", tmp_path / "gone")
    sentence_of(capsys, main(command))
    monkeypatch.setitem(sys.modules, "quire_resources", None)
    assert "--model" in sentence_of(capsys, main(command))


def test_a_report_that_cannot_be_written_is_said_before_the_text_is(
    llama: Path, prompt_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path / "nowhere" / "report.json", tmp_path):
        status = main(arguments(llama, prompt_file, 3, "--json", str(path)))
        assert str(path) in sentence_of(capsys, status)


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["nonsense"],
        ["generate"],
        ["generate", "--tokens", "5"],
        ["generate", "--prompt-file", "x", "--tokens", "many"],
        ["generate", "--prompt-file", "x", "--tokens", "5", "--method", "magic"],
        ["generate", "--prompt-file", "x", "--tokens", "5", "--dtype", "float16"],
        ["selftest", "--nonsense"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_explained(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(command)
    assert ended.value.code == 2
    assert re.fullmatch(
        r"quire_engine: .+[.?] See python -m quire_engine.* --help\.\n", capsys.readouterr().err
    )


def test_an_interrupted_run_says_so(
    llama: Path, prompt_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        def load(self, config: object) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr(commands, "Engine", Interrupted)
    assert main(arguments(llama, prompt_file)) == 130
    assert capsys.readouterr().err == "Stopped.\n"


# ---------------------------------------------------------------- questions
def test_a_check_compares_plain_with_accelerated_on_this_computer(
    llama: Path, prompt_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--prompt-file", str(prompt_file), "--tokens", "40", "--dtype", "float32", "--threads", "1"]
    assert main(["check", str(llama), *options]) == 0
    said = capsys.readouterr().out
    assert "matches the library" in said
    assert "40 of 40 tokens are the same" in said


def test_goals_and_steering_arrive(generate: Generate, tmp_path: Path) -> None:
    front = tmp_path / "front.txt"
    front.write_text("Mara is a pilot.", encoding="utf-8")
    plain = generate()
    steered = generate("--front-file", str(front), "--note", "[ rain ]")
    assert steered["prompt_tokens"] > plain["prompt_tokens"] + 5
    assert generate("--stop-phrase", plain["text"][:3])["token_ids"] != plain["token_ids"]
    assert len(generate("--minutes", "0.0000001")["token_ids"]) == 1
