"""What is compiled without a way in from Python is called by compiled functions alone."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import CodeType, FunctionType, ModuleType
from typing import Any

from quire_engine import integer


def _parts(module: ModuleType) -> set[str]:
    """Return under which names a module knows functions that Python can't call."""
    named = ((name, getattr(value, "targetoptions", {})) for name, value in vars(module).items())
    return {name for name, options in named if options.get("no_cpython_wrapper")}


def _functions(owner: Any, module: ModuleType) -> Iterator[FunctionType]:
    for value in vars(owner).values():
        if inspect.isfunction(value) and value.__module__ == module.__name__:
            yield value
        elif inspect.isclass(value) and value.__module__ == module.__name__:
            yield from _functions(value, module)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def test_no_function_of_python_calls_a_part_of_a_kernel() -> None:
    """It would end the process: there is no code that takes Python's arguments apart."""
    modules = [import_module(f"{integer.__name__}.{found.name}") for found in iter_modules(integer.__path__)]
    assert sum(len(_parts(module)) for module in modules) > 40
    called = [
        (function.__qualname__, name)
        for module in modules
        for function in _functions(module, module)
        for name in _names(function.__code__)
        if name in _parts(module)
    ]
    assert called == []
