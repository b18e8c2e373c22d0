"""What can go wrong with a download."""

from __future__ import annotations

from enum import Enum

from quire_engine.api.errors import EnvironmentProblem

TOKENS_PAGE = "https://huggingface.co/settings/tokens"


class DownloadTrouble(Enum):
    """What a download failed on; TOKEN needs a token, OFFLINE and NETWORK may resolve by themselves."""

    TOKEN = "token"
    OFFLINE = "offline"
    NETWORK = "network"
    UNKNOWN_NAME = "unknown name"
    CONTENT = "content"
    DISK = "disk"


class DownloadProblem(EnvironmentProblem):
    """A download that cannot start or continue; the text is fit to show."""

    def __init__(self, trouble: DownloadTrouble, template: str, /, **arguments: object) -> None:
        super().__init__(template, **arguments)
        self.trouble = trouble
