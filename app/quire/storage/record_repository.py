"""Goals, writing sessions and settings, over SQLAlchemy."""

from __future__ import annotations

import json
from datetime import date, datetime

from sqlalchemy import select

from quire.domain.manuscript.project_records import WritingGoal, WritingSession
from quire.storage.codec import now
from quire.storage.problems import damaged, read_from
from quire.storage.rows import Rows
from quire.storage.tables import GOAL, NODE, SETTING, WRITING_SESSION


class RecordRepository:
    """What the project remembers beside texts and runs, in one open transaction."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def goals(self) -> tuple[WritingGoal, ...]:
        """Return the goals, the oldest first, without damaged ones."""
        found = self._rows.all(select(GOAL).order_by(GOAL.c.goal_id))
        rows = [row for row in found if self._rows.is_sound(GOAL, row)]
        known = {None, *self._rows.scalars(select(NODE.c.node_id))}
        if any(row.node_id not in known for row in rows):
            raise damaged(self._rows.path, "a goal is of a part that is missing")
        with read_from(self._rows.path, "a goal"):
            return tuple(
                WritingGoal(
                    row.goal_id,
                    row.words,
                    row.node_id,
                    None if row.due is None else date.fromisoformat(row.due),
                )
                for row in rows
            )

    def save_goal(self, goal: WritingGoal) -> None:
        """Insert a goal or overwrite the one of the same number."""
        due = None if goal.due is None else goal.due.isoformat()
        values = {"goal_id": goal.goal_id, "node_id": goal.node_id, "words": goal.words, "due": due}
        self._rows.write(GOAL, values, new={"created": now()}, mended=True)

    def remove_goal(self, goal_id: int) -> None:
        """Remove a goal."""
        self._rows.delete(GOAL, GOAL.c.goal_id == goal_id)

    def writing_sessions(self) -> tuple[WritingSession, ...]:
        """Return every writing session, the oldest first, without damaged ones."""
        query = select(WRITING_SESSION).order_by(WRITING_SESSION.c.session_id)
        rows = [row for row in self._rows.all(query) if self._rows.is_sound(WRITING_SESSION, row)]
        with read_from(self._rows.path, "a stretch of work"):
            return tuple(
                WritingSession(
                    row.session_id,
                    datetime.fromisoformat(row.started),
                    datetime.fromisoformat(row.ended),
                    row.active_s,
                    row.words_written,
                    row.words_drafted,
                )
                for row in rows
            )

    def save_writing_session(self, session: WritingSession) -> None:
        """Insert a writing session or overwrite the one of the same number."""
        values = {
            "session_id": session.session_id,
            "started": session.started.isoformat(),
            "ended": session.ended.isoformat(),
            "active_s": session.active_s,
            "words_written": session.words_written,
            "words_drafted": session.words_drafted,
        }
        self._rows.write(WRITING_SESSION, values, mended=True)

    def setting(self, name: str) -> object:
        """Return a setting of the project as JSON types; None when there is none, or a damaged one."""
        row = self._rows.get(SETTING, name)
        if row is None or not self._rows.is_sound(SETTING, row):
            return None
        with read_from(self._rows.path, f"the setting {name}"):
            found: object = json.loads(row.value, parse_constant=_refuse)
        return found

    def setting_names(self, prefix: str) -> tuple[str, ...]:
        """Return the names of the settings that begin like this, in order."""
        names = select(SETTING.c.name).where(SETTING.c.name.startswith(prefix, autoescape=True))
        return tuple(self._rows.scalars(names.order_by(SETTING.c.name)))

    def sound_setting(self, name: str) -> object:
        """Return a setting of the project; ProjectDamaged for a damaged one."""
        row = self._rows.get(SETTING, name)
        if row is not None and not self._rows.is_sound(SETTING, row):
            raise damaged(self._rows.path, f"the setting {name} does not match its checksum")
        return self.setting(name)

    def save_setting(self, name: str, value: object) -> None:
        """Store a setting; None removes it. What a damaged one held is kept under another name."""
        row = self._rows.get(SETTING, name)
        if row is not None and not self._rows.is_sound(SETTING, row):
            self._put(f"{name} (damaged)", json.dumps(row.value))
        if value is not None:
            self._put(name, json.dumps(value, allow_nan=False))
        elif row is not None:
            self._rows.delete(SETTING, SETTING.c.name == name)

    def _put(self, name: str, value: str) -> None:
        self._rows.write(SETTING, {"name": name, "value": value}, mended=True)


def _refuse(constant: str) -> object:
    """Refuse numbers that JSON does not have and Quire never writes."""
    raise ValueError(f"{constant} is no number")
