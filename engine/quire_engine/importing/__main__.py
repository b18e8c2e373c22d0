"""Import a model in a process of its own: `python -m quire_engine.importing FILE --models DIR`.

Each line of output is a JSON object: {"done", "total"} for the progress in bytes, {"folder"} at the end, or
{"problem"} with the sentence that says why it failed. It stops and removes its work when its standard input
is closed, which also happens when whoever started it is gone.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from quire_engine.api.errors import EngineError
from quire_engine.api.user_message import UserMessage, packed
from quire_engine.catalog.adapters import adapter_for
from quire_engine.catalog.importable import find_importable
from quire_engine.catalog.imported_models import source_digest
from quire_engine.catalog.rejection import ModelRejected
from quire_engine.importing.model_import import ImportProgress, ImportStopped, import_model

STOPPED = 3
"""Exit status of an import that was stopped."""
_TELL_EVERY_S = 0.1


def main(arguments: Sequence[str] | None = None) -> int:
    """Import a file. Exit status: 0 done, 1 it cannot be used, 3 stopped."""
    parser = argparse.ArgumentParser(prog="python -m quire_engine.importing")
    parser.add_argument("file", type=Path)
    parser.add_argument("--models", type=Path, required=True, help="the folder of imported models")
    parser.add_argument(
        "--adapters",
        type=Path,
        help="the folder of adapters, n-grams and drafters that ship with Quire, used where they fit",
    )
    parser.add_argument("--name", default="", help="of the model, where the file's name does not tell it")
    parser.add_argument("--licence", default="", help="where the file names none")
    parser.add_argument("--cache", type=Path, help="where digests of large files are cached")
    args = parser.parse_args(arguments)
    stop = threading.Event()
    threading.Thread(target=_watch_input, args=(stop,), daemon=True).start()
    try:
        folder = _imported(args, stop)
    except ImportStopped:
        return STOPPED
    except EngineError as problem:
        return _fail(problem.message)
    except ModelRejected as refused:
        return _fail(refused.message)
    except OSError as error:
        reason = error.strerror or error
        return _fail(UserMessage("{path} can't be imported ({reason}).", path=args.file, reason=reason))
    _tell({"folder": str(folder)})
    return 0


def _imported(args: argparse.Namespace, stop: threading.Event) -> Path:
    source, tell = find_importable(args.file), _pacer()
    total, done = sum(file.stat().st_size for file in source.files), 0

    def read(count: int) -> None:
        nonlocal done
        done += count
        if stop.is_set():
            raise ImportStopped
        tell(ImportProgress(done, total))

    digest = source_digest(source.files, args.cache, read)
    return import_model(
        args.file,
        args.models,
        adapter=None if args.adapters is None else adapter_for(args.adapters, digest),
        shipped=args.adapters,
        name=args.name,
        licence=args.licence,
        digest=digest,
    )


def _pacer() -> Callable[[ImportProgress], None]:
    told_at = 0.0

    def tell(progress: ImportProgress) -> None:
        nonlocal told_at
        now = time.monotonic()
        if now - told_at >= _TELL_EVERY_S or progress.done >= progress.total:
            told_at = now
            _tell({"done": progress.done, "total": progress.total})

    return tell


def _watch_input(stop: threading.Event) -> None:
    """Wait until the input is closed; unbuffered, because Python waits for buffers when it ends."""
    try:
        while os.read(0, 1024):
            pass
    except OSError:
        pass
    stop.set()


def _fail(message: str) -> int:
    _tell({"problem": packed(message)})
    return 1


def _tell(content: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(content) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    gc.disable()  # there is nothing to collect in half a million merges, and looking for it costs seconds
    raise SystemExit(main())
