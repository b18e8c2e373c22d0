"""What a screen reader is told about the window: a name and a role for everything that can have the focus."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget

from quire.application import Application
from quire.domain.drafting.steering import LoreEntry, NewCard
from quire.domain.manuscript.tree import NodeKind
from quire.import_export.export_dialog import ExportDialog
from quire.projects.welcome_page import WelcomePage
from quire.steering.card_dialog import CardDialog
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import Desktop, ended

ROLE, NAME = QAccessible.Role, QAccessible.Text.Name
SILENT = (ROLE.NoRole, ROLE.Client, ROLE.Window, ROLE.Pane, ROLE.Grouping)
"""Roles that say nothing of what a control does."""
ROOMY_PX = 1_400


def below(one: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    """Yield everything below an object of the window that is shown, but for the cells of lists."""
    for number in range(one.childCount()):
        child = one.child(number)
        if child is None or not child.isValid() or child.state().invisible:
            continue
        yield child
        if child.role() not in (ROLE.Tree, ROLE.Table, ROLE.List, ROLE.ComboBox):
            yield from below(child)


def controls(widget: QWidget) -> set[tuple[str, QAccessible.Role]]:
    """Return name and role of each control that is shown; assert that none is without them."""
    found = set[tuple[str, QAccessible.Role]]()
    for one in below(QAccessible.queryAccessibleInterface(widget)):
        name = one.text(NAME).strip().replace("&", "")
        if one.role() is ROLE.ComboBox:  # on Linux its name is the choice, and its label is told beside it
            name = one.text(QAccessible.Text.Description).partition(".")[0] or f"{name} without a label"
        if one.state().focusable:
            assert name, f"{one.role()} at {one.rect()} of {one.object()} has no name"
            assert one.role() not in SILENT, f"{name} is told as {one.role()}"
            assert not name.endswith("without a label"), name
        found.add((name, one.role()))
    return found


@pytest.mark.qt_log_ignore("propagateSizeHints", "raise", extend=True)
def test_every_control_that_a_draft_needs_says_what_it_is(desktop: Desktop) -> None:
    async def scenario(quire: Application) -> None:
        window, session = quire.window, quire.app.current.session
        assert session is not None
        assert {
            ("Continue", ROLE.Button),
            ("Pause", ROLE.Button),
            ("Goal", ROLE.ComboBox),
            ("Preset", ROLE.ComboBox),
            ("Manuscript", ROLE.EditableText),
            ("Manuscript", ROLE.PageTab),
            ("Manuscript", ROLE.Tree),
            ("Status", ROLE.ComboBox),
            ("File", ROLE.MenuItem),
            ("Draft", ROLE.MenuItem),
            ("Highlight: None", ROLE.ButtonMenu),
        } <= controls(window)
        quire.app.steering.actions.right_panel.setChecked(True)
        quire.app.steering.dock.set_wanted(wanted=True)
        quire.app.controls.bar.goal_box.set_goal(5)
        quire.app.controls.bar.ask_to_continue()
        await ended(quire)
        await turns_until(quire.app.result.bar.isVisible)
        window.resize(ROOMY_PX, window.height())  # beside both panels the bar leaves out what has no room
        await turns_until(quire.app.result.bar.redraft_button.isVisible)
        asked = {(name, ROLE.Button) for name in ("Keep", "Retry", "Undo", "Redraft From Here")}
        drafted = controls(window)
        assert asked <= drafted
        assert ("Progress towards the goal", ROLE.ProgressBar) in drafted

    desktop.start(ScriptedBackend(), scenario)


@pytest.mark.qt_log_ignore("propagateSizeHints", "raise", extend=True)
def test_cards_and_exports_say_what_they_are(desktop: Desktop) -> None:
    async def scenario(quire: Application) -> None:
        session = quire.app.current.session
        assert session is not None
        cards = quire.app.steering.cards
        await cards._add_card(session, NewCard(NodeKind.CHARACTER, "Mara", "A ferrywoman."), LoreEntry(1))
        quire.window.document_asked.emit(max(node.node_id for node in session.tree.nodes))
        await turns_until(cards.bar.isVisible)
        assert {
            ("Kind of card", ROLE.ComboBox),
            ("Tell the model", ROLE.ComboBox),
            ("Keywords", ROLE.EditableText),
        } <= controls(cards.bar)
        cards.show_entry(0)
        (dialog,) = quire.window.findChildren(CardDialog)
        assert ("Name", ROLE.EditableText) in controls(dialog)
        dialog.reject()
        quire.window.commands.export.trigger()
        await turns_until(lambda: bool(quire.window.findChildren(ExportDialog)))
        (export,) = quire.window.findChildren(ExportDialog)
        assert {
            ("Format", ROLE.ComboBox),
            ("File name", ROLE.EditableText),
            ("Export", ROLE.Button),
        } <= controls(export)
        export.reject()

    desktop.start(ScriptedBackend(), scenario)


@pytest.mark.qt_log_ignore("propagateSizeHints", "raise", extend=True)
def test_the_welcome_page_says_what_it_offers(desktop: Desktop) -> None:
    async def scenario(quire: Application) -> None:
        (page,) = quire.window.findChildren(WelcomePage)
        await turns_until(page.isVisible)
        assert controls(page)

    desktop.start(ScriptedBackend(), scenario, tries=False)
