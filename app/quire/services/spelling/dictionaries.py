"""The available dictionaries: Quire's own, the system's, and those that the writer added."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from quire.errors import WriterProblem
from quire.services.spelling.spelling_process import SpellerGone, SpellerRefused, SpellingProcess
from quire.system.app_folders import data_folder
from quire_resources import ROOT

SHIPPED = ROOT / "dictionaries"
USUAL_LANGUAGE = "en_US"
MAX_FILE_BYTES = 100_000_000
"""The largest known dictionary has a fifth of it."""
_READ_WITHIN_S = 60.0
_CODE = re.compile(r"([a-z]{2,3})(?:[_-]([A-Za-z]{4}))?(?:[_-]([A-Z]{2}|\d{3}))?(?:[_-].*)?")
"""How the files are called: de, de_DE, de_DE_frami, sr-Latn-RS."""


@dataclass(frozen=True, slots=True)
class Dictionary:
    """The dictionary of a language; `stem` is the path of its two files without .aff and .dic."""

    language: str
    stem: Path


def added_folder() -> Path:
    """Return the folder for the dictionaries that the writer adds."""
    return data_folder() / "dictionaries"


def usual_folders() -> tuple[Path, ...]:
    """Return the folders of dictionaries; of two for one language, the first has priority."""
    return (added_folder(), SHIPPED, *_system_folders())


def find_dictionaries(folders: Iterable[Path]) -> tuple[Dictionary, ...]:
    """Return one dictionary for each language, sorted; unreadable folders are skipped."""
    found: dict[str, Dictionary] = {}
    for folder in folders:
        for dictionary in _in_folder(folder):
            found.setdefault(dictionary.language, dictionary)
    return tuple(found[language] for language in sorted(found))


def best_for(language: str, dictionaries: Iterable[Dictionary]) -> Dictionary | None:
    """Return the dictionary of a language, or of the same language in another country."""
    known = {dictionary.language: dictionary for dictionary in dictionaries}
    if language in known:
        return known[language]
    kin = language.partition("_")[0]
    usual = (USUAL_LANGUAGE, f"{kin}_{kin.upper()}", kin)  # de_DE before de_AT
    alike = [code for code in known if code.partition("_")[0] == kin]
    return known[min(alike, key=lambda code: (code not in usual, code))] if alike else None


def add_dictionary(file: Path, folder: Path) -> Dictionary:
    """Copy the two files of a dictionary, one of which was chosen, into a folder; it takes seconds.

    WriterProblem when they are not a readable dictionary.
    """
    stem = file.with_suffix("")
    language = language_of(stem.name)
    if language is None:
        raise WriterProblem(
            "The name {file} doesn't name a language. Rename the two files like de_DE.aff and "
            "de_DE.dic, then add them again.",
            file=file.name,
        )
    _look_over(stem)
    _try(stem)
    target = folder / language
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for ending in (".dic", ".aff"):  # without the second file, the first does not count as a dictionary
            half_done = target.with_name(f"{language}{ending}.part")
            shutil.copyfile(f"{stem}{ending}", half_done)
            half_done.replace(f"{target}{ending}")
    except OSError as error:
        raise WriterProblem(
            "The dictionary can't be copied to {folder} ({reason}). Free some space there and add it again.",
            folder=folder,
            reason=error.strerror,
        ) from error
    return Dictionary(language, target)


def language_of(name: str) -> str | None:
    """Return the language of a file name, such as de_DE or sr_Latn_RS; None for none."""
    match = _CODE.fullmatch(name)
    return "_".join(filter(None, match.groups())) if match else None


def _look_over(stem: Path) -> None:
    for ending in (".aff", ".dic"):
        part = Path(f"{stem}{ending}")
        try:
            size = part.stat().st_size
        except OSError:
            raise WriterProblem(
                "A dictionary needs two files, but {file} is missing or can't be read. Put both into "
                "one folder and add it again.",
                file=part.name,
            ) from None
        if size > MAX_FILE_BYTES:
            raise WriterProblem("{file} is too large for a dictionary. Choose another one.", file=part.name)


def _try(stem: Path) -> None:
    try:
        process = SpellingProcess()
        try:
            process.ask("open", str(stem), within_s=_READ_WITHIN_S)
        finally:
            process.close()
    except (SpellerGone, SpellerRefused) as error:
        raise WriterProblem(
            "{name} is not a valid Hunspell dictionary. Choose another one.", name=stem.name
        ) from error


def _in_folder(folder: Path) -> Iterator[Dictionary]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        stem, ending = os.path.splitext(name)
        language = language_of(stem)
        if ending == ".aff" and language is not None and f"{stem}.dic" in names:
            yield Dictionary(language, folder / stem)


def _system_folders() -> Iterator[Path]:
    yield from (Path(named) for named in os.environ.get("DICPATH", "").split(os.pathsep) if named)
    home = Path.home()
    if sys.platform == "darwin":
        yield from (home / "Library" / "Spelling", Path("/Library/Spelling"))
        office = [Path("/Applications/LibreOffice.app/Contents/Resources/extensions")]
    elif sys.platform == "win32":
        programs = (os.environ.get(name) for name in ("ProgramFiles", "ProgramFiles(x86)"))
        office = [Path(folder) / "LibreOffice" / "share" / "extensions" for folder in programs if folder]
    else:
        shared = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
        for folder in (home / ".local" / "share", *map(Path, filter(None, shared.split(":")))):
            yield from (folder / "hunspell", folder / "myspell", folder / "myspell" / "dicts")
        office = [
            Path("/usr/lib/libreoffice/share/extensions"),
            Path("/usr/lib64/libreoffice/share/extensions"),
        ]
        office += [place / "share" / "extensions" for place in _below(Path("/opt"), "libreoffice*")]
    for extensions in office:
        yield from _below(extensions, "dict-*")


def _below(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern))
    except OSError:
        return []
