"""A digest in every row, over all its other columns, so that a changed bit in any of them is found.

It is written whenever a row is, by the mapper, and never by hand. A damaged row keeps its wrong
digest when something else in it changes, such as the state of a run or the place of a chapter: a row never
becomes sound unnoticed. `reseal` is for rows whose damaged part has been rewritten.

The whole project is checked when it is opened (`row_check`). One damaged row does not make the rest
unreadable where it is safe to go on; a notice says so, and `quire check` lists what can be recovered:

    table            a damaged row of it
    project          title, author and language are shown as they are now
    node             title, synopsis and status are shown as they are now; a text without a place is put into
                     the part "Recovered"; the row is sound again once its title or synopsis is rewritten
    document         the project is not opened, and its last good backup is offered; it is opened where only
                     the time of the last change is wrong
    content          the snapshot with it cannot be shown; the run that began on it is not resumed
    take             it is listed, and not put into the text
    run, run_chunk   the run can be read and not resumed, nor repeated with its seed; the project is not
                     opened where words of the run are not merged into the text yet
    snapshot         it is shown as it is now
    snapshot_text    it is not shown and not restored; the other texts of the snapshot are
    goal             there is no such goal
    writing_session  it does not count
    setting          it has its default; what was found is kept under another name when it is set again
    phrase_table     the text is counted again
    learned_drafter  nothing reads it
    commit_chain     the next commit begins a new chain
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import REAL, Connection, Table, event, inspect, select
from sqlalchemy.orm import Mapper, ORMExecuteState, Session, object_session

from quire.storage.codec import row_digest
from quire.storage.tables import DIGEST, Base, table_of

OF_NEWER_FORMAT = "of a newer format"
"""What the information of a session says where rows may have columns that this version does not know."""
_TO_BE_MADE = b""
"""In a row whose damaged part has been rewritten; mappers fill in the digest."""


def is_sound(row: Base) -> bool:
    """Return whether a row is as it was stored. Only for rows that were just read."""
    session = object_session(row)
    if session is not None and session.info.get(OF_NEWER_FORMAT):
        return True
    table = table_of(type(row))
    return bool(getattr(row, DIGEST) == _digest(table, [getattr(row, name) for name in _content(table)]))


def reseal(row: Base) -> None:
    """Mark a damaged row as sound: what was wrong in it has been rewritten."""
    setattr(row, DIGEST, _TO_BE_MADE)


def _content(table: Table) -> list[str]:
    return [column.name for column in table.columns if column.name != DIGEST]


def _digest(table: Table, values: Iterable[Any]) -> bytes:
    columns = (column for column in table.columns if column.name != DIGEST)
    return row_digest(
        table.name,
        (
            float(value) if isinstance(column.type, REAL) and value is not None else value
            for column, value in zip(columns, values, strict=True)
        ),
    )


def _before_insert(_mapper: Mapper[Any], _connection: Connection, row: Base) -> None:
    table = table_of(type(row))
    if DIGEST in table.columns:
        held = inspect(row).dict
        setattr(row, DIGEST, _digest(table, [held.get(name) for name in _content(table)]))


def _before_update(_mapper: Mapper[Any], connection: Connection, row: Base) -> None:
    table = table_of(type(row))
    if DIGEST not in table.columns:
        return
    keys = [column == getattr(row, column.name) for column in table.primary_key]
    stored = connection.execute(select(table).where(*keys)).one()._mapping
    names, held = _content(table), inspect(row).dict
    was_sound = stored[DIGEST] == _digest(table, [stored[name] for name in names])
    if was_sound or held.get(DIGEST) == _TO_BE_MADE:
        setattr(row, DIGEST, _digest(table, [held.get(name, stored[name]) for name in names]))


def _refuse_statements(state: ORMExecuteState) -> None:
    if state.is_update or state.is_insert:
        raise TypeError("rows are written as objects: a statement would leave their digests behind")


event.listen(Base, "before_insert", _before_insert, propagate=True)
event.listen(Base, "before_update", _before_update, propagate=True)
event.listen(Session, "do_orm_execute", _refuse_statements)
