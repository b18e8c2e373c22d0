"""The model of a draft on a server, from the command line."""

from __future__ import annotations

import argparse
import asyncio
import os

from quire.cli.draft_console import DraftConsole
from quire.errors import WriterProblem
from quire_engine.api.config import ModelConfig
from quire_engine.api.server_address import ServerAddress, ServerKey
from quire_engine.catalog.stored_secret import StoredSecret

KEY_VARIABLE = "QUIRE_SERVER_KEY"


def add_server_options(draft: argparse.ArgumentParser) -> None:
    """Declare the options."""
    draft.add_argument(
        "--server",
        metavar="URL",
        help="draft with a model on this OpenAI-compatible server; your words go there. Its key, if it needs "
        f"one, comes from {KEY_VARIABLE} or from the system's keyring",
    )
    draft.add_argument(
        "--server-model", metavar="NAME", default="", help="the model's name on the server, if it has several"
    )


async def server_config(options: argparse.Namespace, console: DraftConsole) -> ModelConfig | None:
    """Return the model that the options name, and print where the words go; None where they name no server.

    WriterProblem where the options contradict each other or there is no such address.
    """
    if options.server is None:
        if options.server_model:
            raise WriterProblem("--server-model needs --server, the address of the server.")
        return None
    if options.model is not None:
        raise WriterProblem("--model is on this computer and --server on another one. Choose one of them.")
    if options.draft_model is not None:
        raise WriterProblem(
            "--draft-model drafts ahead for a model on this computer, and --server names one on another. "
            "Choose one of them."
        )
    try:
        address = ServerAddress.parsed(options.server, options.server_model)
        key = ServerKey(os.environ.get(KEY_VARIABLE, ""))
        if not key:
            key = ServerKey(await asyncio.to_thread(StoredSecret(address.url).read))
    except ValueError as error:
        raise WriterProblem(str(error.args[0])) from None
    console.say(f"Words go to {address.host}.")
    if address.is_readable_on_the_way:
        console.say("The connection is not encrypted: others on the network can read them, and the key.")
    return ModelConfig("", server=address, server_key=key)
