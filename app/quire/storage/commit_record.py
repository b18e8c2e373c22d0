"""What every commit writes beside its content: a higher revision of the project, and its link."""

from __future__ import annotations

import contextlib

from sqlalchemy.orm import Session

from quire.storage.commit_link import CommitLink
from quire.storage.tables import CommitRow, ProjectRow


def record_commit(orm: Session) -> CommitLink:
    """Count a commit, in the transaction that it commits; return its link."""
    project = orm.get(ProjectRow, 1)
    if project is not None:
        project.revision += 1
    last = stored_link(orm)
    link = CommitLink.first() if last is None else last.next()
    row = orm.get(CommitRow, 1)
    if row is None:
        orm.add(CommitRow(chain_id=1, link=link.pack()))
    else:
        row.link = link.pack()
    orm.flush()
    return link


def stored_link(orm: Session) -> CommitLink | None:
    """Return the link of the last commit; None where there is none, or a damaged one."""
    row = orm.get(CommitRow, 1)
    if row is not None:
        with contextlib.suppress(ValueError):
            return CommitLink.unpack(row.link)
    return None
