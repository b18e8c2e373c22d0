"""What can go wrong with a server, as sentences for the writer."""

from __future__ import annotations

from enum import Enum

from quire_engine.api.errors import EnvironmentProblem


class ServerTrouble(Enum):
    """What is wrong, so that the window can offer what helps."""

    ADDRESS = "address"
    """It is no address."""
    UNREACHABLE = "unreachable"
    """Nothing answers there, or it stopped answering."""
    CERTIFICATE = "certificate"
    """The certificate is not one that this computer trusts."""
    KEY = "key"
    """The key is missing, wrong, or not allowed to do this."""
    MODEL = "model"
    """The server does not have this model, or several and none is chosen."""
    NOT_A_SERVER = "not_a_server"
    """It answers, but not as a server of this kind does."""
    REDIRECTED = "redirected"
    """It points to another place, which is not followed."""
    BUSY = "busy"
    """It refuses for now: too many requests, or it is still loading."""
    TOO_LONG = "too_long"
    """The text does not fit the server's context window."""
    REFUSED = "refused"
    """It refuses the request for a reason of its own."""


class ServerProblem(EnvironmentProblem):
    """A server cannot do it; the text is a sentence for the writer.

    Attributes:
        trouble: what is wrong.
        retry_after_s: seconds after which the server wants to be asked again; None where it does not say.
    """

    def __init__(
        self,
        trouble: ServerTrouble,
        template: str,
        /,
        *,
        retry_after_s: float | None = None,
        **arguments: object,
    ) -> None:
        super().__init__(template, **arguments)
        self.trouble = trouble
        self.retry_after_s = retry_after_s

    @property
    def may_pass(self) -> bool:
        """Whether the same request may succeed a little later."""
        return self.trouble in (ServerTrouble.UNREACHABLE, ServerTrouble.BUSY)
