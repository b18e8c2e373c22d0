"""Maintenance of a project in the background. Plain functions for a storage thread."""

from __future__ import annotations

import logging

from quire.domain.manuscript.backup_rotation import Reason
from quire.errors import WriterProblem
from quire.services.transactions import project_text, take_changes, tree_changes
from quire.storage.project_file import ProjectFile
from quire.storage.repair import RECOVERED

_log = logging.getLogger(__name__)


def tidy(file: ProjectFile) -> None:
    """Compact finished runs, and make a backup if one is due; closing a project needs neither."""
    for work in (
        tree_changes.tidy_trash,
        take_changes.tidy_trash,
        project_text.compact,
        take_changes.thin_snapshots,
        _back_up,
    ):
        try:
            work(file)
        except WriterProblem as problem:
            _log.warning("the project was not tidied: %s", problem)


def _back_up(file: ProjectFile) -> None:
    file.back_up(Reason.CLOSING)


def recovered_texts(file: ProjectFile) -> int:
    """Number of texts put into the part "Recovered" since the writer was last notified."""
    with file.reading() as unit:
        found = unit.records.setting(RECOVERED)
    return found if isinstance(found, int) else 0


def recovered_told(file: ProjectFile) -> None:
    """Record that the writer was notified."""
    with file.unit() as unit:
        unit.records.save_setting(RECOVERED, None)
        unit.commit()
