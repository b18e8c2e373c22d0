"""A parser of command lines whose complaints are sentences, with a guess at what was meant."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Collection
from difflib import get_close_matches
from typing import NoReturn

USAGE = 2
_ONE = re.compile(r"argument (?P<name>[^:]+): (?P<message>.*)", re.DOTALL)
_REQUIRED = re.compile(r"the following arguments are required: (?P<names>.*)")
_UNKNOWN = re.compile(r"unrecognized arguments: (?P<names>.*)", re.DOTALL)
_CHOICE = re.compile(r"invalid choice: '(?P<given>.*)' \(choose from (?P<choices>.*)\)", re.DOTALL)
_INVALID = re.compile(r"invalid (?P<kind>int|float) value: '(?P<given>.*)'", re.DOTALL)
_CALLED = {"COMMAND": "command or file"}
_KINDS = {"int": "a whole number", "float": "a number"}
_AMBIGUOUS = re.compile(r"ambiguous option: (?P<given>\S+) could match (?P<choices>.*)")


class CommandParser(argparse.ArgumentParser):
    """Ends the process with exit status 2 and a sentence when the command line is not understood."""

    def error(self, message: str) -> NoReturn:
        """Print the sentence, and where the help is."""
        words = self.prog.split()
        name = words[2] if words[:2] == ["python", "-m"] else words[0]
        if sys.stderr is not None:
            sys.stderr.write(f"{name}: {self._sentence(message)} See {self.prog} --help.\n")
        raise SystemExit(USAGE)

    def _sentence(self, message: str) -> str:
        if found := _REQUIRED.fullmatch(message):
            for action in self._actions:
                if isinstance(action, argparse._SubParsersAction) and action.metavar == found["names"]:
                    return f"{self.prog} needs one of {_listed(list(action.choices), 'or')}."
            return f"{self.prog} needs {_listed(found['names'].split(', '), 'and')}."
        if found := _UNKNOWN.fullmatch(message):
            given = found["names"].split()[0]
            if not given.startswith("-"):
                return f"“{given}” is one argument too many."
            return f"There is no option {given}.{did_you_mean(given, self._options())}"
        if found := _AMBIGUOUS.fullmatch(message):
            return f"{found['given']} can mean {_listed(found['choices'].split(', '), 'or')}."
        if found := _ONE.fullmatch(message):
            return self._about_one(found["name"], found["message"])
        return message[:1].upper() + message[1:].rstrip(".") + "."

    def _options(self) -> list[str]:
        """Return the options of this parser and of those below it."""
        options = list(self._option_string_actions)
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for parser in action.choices.values():
                    options += parser._options() if isinstance(parser, CommandParser) else []
        return options

    def _about_one(self, name: str, message: str) -> str:
        if found := _CHOICE.fullmatch(message):
            choices = re.findall(r"[\w.-]+", found["choices"])
            if name.isupper():  # a command, or what it is to do
                meant = did_you_mean(found["given"], choices)
                return f"There is no {_CALLED.get(name, name.lower())} “{found['given']}”.{meant}"
            return f"{name} can be {_listed(choices, 'or')}, not “{found['given']}”."
        if found := _INVALID.fullmatch(message):
            return f"{name}: “{found['given']}” is not {_KINDS[found['kind']]}."
        if message.startswith("expected"):
            return f"{name} needs a value."
        return f"{name}: {message.rstrip('.')}."


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Return a type for an option that takes a whole number."""
    bounds = f"from {least:,} to {most:,}" if most < 2**53 else f"of at least {least:,}"

    def parsed(argument: str) -> int:
        try:
            number = int(argument.replace(",", ""))
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"“{argument}” is not a whole number {bounds}")
        return number

    return parsed


def did_you_mean(given: str, known: Collection[str]) -> str:
    """Return a question about what was meant, with a space before it; empty where nothing comes close."""
    close = get_close_matches(given.lower(), list(known), n=1)
    return f" Did you mean “{close[0]}”?" if close else ""


def _listed(words: list[str], link: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {link} {words[-1]}"
