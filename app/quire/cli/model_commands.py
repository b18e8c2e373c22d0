"""Commands on models: list, check, add, import, heads, remove, download. None of them loads one."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

from quire.cli import download_console
from quire.cli.import_console import MakeSignals, import_file
from quire.cli.questions import is_confirmed
from quire.errors import WriterProblem
from quire.services.model_library.model_imports import ImportWish
from quire.services.model_library.model_library import KnownModel, ModelLibrary, ModelOrigin, reckoned
from quire.services.model_library.model_memory import ask_for_memory
from quire.services.model_library.published_heads import add_heads, remove_heads
from quire.services.model_library.server_keys import ServerKeys
from quire.system.app_folders import cache_folder
from quire.system.file_sizes import size_text
from quire_engine.api.context_rules import context_here
from quire_engine.catalog.description import described
from quire_engine.catalog.importable import inspect_importable, is_importable
from quire_engine.catalog.rejection import Rejection

_PAUSED = 130


def add_parsers(commands: Any) -> None:
    """Declare `quire models ...`."""
    models = commands.add_parser("models", help="list, check, add, import, remove or download models")
    actions = models.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="list the models Quire knows")
    check = actions.add_parser(
        "check", help="describe the model in a folder and whether it fits on this computer"
    )
    check.add_argument("folder", type=Path, metavar="DIR")
    add = actions.add_parser("add", help="add a model folder to the list")
    add.add_argument("folder", type=Path, metavar="DIR")
    bring = actions.add_parser(
        "import", help="import a GGUF file, or a folder with AWQ, GPTQ, FP8 or MXFP4 weights; Ctrl-C stops it"
    )
    bring.add_argument("file", type=Path, metavar="FILE")
    bring.add_argument(
        "--original", action="store_true",
        help="as its makers published it: leave out Quire's training on novels where there is one",
    )  # fmt: skip
    heads = actions.add_parser(
        "heads", help="add draft heads that others have published: faster drafts, the same words"
    )
    heads.add_argument("name", metavar="NAME", help="as `quire models list` shows the model, or its folder")
    what = heads.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "source",
        type=Path,
        nargs="?",
        metavar="PATH",
        help="a folder or safetensors file of TokenSwift or Medusa",
    )
    what.add_argument("--remove", action="store_true", help="take heads that were added out again")
    remove = actions.add_parser(
        "remove", help="take a model off the list; what was downloaded or imported is deleted"
    )
    remove.add_argument("name", metavar="NAME", help="as `quire models list` shows it, or its folder")
    remove.add_argument("--yes", action="store_true", help="delete without asking")
    download = actions.add_parser(
        "download", help="download a model; Ctrl-C pauses, the same command resumes"
    )
    download.add_argument(
        "name", metavar="MAKER/MODEL[:QUANTISATION]",
        help="name on Hugging Face; of GGUF files one is recommended if none is named, such as :Q8_0",
    )  # fmt: skip
    download.add_argument("--yes", action="store_true", help="accept size and licence without asking")


async def run(
    options: argparse.Namespace, make_signals: MakeSignals, library: ModelLibrary | None = None
) -> int:
    """Run one of the commands; WriterProblem when it fails.

    Args:
        library: another list, for tests.
        make_signals: what turns Ctrl-C into a pause, such as PauseSignals of the other commands.
    """
    known = ModelLibrary(cache_folder=cache_folder()) if library is None else library
    match options.action:
        case "list":
            return await asyncio.to_thread(_list, known)
        case "check":
            return await asyncio.to_thread(_check, known, options.folder)
        case "add":
            added = await asyncio.to_thread(known.add, options.folder.absolute())
            sys.stderr.write(f"Added {added.name}.\n")
            return 0
        case "import":
            return await _import(options, known, make_signals)
        case "heads":
            return await asyncio.to_thread(_heads, known, options.name, options.source)
        case "remove":
            return await asyncio.to_thread(_remove, known, options.name, confirmed=options.yes)
        case _:
            return await download_console.download(options, known, make_signals)


def _list(library: ModelLibrary) -> int:
    for known in library.models():
        sys.stdout.write(f"{known.name}: {_summary(known)}\n    {known.path}\n")
    sys.stdout.flush()
    return 0


def _summary(known: KnownModel) -> str:
    if known.gguf is not None:
        return (
            f"{known.gguf.quantisation}, {size_text(known.gguf.num_bytes)}, licence: {_licence(known)}; "
            f"to use it: quire models import {known.gguf.path}"
        )
    if known.server is not None:
        return f"on {known.server.address.host}, {known.server.address.url}; for drafts in the window"
    if known.facts is None:
        return known.problem
    facts = known.facts
    kind = "chat model" if facts.is_chat else "story model"
    return (
        f"{facts.architecture.model_type}, {size_text(facts.num_bytes)}, up to "
        f"{facts.context_length:,} tokens of context, {kind}{_adapted(known)}, licence: {_licence(known)}"
    )


def _adapted(known: KnownModel) -> str:
    if known.origin is not ModelOrigin.IMPORTED or not known.has_adapter:
        return ""
    return " with Quire's training on novels" if known.is_adapted else " as its makers published it"


def _licence(known: KnownModel) -> str:
    return "same as Quire (MIT)" if known.origin is ModelOrigin.BUILT_IN else known.licence or "not stated"


def _check(library: ModelLibrary, folder: Path) -> int:
    if is_importable(folder):
        return _check_file(folder)
    known = library.look_at(folder.absolute())
    if known.facts is None:
        raise WriterProblem("{folder}: {problem}", folder=folder, problem=known.problem)
    memory = ask_for_memory()
    where = memory.gpu_name or "the CPU"
    context = context_here(known.facts.context_length, on_gpu=memory.gpu > 0)
    advice = reckoned(known.facts, memory, "auto").advice
    lines = (
        *described(known.facts),
        f"On {where}: {context:,} tokens of context. {advice}",
    )
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
    return 0


def _check_file(path: Path) -> int:
    found = inspect_importable(path)
    if isinstance(found, Rejection):
        raise WriterProblem("{folder}: {problem}", folder=path, problem=found.sentence)
    kind = "chat model" if found.is_chat else "story model"
    sys.stdout.write(
        f"{found.title}: {found.num_parameters:,} parameters ({found.quantisation}, "
        f"{size_text(found.num_bytes)}), {kind}, licence: {found.licence or 'not stated'}\n"
        f"It is read where it is, once it is imported: quire models import {path}\n"
    )
    sys.stdout.flush()
    return 0


async def _import(options: argparse.Namespace, library: ModelLibrary, make_signals: MakeSignals) -> int:
    wish = ImportWish(is_adapted=not options.original)
    folder = await import_file(options.file, make_signals, library.home, wish)
    if folder is None:
        sys.stderr.write("Stopped; nothing was imported.\n")
        return _PAUSED
    sys.stderr.write(f"Imported into {folder}. To use it: quire draft --model {folder}\n")
    return 0


def _named(library: ModelLibrary, name: str) -> KnownModel:
    found = [each for each in library.models() if name in (each.name, each.path.name, str(each.path))]
    if len(found) != 1:
        if not found:
            raise WriterProblem("No model is called {name}.", name=name)
        raise WriterProblem("Several models are called {name}. Name the folder instead.", name=name)
    return found[0]


def _heads(library: ModelLibrary, name: str, source: Path | None) -> int:
    known = _named(library, name)
    place = library.drafters_place(known.path)
    if source is None:
        removed = remove_heads(known.path, place)
        said = "The draft heads were removed from" if removed else "No draft heads had been added to"
        sys.stderr.write(f"{said} {known.name}.\n")
        return 0
    added = add_heads(known.path, source.absolute(), place)
    replaced = f" They replace those from {added.replaced}." if added.replaced else ""
    sys.stderr.write(f"Added {added.count} draft heads of {added.kind} to {known.name}.{replaced}\n")
    return 0


def _remove(library: ModelLibrary, name: str, *, confirmed: bool) -> int:
    known = _named(library, name)
    if known.is_ours and known.is_removable and not confirmed:
        size = "" if known.facts is None else f" ({size_text(known.facts.num_bytes)})"
        if not is_confirmed(f"Delete {known.name}{size}?", "Pass --yes to delete it."):
            sys.stderr.write("Nothing deleted.\n")
            return 1
    library.remove(known)
    if known.server is not None:
        ServerKeys().forget_unused(known.server.address.url, library.home)
    sys.stderr.write(f"Deleted {known.path}.\n" if known.is_ours else f"Took {known.name} off the list.\n")
    return 0
