"""Finds the templates of errors and notices in the sources: what is given to UserMessage or to an error."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_ROOTS = {"MessageError"}
_MESSAGES = {"UserMessage"}
_NEVER_SHOWN = {"EngineBug"}
"""Its text is for a report."""


@dataclass(frozen=True, slots=True)
class Template:
    """A template in the sources.

    arguments: the names that it is given. takes_more: whether it is given others, in a mapping.
    """

    file: Path
    line: int
    text: str
    arguments: frozenset[str]
    takes_more: bool


def templates(*folders: Path) -> list[Template]:
    """Return every template below some folders."""
    modules = {
        file: ast.parse(file.read_text(encoding="utf-8"))
        for folder in folders
        for file in sorted(folder.rglob("*.py"))
    }
    makers = _error_names(modules.values()) | _MESSAGES
    return [
        Template(file, text.lineno, str(text.value), frozenset(_argument_names(call)), _takes_more(call))
        for file, module in modules.items()
        for call in ast.walk(module)
        if isinstance(call, ast.Call) and _name_of(call.func) in makers
        for text in _first_text(call)
    ]


def names_in(template: str) -> set[str]:
    """Return the names that a template asks for; ValueError where its braces do not match."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def _error_names(modules: Iterable[ast.Module]) -> set[str]:
    bases = {
        node.name: {_name_of(base) for base in node.bases}
        for module in modules
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef)
    }
    found = set(_ROOTS)
    while new := {name for name, above in bases.items() if above & found} - found:
        found |= new
    return found - _NEVER_SHOWN


def _first_text(call: ast.Call) -> Iterator[ast.Constant]:
    texts = (word for word in call.args if isinstance(word, ast.Constant) and isinstance(word.value, str))
    yield from list(texts)[:1]


def _name_of(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def _argument_names(call: ast.Call) -> Iterator[str]:
    return (word.arg for word in call.keywords if word.arg is not None)


def _takes_more(call: ast.Call) -> bool:
    return any(word.arg is None for word in call.keywords)
