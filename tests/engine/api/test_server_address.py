"""What is stored about a server, and the key, which never is."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import asdict, replace

import pytest

from quire_engine.api.config import ModelConfig
from quire_engine.api.messages import LoadModel
from quire_engine.api.server_address import MAX_URL, ServerAddress, ServerKey, normal_url

SECRET = "sk-very-secret"


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("localhost:8080", "http://localhost:8080/v1"),
        (" 127.0.0.1:11434/v1/ ", "http://127.0.0.1:11434/v1"),
        ("[::1]:8080", "http://[::1]:8080/v1"),
        ("http://192.168.1.20:8000", "http://192.168.1.20:8000/v1"),
        ("Box.Local/v1/chat/completions", "https://box.local/v1"),
        ("https://host/api/v1/completions", "https://host/api/v1"),
        ("HTTPS://Host/Path/models", "https://host/Path"),
    ],
)
def test_what_is_typed_becomes_the_base_address(typed: str, url: str) -> None:
    assert normal_url(typed) == url
    assert normal_url(url) == url


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "two words",
        "ftp://host",
        "http://",
        "http://host:99999",
        "http://[::1",
        "h" * (MAX_URL + 1),
    ],
)
def test_what_is_no_address_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(ValueError, match=r"^Enter an address like http://192\.168\.1\.20:8080\.$"):
        normal_url(typed)


@pytest.mark.parametrize(
    "typed", [f"http://me:{SECRET}@host", f"https://host/v1?key={SECRET}", "http://me@host"]
)
def test_a_key_in_the_address_is_refused_and_not_repeated(typed: str) -> None:
    with pytest.raises(ValueError, match="without a name, a password or a key") as refused:
        normal_url(typed)
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "is_here", "is_readable"),
    [
        ("http://localhost:1/v1", True, False),
        ("http://127.8.0.1/v1", True, False),
        ("http://[::1]/v1", True, False),
        ("http://192.168.1.20/v1", False, True),
        ("https://192.168.1.20/v1", False, False),
        ("http://127.0.0.1.example.org/v1", False, True),
    ],
)
def test_where_the_words_go_is_told_from_the_address(url: str, is_here: bool, is_readable: bool) -> None:
    address = ServerAddress(url)
    assert (address.is_this_computer, address.is_readable_on_the_way) == (is_here, is_readable)


def test_a_key_is_in_nothing_that_is_shown_copied_or_written() -> None:
    key = ServerKey(f" {SECRET}\n")
    config = ModelConfig("", server=ServerAddress("https://host/v1", "m"), server_key=key)
    assert key.reveal() == SECRET
    shown = [
        repr(key),
        str(key),
        f"{key}",
        f"{key!r:>40}",
        repr(config),
        repr(LoadModel(config)),
        repr(asdict(config)),
    ]
    assert not any(SECRET in text for text in shown)
    assert copy.deepcopy(key) is key
    with pytest.raises(TypeError):
        pickle.dumps(key)
    with pytest.raises(TypeError):
        json.dumps(asdict(config))


def test_another_key_is_another_configuration() -> None:
    config = ModelConfig("", server=ServerAddress("https://host/v1", "m"), server_key=ServerKey("a"))
    assert replace(config, server_key=ServerKey("b")) != config
    assert replace(config, server_key=ServerKey("a")) == config


def test_a_key_with_other_characters_is_refused_without_being_shown() -> None:
    with pytest.raises(ValueError, match="Copy it again") as refused:
        ServerKey(f"{SECRET}\nX-Header: 1")
    assert SECRET not in str(refused.value)


def test_a_model_is_in_a_folder_or_on_a_server() -> None:
    with pytest.raises(ValueError, match="folder"):
        ModelConfig("/models/one", server=ServerAddress("https://host/v1"))
