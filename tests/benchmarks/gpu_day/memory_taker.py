"""`python -m tests.benchmarks.gpu_day.memory_taker DEVICE LEFT`: another program that takes the memory.

It takes plain memory until LEFT bytes are free (on a CPU: LEFT bytes in all), says how much it took, and
gives it back when its standard input ends.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator

_PIECE = 1 << 28
_CODE = "tests.benchmarks.gpu_day.memory_taker"


@contextlib.contextmanager
def memory_taken(device: str, left: int) -> Iterator[int]:
    """Let another program hold the memory of a device inside, but for `left` bytes; yield what it took."""
    command = [sys.executable, "-m", _CODE, device, str(left)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        said = program.stdout.readline().strip()
        if not said.isdigit():
            raise RuntimeError(f"the program that takes the memory of {device} did not start")
        try:
            yield int(said)
        finally:
            program.communicate()


def main(arguments: list[str]) -> int:
    """Take the memory and wait; exit status 0."""
    device, left = arguments[0], int(arguments[1])
    if device == "cpu":
        held: list[object] = [bytearray(left)]
        taken = left
    else:
        import torch

        held, taken = [], 0
        piece = _PIECE
        while piece >= 1 << 20:
            free = torch.cuda.mem_get_info()[0] - left
            try:
                if free < piece:
                    raise torch.OutOfMemoryError("little is left")
                held.append(torch.empty(piece, dtype=torch.uint8, device=device))
                taken += piece
            except torch.OutOfMemoryError:
                piece //= 2
    sys.stdout.write(f"{taken}\n")
    sys.stdout.flush()
    sys.stdin.read()
    del held
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
