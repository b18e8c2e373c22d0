"""Fixtures of the model library: a hub on this computer, and a tiny model in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.engine.catalog.hub_server import Behaviour, HubServer


@pytest.fixture
def serve() -> Iterator[Callable[[Behaviour], HubServer]]:
    """Start servers that end with the test."""
    servers: list[HubServer] = []

    def start(behaviour: Behaviour) -> HubServer:
        servers.append(HubServer(behaviour))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def behaviour(llama: Path) -> Behaviour:
    """The files of a tiny model, with some that nobody needs."""
    files = {file.name: file.read_bytes() for file in llama.iterdir()}
    files["README.md"] = b"---\nlicense: apache-2.0\n---\n# Tiny\n"
    files["LICENSE"] = b"Apache License"
    files["pytorch_model.bin"] = b"\x80\x04" + bytes(5000)
    files["modeling_tiny.py"] = b"print('never run')"
    files["onnx/model.safetensors"] = bytes(10)
    return Behaviour(files, {"license": "apache-2.0"})


@pytest.fixture
def hub(serve: Callable[[Behaviour], HubServer], behaviour: Behaviour) -> HubServer:
    """A hub that holds it."""
    return serve(behaviour)
