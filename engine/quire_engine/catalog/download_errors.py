"""What can go wrong with a download."""

from __future__ import annotations

from enum import Enum

from quire_engine.api.errors import EnvironmentProblem

TOKENS_PAGE = "https://huggingface.co/settings/tokens"


class DownloadTrouble(Enum):
    """What a download stumbled over: TOKEN asks for one, OFFLINE and NETWORK may pass by themselves."""

    TOKEN = "token"
    OFFLINE = "offline"
    NETWORK = "network"
    UNKNOWN_NAME = "unknown name"
    CONTENT = "content"
    DISK = "disk"


class DownloadProblem(EnvironmentProblem):
    """A download that cannot start or continue."""

    def __init__(self, trouble: DownloadTrouble, template: str, /, **arguments: object) -> None:
        super().__init__(template, **arguments)
        self.trouble = trouble
