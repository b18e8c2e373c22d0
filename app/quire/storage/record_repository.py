"""Goals, writing sessions and settings, over SQLAlchemy."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from quire.domain.manuscript.project_records import WritingGoal, WritingSession
from quire.storage.codec import now
from quire.storage.problems import damaged, read_from
from quire.storage.row_digests import is_sound, reseal
from quire.storage.tables import GoalRow, NodeRow, SettingRow, WritingSessionRow


class RecordRepository:
    """What the project remembers beside texts and runs, in one open transaction."""

    def __init__(self, orm: Session, path: Path) -> None:
        self._orm = orm
        self._path = path

    def goals(self) -> tuple[WritingGoal, ...]:
        """Return the goals, the oldest first, without damaged ones."""
        rows = [row for row in self._orm.scalars(select(GoalRow).order_by(GoalRow.goal_id)) if is_sound(row)]
        known = {None, *self._orm.scalars(select(NodeRow.node_id))}
        if any(row.node_id not in known for row in rows):
            raise damaged(self._path, "a goal is of a part that is missing")
        with read_from(self._path, "a goal"):
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
        row = self._orm.get(GoalRow, goal.goal_id)
        if row is None:
            row = GoalRow(goal_id=goal.goal_id, created=now())
            self._orm.add(row)
        else:
            reseal(row)
        row.words, row.node_id = goal.words, goal.node_id
        row.due = None if goal.due is None else goal.due.isoformat()
        self._orm.flush()

    def remove_goal(self, goal_id: int) -> None:
        """Remove a goal."""
        self._orm.execute(delete(GoalRow).where(GoalRow.goal_id == goal_id))

    def writing_sessions(self) -> tuple[WritingSession, ...]:
        """Return every writing session, the oldest first, without damaged ones."""
        query = select(WritingSessionRow).order_by(WritingSessionRow.session_id)
        rows = [row for row in self._orm.scalars(query) if is_sound(row)]
        with read_from(self._path, "a stretch of work"):
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
        row = self._orm.get(WritingSessionRow, session.session_id)
        if row is None:
            row = WritingSessionRow(session_id=session.session_id)
            self._orm.add(row)
        else:
            reseal(row)
        row.started, row.ended = session.started.isoformat(), session.ended.isoformat()
        row.active_s = session.active_s
        row.words_written, row.words_drafted = session.words_written, session.words_drafted
        self._orm.flush()

    def setting(self, name: str) -> object:
        """Return a setting of the project as JSON types; None when there is none, or a damaged one."""
        row = self._orm.get(SettingRow, name)
        if row is None or not is_sound(row):
            return None
        with read_from(self._path, f"the setting {name}"):
            found: object = json.loads(row.value, parse_constant=_refuse)
        return found

    def setting_names(self, prefix: str) -> tuple[str, ...]:
        """Return the names of the settings that begin like this, in order."""
        names = select(SettingRow.name).where(SettingRow.name.startswith(prefix, autoescape=True))
        return tuple(self._orm.scalars(names.order_by(SettingRow.name)))

    def sound_setting(self, name: str) -> object:
        """Return a setting of the project; ProjectDamaged for a damaged one."""
        row = self._orm.get(SettingRow, name)
        if row is not None and not is_sound(row):
            raise damaged(self._path, f"the setting {name} does not match its checksum")
        return self.setting(name)

    def save_setting(self, name: str, value: object) -> None:
        """Store a setting; None removes it. What a damaged one held is kept under another name."""
        row = self._orm.get(SettingRow, name)
        if row is not None and not is_sound(row):
            self._put(f"{name} (damaged)", json.dumps(row.value))
        if value is not None:
            self._put(name, json.dumps(value, allow_nan=False))
        elif row is not None:
            self._orm.delete(row)
        self._orm.flush()

    def _put(self, name: str, value: str) -> None:
        row = self._orm.get(SettingRow, name)
        if row is None:
            self._orm.add(SettingRow(name=name, value=value))
        else:
            row.value = value
            reseal(row)


def _refuse(constant: str) -> object:
    """Refuse numbers that JSON does not have and Quire never writes."""
    raise ValueError(f"{constant} is no number")
