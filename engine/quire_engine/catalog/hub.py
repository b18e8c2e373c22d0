"""The client for the Hugging Face hub; its library's exceptions become messages here."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import huggingface_hub.utils
from huggingface_hub import HfApi, constants, get_session, hf_hub_url
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
)

from quire_engine.catalog.download_errors import TOKENS_PAGE, DownloadProblem, DownloadTrouble

_TIMEOUT_S = 30
_utils: Any = huggingface_hub.utils  # what it offers is documented, but not declared for type checkers
# the base of everything that the hub's HTTP library raises, whichever library that is
_HttpError: type[Exception] = HfHubHTTPError.__bases__[0]


class HubClient:
    """Talks to the hub, or a compatible server. token: empty for none; sent nowhere else."""

    def __init__(self, endpoint: str | None = None, token: str = "") -> None:
        self._endpoint = endpoint
        # False: a token that other programs left on this computer is not used unasked
        self._token: str | bool = token or False

    def describe(self, name: str) -> Any:
        """Return the hub's description of a repository, with sizes and digests of its files."""
        with told(name):
            api = HfApi(endpoint=self._endpoint, token=self._token)
            return api.model_info(name, files_metadata=True, timeout=_TIMEOUT_S)

    @contextlib.contextmanager
    def opened(self, name: str, revision: str, file: str, start: int) -> Iterator[Any]:
        """Request a file from a byte on; the caller reads the response."""
        url = hf_hub_url(name, file, revision=revision, endpoint=self._endpoint)
        headers = _utils.build_hf_headers(token=self._token) | {"Accept-Encoding": "identity"}
        if start:
            headers["Range"] = f"bytes={start}-"
        with told(name):
            session: Any = get_session()
            answer = session.stream("GET", url, headers=headers, timeout=_TIMEOUT_S, follow_redirects=True)
            with answer as response:
                if response.status_code != 416:  # nothing after the start: whoever asked begins again
                    _utils.hf_raise_for_status(response)
                yield response


@contextlib.contextmanager
def told(name: str) -> Iterator[None]:
    """Turn what the hub's library raises into a DownloadProblem."""
    try:
        yield
    except OfflineModeIsEnabled as error:
        raise offline() from error
    except GatedRepoError as error:
        raise DownloadProblem(
            DownloadTrouble.TOKEN,
            "{name} can only be downloaded after you accept its licence. Accept it at "
            "https://huggingface.co/{name} and use a token of the same account ({page}).",
            name=name,
            page=TOKENS_PAGE,
        ) from error
    except RepositoryNotFoundError as error:
        raise DownloadProblem(
            DownloadTrouble.UNKNOWN_NAME,
            "Hugging Face has no model named {name}, or your token gives no access to it. Check the "
            "spelling.",
            name=name,
        ) from error
    except HFValidationError as error:
        raise DownloadProblem(
            DownloadTrouble.UNKNOWN_NAME, "“{name}” is not a model name.", name=name
        ) from error
    except HfHubHTTPError as error:
        raise _answered(name, error) from error
    except (_HttpError, ConnectionError, TimeoutError) as error:
        raise DownloadProblem(
            DownloadTrouble.NETWORK,
            "Hugging Face can't be reached. Check the connection; the download so far is kept.",
        ) from error


def refuse_offline() -> None:
    """Raise DownloadProblem if the settings forbid going online."""
    if constants.is_offline_mode():
        raise offline()


def offline() -> DownloadProblem:
    """Return the error for a computer that is set to stay offline."""
    return DownloadProblem(
        DownloadTrouble.OFFLINE,
        "Downloads are turned off on this computer (HF_HUB_OFFLINE). You can still use models in folders.",
    )


def _answered(name: str, error: HfHubHTTPError) -> DownloadProblem:
    status = int(getattr(error.response, "status_code", 0) or 0)
    if status == 401:
        return DownloadProblem(
            DownloadTrouble.TOKEN,
            "Hugging Face doesn't accept this token. Create a new one at {page}.",
            page=TOKENS_PAGE,
        )
    if status == 403:
        return DownloadProblem(
            DownloadTrouble.TOKEN,
            "Your token doesn't give access to {name}. Ask its makers for access.",
            name=name,
        )
    if status == 429:
        return DownloadProblem(DownloadTrouble.NETWORK, "Hugging Face is busy. Try again later.")
    return DownloadProblem(
        DownloadTrouble.NETWORK,
        "Hugging Face reported an error ({status}). Try again later.",
        status=status or "unknown",
    )
