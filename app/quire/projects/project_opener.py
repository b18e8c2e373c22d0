"""Opens projects and texts, and shows them in the window."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from quire.projects.current_project import CurrentProject
from quire.projects.new_project import NewProject, sample_project
from quire.shell.main_window import MainWindow
from quire.shell.notices import Notice, NoticeKind
from quire.shell.project_status import ProjectStatus
from quire_resources import SAMPLE_OPENING

if TYPE_CHECKING:  # the real imports wait until the window is on the screen: SQLAlchemy takes its time
    from quire.domain.drafting.run import Run
    from quire.services.project.project_session import ProjectSession

Followed = Callable[["ProjectSession"], Awaitable[None]]


class Following(Protocol):
    """Parts of the window that follow the text that is shown."""

    @property
    def followers(self) -> tuple[Followed, ...]:
        """What is awaited each time a text was shown."""
        ...


class ProjectDisplay(Protocol):
    """Shows a project in the window; a DraftDisplay."""

    def show_project(self, title: str, text: str, last_run: Run | None, *, has_model: bool) -> None:
        """Show a project that was opened; last_run only if the text is still the one it left."""
        ...

    def show_recovery(self, num_words: int, *, can_discard: bool) -> None:
        """Say what was recovered after a crash."""
        ...

    def show_welcome(self) -> None:
        """Say what can be done with the sample."""
        ...


Part = TypeVar("Part", bound=Following)


class ProjectOpener:
    """Puts a project in place of the one before, or one text of it in place of another.

    has_model: whether there is a model to draft with; no_model says that there is none. taken: called when
    another project is open, before it is shown. followed: awaited each time a text was shown.
    """

    def __init__(
        self,
        window: MainWindow,
        keeper: CurrentProject,
        view: ProjectDisplay,
        desk_model: ProjectStatus,
        has_model: Callable[[], bool],
        no_model: Callable[[], None],
        taken: Callable[[Path], None],
    ) -> None:
        self._window = window
        self._keeper = keeper
        self._view = view
        self._desk_model = desk_model
        self._has_model, self._no_model = has_model, no_model
        self._taken = taken
        self.followed: list[Followed] = []

    async def open_sample(self, projects_folder: Path) -> None:
        """Open the sample project; make it first where there is none."""
        project = sample_project(projects_folder, SAMPLE_OPENING.read_text(encoding="utf-8"))
        if project.path.exists():  # the settings were lost, the writer's text was not
            await self.open(project.path)
        else:
            await self.adopt(await self._keeper.created(project), is_new_sample=True)

    async def create(self, project: NewProject) -> None:
        """Make a new project and open it."""
        await self.adopt(await self._keeper.created(project))

    async def open(self, path: Path) -> None:
        """Open a project, unless it is the one that is open."""
        if not self._keeper.is_open(path):
            await self.adopt(await self._keeper.opened(path))

    async def open_document(self, document_id: int) -> None:
        """Open another text of the project."""
        desk = self._keeper.desk
        if desk is None or document_id == desk.document_id:
            return
        await self._keeper.store_text()
        await desk.open_document(document_id)
        self._window.book_panel.mark(document_id)
        await self.show_text(desk)

    async def built(self, build: Callable[[], Part]) -> Part:
        """Return more parts of the window, which follow the text that is shown from now on."""
        part = build()
        self.followed += part.followers
        if self._keeper.desk is not None:
            for follow in part.followers:
                await follow(self._keeper.desk)
        return part

    async def adopt(self, desk: ProjectSession, *, is_new_sample: bool = False) -> None:
        """Show a project in place of the one before, and close that; NotStored when that must stay."""
        try:
            last, warning = await desk.resting_run(), await desk.place_warning()
        except BaseException:
            await desk.close()
            raise
        before = await self._keeper.take(desk)
        # nothing is awaited before the other text is shown: what is typed would be stored in its place
        self._taken(desk.path)
        self._window.book_panel.show_book(desk.tree, desk.document_id)
        self._desk_model.show_part(is_part=len(desk.tree.reading_order()) > 1)
        self._show(desk, last)
        if not desk.read_only:
            self._say_what_matters(desk, warning, last)
        if is_new_sample:
            self._view.show_welcome()
        await self._follow(desk)
        if before is not None:
            await before.close()

    async def show_text(self, desk: ProjectSession) -> None:
        """Show the open text of a project as it is stored."""
        last, problem = None, None
        try:
            last = await desk.resting_run()
        except Exception as error:  # noqa: BLE001  whatever it is, the window must show what is open
            problem = error
        self._show(desk, last)
        if problem is not None:
            raise problem
        await self._follow(desk)

    def _show(self, desk: ProjectSession, last: Run | None) -> None:
        self._keeper.shown_id = desk.document_id
        self._view.show_project(desk.heading, desk.text, last, has_model=self._has_model())
        if desk.read_only:
            self._show_read_only(desk)

    async def _follow(self, desk: ProjectSession) -> None:
        for follow in self.followed:
            await follow(desk)

    def _say_what_matters(self, desk: ProjectSession, warning: str, last: Run | None) -> None:
        if desk.recovered_at is not None and desk.recovered_words:
            can_discard = last is not None and last.num_tokens > 0
            self._view.show_recovery(desk.recovered_words, can_discard=can_discard)
        elif warning:
            self._window.notice_bar.show_notice(Notice(NoticeKind.WARNING, warning))
        elif not self._has_model():
            self._no_model()

    def _show_read_only(self, desk: ProjectSession) -> None:
        self._window.editor.set_locked(locked=True)
        self._desk_model.show_read_only(read_only=True)
        self._window.notice_bar.show_notice(
            Notice(NoticeKind.WARNING, f"{desk.read_only} Until then you can read it here and copy from it.")
        )
