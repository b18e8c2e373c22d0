"""Says in a writer's words what is damaged in a project: which chapter, which take, which run, from when."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any

from quire.domain.written_time import TimeForm, WrittenTime
from quire.storage.codec import digest_of_parts
from quire.storage.rows import DamagedRow
from quire_engine.api.user_message import UserMessage

_Key = tuple[int | str, ...]
_TITLE_CHARS = 60


def names_of(connection: sqlite3.Connection, rows: Sequence[DamagedRow]) -> tuple[UserMessage, ...]:
    """Return what damaged rows are, each once. The connection must decode any text."""
    names = _Names(connection)
    return tuple(dict.fromkeys(names.of(row) for row in rows))


def day_of(stored: object) -> str:
    """Return the date of a stored time, on this computer; a question mark where it cannot be read."""
    try:
        return WrittenTime(datetime.fromisoformat(str(stored)), TimeForm.DATE)
    except (ValueError, OverflowError):
        return "?"


class _Names:
    """Names rows by what else is in the project."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._ways: dict[str, Callable[[_Key], UserMessage]] = {
            "project": lambda _key: UserMessage("The title, the author or the language of the project"),
            "node": self._node,
            "document": self._document,
            "content": self._content,
            "take": self._take,
            "run": self._run,
            "run_chunk": self._chunk,
            "snapshot": self._snapshot,
            "snapshot_text": self._snapshot_text,
            "goal": lambda _key: UserMessage("A word goal"),
            "writing_session": self._session,
            "setting": lambda key: UserMessage("The setting “{name}”", name=key[0]),
            "phrase_table": lambda _key: UserMessage("Saved phrases of a text, which Quire counts again"),
            "learned_drafter": lambda _key: UserMessage("What a draft model learned, which no draft needs"),
            "commit_chain": lambda _key: UserMessage("The record of the last save"),
        }

    def of(self, row: DamagedRow) -> UserMessage:
        """Return what a row is."""
        if not row.key:
            return UserMessage("Part of the table {table}, which can't be read", table=row.table)
        try:
            return self._ways[row.table](row.key)
        except sqlite3.DatabaseError:  # what would name it is damaged too
            return UserMessage("A row of the table {table}", table=row.table)

    def _first(self, query: str, *values: object) -> tuple[Any, ...] | None:
        found: tuple[Any, ...] | None = self._connection.execute(query, values).fetchone()
        return found

    def _title(self, node_id: object) -> str:
        found = self._first("SELECT title FROM node WHERE node_id = ?", node_id)
        return _short(found[0]) if found else f"#{node_id}"

    def _node(self, key: _Key) -> UserMessage:
        return UserMessage(
            "The title, the synopsis, the status or the place of “{title}”", title=self._title(key[0])
        )

    def _document(self, key: _Key) -> UserMessage:
        title = self._title(key[0])
        found = self._first("SELECT text, spans, checksum FROM document WHERE document_id = ?", *key)
        if found and digest_of_parts(str(found[0]).encode(), found[1]) == found[2]:
            return UserMessage("The date of the last change of “{title}” (its text is sound)", title=title)
        return UserMessage("The text of “{title}”", title=title)

    def _content(self, key: _Key) -> UserMessage:
        found = self._first(
            "SELECT snapshot_id, document_id FROM snapshot_text WHERE text_digest = ?", key[0]
        )
        if found:
            return self._snapshot_text(found)
        for run_id, prompt in self._connection.execute("SELECT run_id, prompt FROM run"):
            if key[0] in (prompt[at : at + 32].hex() for at in range(0, len(prompt), 32)):
                return UserMessage(
                    "The text that run {run} of {day} started from, in “{title}”", **self._of_run(run_id)
                )
        return UserMessage("A stored text that nothing refers to")

    def _take(self, key: _Key) -> UserMessage:
        found = self._first("SELECT title, document_id, created FROM take WHERE take_id = ?", *key)
        title, document_id, created = found or ("", 0, "")
        return UserMessage(
            "The take “{take}” of “{title}”, from {day}",
            take=_short(title) or f"#{key[0]}",
            title=self._title(document_id),
            day=day_of(created),
        )

    def _of_run(self, run_id: object) -> dict[str, object]:
        found = self._first("SELECT document_id, created FROM run WHERE run_id = ?", run_id)
        document_id, created = found or (0, "")
        return {"run": run_id, "title": self._title(document_id), "day": day_of(created)}

    def _run(self, key: _Key) -> UserMessage:
        return UserMessage(
            "The record of run {run} of {day}, in “{title}” (seed, settings, goal)", **self._of_run(key[0])
        )

    def _chunk(self, key: _Key) -> UserMessage:
        return UserMessage("Part of the output of run {run} of {day}, in “{title}”", **self._of_run(key[0]))

    def _snapshot(self, key: _Key) -> UserMessage:
        found = self._first("SELECT title, created FROM snapshot WHERE snapshot_id = ?", *key)
        title, created = found or ("", "")
        return UserMessage(
            "The title, the reason or the date of the snapshot “{snapshot}” of {day}",
            snapshot=_short(title),
            day=day_of(created),
        )

    def _snapshot_text(self, key: Sequence[object]) -> UserMessage:
        found = self._first("SELECT title, created FROM snapshot WHERE snapshot_id = ?", key[0])
        title, created = found or ("", "")
        return UserMessage(
            "The text of “{title}” in the snapshot “{snapshot}” of {day}",
            title=self._title(key[1]),
            snapshot=_short(title),
            day=day_of(created),
        )

    def _session(self, key: _Key) -> UserMessage:
        found = self._first("SELECT started FROM writing_session WHERE session_id = ?", *key)
        return UserMessage("The writing session of {day}", day=day_of(found[0] if found else ""))


def same_text_elsewhere(
    connection: sqlite3.Connection, row: DamagedRow, damage: Collection[DamagedRow]
) -> UserMessage | None:
    """Return the newest snapshot in the project in which a damaged text is sound."""
    if row.table != "document" or not row.key:
        return None
    query = (
        "SELECT snapshot_id, text_digest, snapshot.title, created FROM snapshot_text JOIN snapshot"
        " USING (snapshot_id) WHERE document_id = ? ORDER BY snapshot_id DESC"
    )
    with contextlib.suppress(sqlite3.DatabaseError):  # they are damaged too
        for snapshot_id, digest, title, created in connection.execute(query, row.key):
            parts = (DamagedRow("snapshot_text", (snapshot_id, row.key[0])), DamagedRow("content", (digest,)))
            if not any(part in damage for part in parts):
                return UserMessage(
                    "The snapshot “{snapshot}” of {day} in this project holds the text as it was then.",
                    snapshot=_short(title),
                    day=day_of(created),
                )
    return None


def _short(title: object) -> str:
    words = " ".join(str(title).split())
    return words if len(words) <= _TITLE_CHARS else words[: _TITLE_CHARS - 1] + "\u2026"
