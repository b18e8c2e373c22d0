"""What the window shows."""

from __future__ import annotations

from dataclasses import dataclass

from quire.charts.run_charts import RunCharts
from quire.drafting.pace_model import PaceModel
from quire.shell.draft_progress import ProgressModel
from quire.shell.project_status import ProjectStatus
from quire.theme.theme_switch import ThemeSwitch


@dataclass(frozen=True, slots=True)
class WindowModels:
    """Everything the window shows."""

    status: ProjectStatus
    progress: ProgressModel
    pace: PaceModel
    themes: ThemeSwitch
    charts: RunCharts
