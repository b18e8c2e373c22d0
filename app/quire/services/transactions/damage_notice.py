"""What is damaged in an open project, for a notice that is shown once. For a storage thread."""

from __future__ import annotations

from collections.abc import Sequence

from quire.domain.written_time import WrittenTime
from quire.storage.problems import StorageProblem
from quire.storage.project_file import ProjectFile, last_good_backup
from quire_engine.api.user_message import UserMessage

SHOWN = "damage shown"
"""The setting that says which damage the writer has seen a notice of."""
_NAMED = 3


def named_damage(file: ProjectFile) -> tuple[UserMessage, ...]:
    """Return what of the project is damaged."""
    return file.named_damage()


def damage_notice(file: ProjectFile) -> UserMessage | None:
    """Return what to tell the writer about damage in the project; None where it is sound, or was reported."""
    if not file.damage:
        return None
    with file.reading() as unit:
        if unit.records.setting(SHOWN) == _listed(file):
            return None
    what = _in_one(file.named_damage())
    try:
        backup = last_good_backup(file.path)
    except StorageProblem:
        backup = None
    if backup is None:
        return UserMessage("Damaged in this project: {what}. Everything else is sound.", what=what)
    return UserMessage(
        "Damaged in this project: {what}. Everything else is sound. The last good backup is from {made}.",
        what=what,
        made=WrittenTime(backup.made),
    )


def notice_shown(file: ProjectFile) -> None:
    """Record that the writer has seen the notice."""
    with file.unit() as unit:
        unit.records.save_setting(SHOWN, _listed(file))
        unit.commit()


def _listed(file: ProjectFile) -> list[list[object]]:
    return [[row.table, *row.key] for row in file.damage]


def _in_one(names: Sequence[UserMessage]) -> UserMessage:
    """Return names as one message, and how many more there are."""
    found = names[0]
    for name in names[1:_NAMED]:
        found = UserMessage("{first}; {second}", first=found, second=name)
    if len(names) > _NAMED:
        return UserMessage("{first}; and {number:,} more", first=found, number=len(names) - _NAMED)
    return found
