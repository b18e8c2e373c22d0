"""What a damaged log has lost of what was promised as saved, as a sentence for the writer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from quire.domain.written_time import TimeForm, WrittenTime
from quire.storage.backups import backup_folder, backups_of
from quire.storage.commit_link import CommitLink
from quire.storage.saved_record import SavedCommit, commits_left_elsewhere, saved_commits
from quire.storage.side_files import SideFiles, has_log, kept_copy, link_in_file
from quire_engine.api.user_message import UserMessage, joined

_CHARS_PER_WORD = 5.7
"""In English prose, with the space."""
_FEW = 5


@dataclass(frozen=True, slots=True)
class Lost:
    """What is missing: characters, and the time after which they were written."""

    num_chars: int
    since: datetime

    @property
    def num_words(self) -> int:
        """About how many words that is, with two digits."""
        words = round(self.num_chars / _CHARS_PER_WORD)
        unit = int(10 ** max(0, len(str(words)) - 2))
        return round(words / unit) * unit


def lost_notice(path: Path, found: SideFiles, *, keep: bool) -> UserMessage | None:
    """Return what to tell the writer about words that were saved and are not there; None when all are.

    Nothing is said again of a log that was put aside because another file is in the place of its own.

    Args:
        keep: whether to copy the log before SQLite writes over it.
    """
    if found.notices:
        return None
    saved = saved_commits(path)
    elsewhere = () if saved else commits_left_elsewhere(path)
    if not saved and not elsewhere:
        return None
    last = found.last or link_in_file(path)
    if last is not None and not saved:
        saved = next((one for one in elsewhere if last.token in {commit.token for commit in one}), ())
    lost = _lost(saved, last) if saved else None
    if lost is None:
        return None
    sentences = [_sentence(path, lost)]
    newest = next(iter(backups_of(path, backup_folder(path))), None)
    if newest is not None:
        made = WrittenTime(newest.made)
        sentences.append(UserMessage("The newest backup is from {made}.", made=made))
    if keep and has_log(path):
        sentences.append(UserMessage("The damaged log is kept as {kept}.", kept=kept_copy(path).name))
    return joined(*sentences)


def _lost(saved: tuple[SavedCommit, ...], last: CommitLink | None) -> Lost | None:
    newest = saved[-1]
    if last is None or newest.project_id != last.project_id or newest.sequence <= last.sequence:
        return None
    kept = [commit for commit in saved if commit.sequence <= last.sequence]
    if not kept:  # the log begins with the first commit of the record
        return Lost(newest.num_chars, saved[0].at)
    return Lost(newest.num_chars - kept[-1].num_chars, kept[-1].at)


def _sentence(path: Path, lost: Lost) -> UserMessage:
    since, now = lost.since.astimezone(), datetime.now().astimezone()
    time = WrittenTime(since, TimeForm.TIME if since.date() == now.date() else TimeForm.BOTH)
    if lost.num_words < _FEW:
        return UserMessage(
            "The log of {file} is damaged: changes that were saved since {time} may be missing.",
            file=path.name,
            time=time,
        )
    return UserMessage(
        "The log of {file} is damaged: about {words:,} words that were saved since {time} may be missing.",
        file=path.name,
        words=lost.num_words,
        time=time,
    )
