"""The layout of weights in memory: runs of 16 outputs, in blocks of 32 inputs, whole numbers times a scale.

A block begins with the bits of its 16 * 32 numbers, in planes of 4 (or 8), 2 and 1 of them, so that a
register holds 4 inputs of each output once a plane is shifted and masked; its scales follow. Some forms have
whole numbers for these, and a scale of scales at the head of a unit of eight blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

BLOCK = 32
"""Inputs of a block."""
GROUP = 16
"""Outputs of a run."""

_BENT = (-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113)
_FLOATS_OF_4_BITS = (0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12)


class Form(NamedTuple):
    """One way of packing.

    Attributes:
        bits: of a number.
        offset: taken away from a number that has no sign.
        table: the whole numbers that 4 bits stand for.
        halves: scales of a block: one for its 32 inputs, or one for each 16.
        scale: what they are: a float16, an exponent of 2, or bytes that a float16 of the unit multiplies.
        has_minimum: as many minima as scales follow them, and are taken away from numbers times scales.
    """

    bits: Literal[2, 3, 4, 5, 6, 8]
    offset: int = 0
    table: Sequence[int] = ()
    halves: Literal[1, 2] = 1
    scale: Literal["float16", "exponent", "byte", "signed byte"] = "float16"
    has_minimum: bool = False

    @property
    def is_signed(self) -> bool:
        """Whether numbers are bytes with a sign."""
        return self.bits == 8 or bool(self.table)

    @property
    def blocks(self) -> int:
        """Blocks of a unit."""
        return 8 if self.scale in ("byte", "signed byte") else 1

    @property
    def head_bytes(self) -> int:
        """Bytes of a unit before its first block."""
        return (2 * GROUP * (1 + self.has_minimum)) if self.blocks > 1 else 0

    @property
    def plane_bytes(self) -> int:
        """Bytes of a block before its scales."""
        return GROUP * BLOCK // 8 * self.bits

    @property
    def scale_bytes(self) -> int:
        """Bytes of one scale of each output."""
        return 2 * GROUP if self.scale == "float16" else GROUP

    @property
    def block_bytes(self) -> int:
        """Bytes of a block."""
        return self.plane_bytes + self.halves * (1 + self.has_minimum) * self.scale_bytes

    @property
    def unit_bytes(self) -> int:
        """Bytes of a unit."""
        return self.head_bytes + self.blocks * self.block_bytes


class FileType(NamedTuple):
    """A type of GGUF: the bytes of one block of one output in a file, and the form that it becomes.

    Attributes:
        form: place in `FORMS`.
        bytes, inputs: of a unit there.
    """

    name: str
    form: int
    bytes: int
    inputs: int


FORMS = (
    Form(8),
    Form(4, 8),
    Form(4, has_minimum=True),
    Form(5, 16),
    Form(5, has_minimum=True),
    Form(4, table=_BENT),
    Form(4, table=_FLOATS_OF_4_BITS, scale="exponent"),
    Form(4, table=_BENT, scale="signed byte"),
    Form(2, halves=2, scale="byte", has_minimum=True),
    Form(3, 4, halves=2, scale="signed byte"),
    Form(4, scale="byte", has_minimum=True),
    Form(5, scale="byte", has_minimum=True),
    Form(6, 32, halves=2, scale="signed byte"),
)
"""By the code of a form."""

Q8_0, IQ4_NL = 8, 20
FILE_TYPES = {
    2: FileType("Q4_0", 1, 18, 32),
    3: FileType("Q4_1", 2, 20, 32),
    6: FileType("Q5_0", 3, 22, 32),
    7: FileType("Q5_1", 4, 24, 32),
    Q8_0: FileType("Q8_0", 0, 34, 32),
    10: FileType("Q2_K", 8, 84, 256),
    11: FileType("Q3_K", 9, 110, 256),
    12: FileType("Q4_K", 10, 144, 256),
    13: FileType("Q5_K", 11, 176, 256),
    14: FileType("Q6_K", 12, 210, 256),
    IQ4_NL: FileType("IQ4_NL", 5, 18, 32),
    23: FileType("IQ4_XS", 7, 136, 256),
    39: FileType("MXFP4", 6, 17, 32),
}
"""By the number that a file gives a type."""
F32, F16, BF16 = 0, 1, 30

UNIT_BYTES = np.array([form.unit_bytes for form in FORMS])
UNIT_BLOCKS = np.array([form.blocks for form in FORMS])
