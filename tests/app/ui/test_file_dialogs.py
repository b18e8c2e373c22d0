from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QTreeView

from quire.theme.theme_switch import ThemeSwitch
from quire.ui.file_dialogs import (
    FolderDialog,
    ProjectFileDialog,
    RunDataDialog,
    TextFileDialog,
    ThemedFileDialog,
    UnopenedFiles,
)

IN_OPEN = 0x20
NONBLOCK = 0o4000


@contextmanager
def watched(path: Path) -> Iterator[list[bytes]]:
    """Collect what the system reports about anybody opening a file."""
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.inotify_init1(NONBLOCK)
    assert libc.inotify_add_watch(descriptor, os.fsencode(path), IN_OPEN) >= 0
    seen: list[bytes] = []
    try:
        yield seen
        with suppress(BlockingIOError):
            seen.append(os.read(descriptor, 4096))
    finally:
        os.close(descriptor)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify is Linux")
def test_looking_for_a_project_opens_none(themes: ThemeSwitch, qtbot: Any, tmp_path: Path) -> None:
    project = tmp_path / "Book.quire"
    project.write_bytes(b"SQLite format 3\0" + bytes(4000))
    with watched(project) as opened:
        dialog = ProjectFileDialog(tmp_path)
        qtbot.addWidget(dialog)
        dialog.setViewMode(QFileDialog.ViewMode.Detail)
        dialog.open()
        model = dialog.findChildren(QTreeView)[0].model()
        root = dialog.findChildren(QTreeView)[0].rootIndex()
        qtbot.waitUntil(lambda: model.rowCount(root) == 1)
        kind = model.index(0, 2, root)
        qtbot.waitUntil(lambda: model.data(kind) == "Quire project")
        dialog.grab()
        dialog.reject()
    assert opened == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify is Linux")
def test_the_watch_would_notice(tmp_path: Path) -> None:
    project = tmp_path / "Book.quire"
    project.write_bytes(b"")
    with watched(project) as opened:
        project.read_bytes()
    assert opened != []


def test_a_folder_is_chosen_among_folders(themes: ThemeSwitch, qtbot: Any, tmp_path: Path) -> None:
    dialog = FolderDialog("Choose", tmp_path)
    qtbot.addWidget(dialog)
    assert dialog.testOption(QFileDialog.Option.ShowDirsOnly)
    assert dialog.fileMode() is QFileDialog.FileMode.Directory


def test_folders_and_files_have_icons(qapp: object) -> None:
    provider = UnopenedFiles()
    assert not provider.icon(UnopenedFiles.IconType.Folder).isNull()


def test_dialogs_start_in_the_documents_or_where_something_was_last_chosen(
    themes: ThemeSwitch, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, elsewhere, missing = tmp_path / "Documents", tmp_path / "elsewhere", tmp_path / "missing"
    documents.mkdir()
    elsewhere.mkdir()
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _kind: str(documents))
    monkeypatch.setattr(ThemedFileDialog, "_last_folder", None)
    for dialog in (TextFileDialog(), RunDataDialog("Run"), ProjectFileDialog(missing)):
        qtbot.addWidget(dialog)
        assert dialog.directory().absolutePath() == str(documents)
    chosen = FolderDialog("Choose", elsewhere)
    qtbot.addWidget(chosen)
    chosen.fileSelected.emit(str(elsewhere / "novel.txt"))
    for dialog, folder in ((TextFileDialog(), elsewhere), (ProjectFileDialog(documents), documents)):
        qtbot.addWidget(dialog)
        assert dialog.directory().absolutePath() == str(folder)
