"""Every feature is built, and hears of what the events declare for it."""

from __future__ import annotations

from quire.app import App
from quire.application import Application
from quire.events import AwaitedEvent, Event
from quire.features import AFTER_FIRST_PAINT, AT_START
from quire.services.model_library.kernel_compilation import KernelCompilation
from tests.fakes import ScriptedBackend
from tests.integration.desktop import Desktop


class NoKernels(KernelCompilation):
    def start(self) -> None:
        """Compile nothing."""


def test_every_feature_is_built_and_every_turn_is_used(desktop: Desktop) -> None:
    async def scenario(quire: Application) -> None:
        app, unused = quire.app, list[str]()
        assert app.is_complete
        named = [*(name for name, _ in AT_START), *(name for name, _, _ in AFTER_FIRST_PAINT)]
        assert {*named, "motion"} == set(App.__annotations__)
        for name in named:
            assert type(getattr(app, name)).__name__ == App.__annotations__[name]
        for group in (app.events, app.events.draft):
            for what, event in vars(group).items():
                if isinstance(event, Event | AwaitedEvent):
                    unused += [f"{what}: {name}" for name in event.order if name not in event.handlers]
        assert unused == []

    assert desktop.start(ScriptedBackend(), scenario, kernels=NoKernels()) == 0
