"""Which model on which server: what is stored about it, and the key, which never is. Imports no network."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import NoReturn, Self
from urllib.parse import urlsplit, urlunsplit

from quire_engine.api.user_message import UserMessage

MAX_URL = 500
MAX_MODEL = 300
_PORTS = range(1, 65536)


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A model on an OpenAI-compatible server. It can be stored and shown: there is no key in it.

    Attributes:
        url: as `parsed` returns it, without the path of an endpoint: "http://127.0.0.1:8080/v1".
        model: its name on the server; empty: the only one that the server has.
    """

    url: str
    model: str = ""

    def __post_init__(self) -> None:
        if normal_url(self.url) != self.url:
            raise ValueError(f"url must be as normal_url returns it, got {self.url}")
        if len(self.model) > MAX_MODEL or not self.model.isprintable():
            raise ValueError(f"model must be printable and at most {MAX_MODEL} characters")

    @classmethod
    def parsed(cls, typed: str, model: str = "") -> Self:
        """Return the address that somebody typed; ValueError, fit to show, if it is none."""
        return cls(normal_url(typed), model.strip())

    @property
    def host(self) -> str:
        """The host and, if it is named, the port, to be shown: "127.0.0.1:8080"."""
        return urlsplit(self.url).netloc

    @property
    def is_this_computer(self) -> bool:
        """Whether the words stay on this computer, as far as the address tells."""
        name = urlsplit(self.url).hostname or ""
        if name == "localhost" or name.endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(name).is_loopback
        except ValueError:
            return False

    @property
    def is_readable_on_the_way(self) -> bool:
        """Whether others on the network could read the words and the key: plain http to elsewhere."""
        return self.url.startswith("http:") and not self.is_this_computer


class ServerKey:
    """A server's key, which no repr, log, crash report, pickle or copy of fields shows."""

    __slots__ = ("_text",)

    def __init__(self, text: str = "") -> None:
        """Hold a key; empty: the server needs none. ValueError, fit to show, where it can be none."""
        text = text.strip()
        if not (text.isascii() and text.isprintable()):
            raise ValueError(UserMessage("The key has characters that no key has. Copy it again."))
        self._text = text

    def reveal(self) -> str:
        """Return the key itself, to be sent to its server or given to the keyring, and nowhere else."""
        return self._text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ServerKey) and self._text == other._text

    def __hash__(self) -> int:
        return hash((ServerKey, self._text))

    def __repr__(self) -> str:
        return "ServerKey(hidden)" if self._text else "ServerKey()"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a key is never written anywhere")


NO_KEY = ServerKey()


def normal_url(typed: str) -> str:
    """Return the base address of a server's interface from what somebody typed or copied.

    "localhost:8080", "http://host/v1/", "https://host/v1/chat/completions" become "http://localhost:8080/v1"
    and so on; without a scheme it is http on this computer and https elsewhere. ValueError, fit to show, for
    anything that is no address, or has a user, a password or a query in it: that would be stored and shown.
    """
    text = typed.strip()
    if not text or len(text) > MAX_URL or not text.isprintable() or " " in text:
        raise ValueError(UserMessage("Enter an address like http://192.168.1.20:8080."))
    if "://" not in text:
        text = f"{_scheme_for(text)}://{text}"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError(UserMessage("Enter an address like http://192.168.1.20:8080.")) from None
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname or (port or 1) not in _PORTS:
        raise ValueError(UserMessage("Enter an address like http://192.168.1.20:8080."))
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError(
            UserMessage(
                "Enter the address without a name, a password or a key in it. The key has its own field."
            )
        )
    return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), _base_path(parts.path), "", ""))


def _scheme_for(text: str) -> str:
    name = text.split("/")[0]
    try:
        is_here = ServerAddress(f"http://{name.lower()}/v1").is_this_computer
    except ValueError:
        return "http"  # and it is refused as an address
    return "http" if is_here else "https"


def _base_path(path: str) -> str:
    path = path.rstrip("/")
    for ending in ("/chat/completions", "/completions", "/models"):
        path = path.removesuffix(ending)
    path = path.rstrip("/")
    return path or "/v1"
