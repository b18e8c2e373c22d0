"""What the window shows."""

from __future__ import annotations

from dataclasses import dataclass

from quire.charts.run_charts import RunCharts
from quire.drafting.pace_model import PaceModel
from quire.shell.draft_progress import ProgressModel
from quire.shell.project_status import DeskModel
from quire.theme.theme_switch import ThemeKeeper


@dataclass(frozen=True, slots=True)
class WindowModels:
    """Everything the window shows."""

    desk: DeskModel
    progress: ProgressModel
    pace: PaceModel
    themes: ThemeKeeper
    charts: RunCharts
