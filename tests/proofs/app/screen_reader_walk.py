"""Reads Quire's window through AT-SPI, from the welcome page to an exported file; see `screen_reader`.

Run by the system's Python, which has the bindings of AT-SPI and nothing of Quire.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

importlib.import_module("gi").require_version("Atspi", "2.0")
Atspi: Any = importlib.import_module("gi.repository.Atspi")

_PATIENCE_S = 300.0
_TURN_S = 0.3
_MOST_CHILDREN = 60
"""Of one object; a table of a thousand rows says the same in each."""
_OPENING = "It rained all night. In the morning the ferry lay on the stones, and nobody had come for it."
_SILENT = ("filler", "panel", "unknown", "invalid", "layered pane", "frame")
"""Roles that say nothing of what a control does."""


class Walk:
    """Goes through the window; what is wrong with a control is kept, what is missing ends the walk."""

    def __init__(self) -> None:
        Atspi.init()
        self.wrong: list[str] = []
        self._app = self._wait(self._quire, "Quire")

    def read(self, place: str, *wanted: tuple[str, str]) -> None:
        """Read everything that is shown.

        Args:
            wanted: names and roles that must be there.
        """
        for name, role in wanted:
            self.find(name, role)
        controls = [one for one in self._shown() if _is(one, Atspi.StateType.FOCUSABLE)]
        for one in controls:
            name, role = _name(one), one.get_role_name()
            if not name:
                self.wrong.append(f"{place}: a {role} has no name")
            elif role in _SILENT:
                self.wrong.append(f"{place}: {name!r} has the role {role}")
        told = ", ".join(sorted({f"{_name(one)} ({one.get_role_name()})" for one in controls}))
        sys.stdout.write(f"{place}: {len(controls)} controls: {told}\n\n")
        sys.stdout.flush()

    def find(self, name: str, role: str, *, enabled: bool = False) -> Any:
        """Return what has a name and a role, as soon as it is shown."""

        def found() -> Any:
            for one in self._shown():
                if one.get_role_name() == role and _name(one).split(".")[0] == name:
                    return one if not enabled or _is(one, Atspi.StateType.SENSITIVE) else None
            return None

        return self._wait(found, f"{name} ({role})")

    def press(self, name: str, role: str = "push button") -> None:
        """Do what a control is for."""
        control = self.find(name, role, enabled=True)
        action = control.get_action_iface()
        names = [Atspi.Action.get_action_name(action, at) for at in range(action.get_n_actions())]
        wanted = next(at for at, one in enumerate(names) if one in ("Press", "ShowMenu"))
        Atspi.Action.do_action(action, wanted)

    def type(self, name: str, text: str) -> None:
        """Write into a field."""
        field = self.find(name, "text")
        Atspi.EditableText.insert_text(field.get_editable_text_iface(), 0, text, len(text.encode()))

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait for something."""
        self._wait(lambda: holds() or None, what)

    def length(self, name: str) -> int:
        """Return the characters of a field."""
        return int(Atspi.Text.get_character_count(self.find(name, "text").get_text_iface()))

    # ------------------------------------------------------------ inside
    def _quire(self) -> Any:
        desktop = Atspi.get_desktop(0)
        apps = (desktop.get_child_at_index(at) for at in range(desktop.get_child_count()))
        return next((app for app in apps if app is not None and app.get_name() == "Quire"), None)

    def _shown(self) -> Iterator[Any]:
        waiting = [self._app]
        while waiting:
            one = waiting.pop()
            count = min(one.get_child_count(), _MOST_CHILDREN)
            children = [child for at in range(count) if (child := one.get_child_at_index(at)) is not None]
            waiting += [child for child in children if one is self._app or _is_or_holds_shown(child)]
            if one is not self._app and _is(one, Atspi.StateType.SHOWING):
                yield one

    @staticmethod
    def _wait(look: Callable[[], Any], what: str) -> Any:
        ends = time.monotonic() + _PATIENCE_S
        while time.monotonic() < ends:
            try:
                found = look()
            except RuntimeError:  # GLib's: something went away while it was read
                found = None
            if found is not None:
                return found
            time.sleep(_TURN_S)
        raise SystemExit(f"{what} was not there within {_PATIENCE_S:.0f} s")


def _name(one: Any) -> str:
    """Return what is read out first: the name of a box is its choice, its label is told beside it."""
    if one.get_role_name() == "combo box":
        return str(one.get_description() or "").partition(".")[0]
    return str(one.get_name() or "").strip()


def _is(one: Any, state: Any) -> bool:
    return bool(one.get_state_set().contains(state))


def _is_or_holds_shown(one: Any) -> bool:
    return _is(one, Atspi.StateType.SHOWING)


def main() -> int:
    """Begin a book, draft, pause and export; return 1 if a control does not say what it is."""
    walk, button = Walk(), "push button"
    walk.read("Welcome page", ("Try It Now", button), ("New Project…", button), ("File", "menu item"))
    walk.press("New Project…")
    walk.read("New project", ("Title", "text"), ("Create", button))
    walk.type("Title", "Night")
    walk.press("Create")
    walk.read("Manuscript", ("Manuscript", "text"), ("Goal", "combo box"), ("Preset", "combo box"))
    walk.type("Manuscript", _OPENING)
    walk.press("Continue")
    walk.until(lambda: walk.length("Manuscript") > len(_OPENING) + 40, "a drafted sentence")
    walk.read("Draft", ("Pause", button), ("Progress towards the goal", "progress bar"))
    walk.press("Pause")
    walk.find("Continue", button, enabled=True)
    walk.read("After the draft", *((name, button) for name in ("Keep", "Retry", "Undo")))
    walk.press("File", "menu item")
    walk.press("Export Manuscript…", "menu item")
    walk.read("Export", ("Format", "combo box"), ("File name", "text"), ("Export", button))
    walk.press("Export")
    walk.until(lambda: any(Path.home().rglob("Night.docx")), "the exported file")
    sys.stdout.write("\n".join([*walk.wrong, f"{len(walk.wrong)} wrong"]) + "\n")
    return 1 if walk.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
