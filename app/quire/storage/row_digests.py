"""A digest in every row, over all its other columns, so that a changed bit in any of them is found.

It is written whenever a row is, by the mapper, and never by hand. A row that was found damaged keeps its
wrong digest when something else in it changes, such as the state of a run or the place of a chapter: nothing
is vouched for that nobody looked at. `reseal` is for rows whose damaged part was written again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import REAL, Connection, Table, event, inspect, select
from sqlalchemy.orm import Mapper, ORMExecuteState, Session

from quire.storage.codec import row_digest
from quire.storage.tables import DIGEST, Base, table_of

_TO_BE_MADE = b""
"""In a row whose damaged part was written again; mappers put the digest there."""


def is_sound(row: Base) -> bool:
    """Return whether a row is as it was stored. Only for rows that were just read."""
    table = table_of(type(row))
    return bool(getattr(row, DIGEST) == _digest(table, [getattr(row, name) for name in _content(table)]))


def reseal(row: Base) -> None:
    """Vouch for a row that was damaged: what was wrong in it has been written again."""
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
