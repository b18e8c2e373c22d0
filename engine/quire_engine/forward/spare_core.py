"""Work beside other work of a load, where passes use one thread and the computer has another core."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import TypeVar

import torch

from quire_engine.models import loading

T = TypeVar("T")


@contextlib.contextmanager
def beside(work: Callable[[], T], device: torch.device) -> Iterator[Future[T]]:
    """Do work during the block, or before it where no core is spare; its result is there after the block.

    What it raises is raised by the result. Two threads that each compute alone wait for nothing; passes that
    share their threads would.
    """
    result: Future[T] = Future()

    def run() -> None:
        torch.set_num_threads(1)  # the number belongs to the thread
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001  raised again for whoever asks
            result.set_exception(error)

    if device.type != "cpu" or not loading.has_spare_core():
        result.set_result(work())
        yield result
        return
    thread = threading.Thread(target=run, name="beside a load")
    thread.start()
    try:
        yield result
    finally:
        thread.join()
