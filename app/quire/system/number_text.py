"""Numbers as the language of the window writes them; in English until one is chosen."""

from __future__ import annotations


class _Marks:
    """Separators of thousands and of decimals."""

    group, decimal = ",", "."


def use_marks(group: str, decimal: str) -> None:
    """Write all numbers with these marks from now on."""
    _Marks.group, _Marks.decimal = group, decimal


def number_text(number: float, places: int = 0) -> str:
    """Return a number with its thousands apart, and rounded to some decimal places."""
    return _marked(f"{number:,.{places}f}")


class LocalizedInt(int):
    """A whole number that the format of a message writes in the language of the window."""

    def __format__(self, form: str) -> str:
        """Return the number in a form such as ",": the form says only whether thousands are apart."""
        return _marked(format(int(self), form))


class LocalizedFloat(float):
    """A number with decimals that the format of a message writes in the language of the window."""

    def __format__(self, form: str) -> str:
        """Return the number in a form such as ",.1f"; English until a language is chosen."""
        return _marked(format(float(self), form))


def _marked(english: str) -> str:
    marks = str.maketrans({",": _Marks.group, ".": _Marks.decimal})
    return english.translate(marks)
