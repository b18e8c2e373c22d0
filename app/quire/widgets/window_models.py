"""What the main window shows."""

from __future__ import annotations

from dataclasses import dataclass

from quire.models.desk import DeskModel
from quire.models.pace import PaceModel
from quire.models.progress import ProgressModel
from quire.models.run_charts import RunCharts
from quire.theme.keeper import ThemeKeeper


@dataclass(frozen=True, slots=True)
class WindowModels:
    """Everything the window shows."""

    desk: DeskModel
    progress: ProgressModel
    pace: PaceModel
    themes: ThemeKeeper
    charts: RunCharts
