"""Parcels: files on their way to a machine that cannot fetch them, cut into parts with checksums.

`pack` puts files, folders and installed packages into one archive and cuts it; `collect` takes in the parts
that are there, in any order and over as many turns as it takes, and unpacks the archive when none is missing.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import lzma
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from quire_engine.api.errors import EnvironmentProblem

LIST = ".parcel.json"
"""Ending of the file that names the parts of a parcel."""
SITE = "site"
"""Folder of a parcel that holds packages; it belongs on the path for modules."""
LIBRARIES = "lib"
"""Folder of a parcel that holds shared libraries of the system."""
WINDOW = (
    "PySide6_Essentials",
    "shiboken6",
    "qasync",
    "SQLAlchemy",
    "pyqtgraph",
    "spylls",
    "gguf",
    "pytest-qt",
)
"""What Quire's window and its tests need beside the libraries that every machine for training has."""
_EVERYWHERE = re.compile(r"(ld-linux|libc|libm|libdl|librt|libpthread|libresolv|libgcc_s|libstdc\+\+)[-.]")
_RESOLVED = re.compile(r"(\S+) => (/\S+)")
_UNUSED_OF_QT = (
    *(
        "Qt/qml/",
        "Qt/libexec/",
        "Qt/translations/",
        "Qt/metatypes/",
        "typesystems/",
        "glue/",
        "include/",
        "doc/",
    ),
    *("scripts/", "assistant", "designer", "linguist", "qml", "svgtoqml", "lupdate", "lrelease", "balsam"),
    *("Designer", "Quick", "Qml", "Labs", "UiTools", "QtHelp", "Qt6Help", "Concurrent"),
    *("Wayland", "wayland", "Sql.", "sqldrivers", "EglFS", "eglfs"),
)
_UNUSED = (
    *(f"PySide6/*{part}*" for part in _UNUSED_OF_QT),
    *("*.pyc", "*.pyi", "sqlalchemy/*.so", "spylls/*.dic", "pyqtgraph/examples/*"),
)
"""Names of files in those packages that Quire never opens, two thirds of them: tools and parts of Qt, types,
what is compiled for one Python alone, words of other languages."""


def pack(
    name: str,
    out: Path,
    part_bytes: int,
    things: Sequence[Path] = (),
    packages: Sequence[str] = (),
    libraries: Sequence[str] = (),
) -> list[Path]:
    """Write the parts of a parcel and their list into a folder; return all of them.

    Args:
        part_bytes: size of a part at most.
        things: files and folders; each is unpacked by its own name.
        packages: installed ones; they are unpacked into `SITE`. Nothing that they require comes with them.
        libraries: shared ones of this system, by their names; they are unpacked into `LIBRARIES` with all
            that they need.
    """
    if part_bytes < 1:
        raise EnvironmentProblem("A part needs a size above 0.")
    out.mkdir(parents=True, exist_ok=True)
    archive = out / f"{name}.tar.xz"
    with lzma.open(archive, "wb", preset=6) as packed, tarfile.open(fileobj=packed, mode="w") as tar:
        for thing in things:
            if not thing.exists():
                raise EnvironmentProblem(f"{thing} is not there, so it cannot be packed.")
            tar.add(thing, thing.name)
        for source, target in _files_of(packages):
            tar.add(source, f"{SITE}/{target}")
        for soname, file in sorted(_found(libraries).items()):
            tar.add(file.resolve(), f"{LIBRARIES}/{soname}")
    parts = list(_cut(archive, part_bytes))
    said = {"name": name, "sha256": _sha256(archive), "parts": {part.name: _sha256(part) for part in parts}}
    archive.unlink()
    listed = out / f"{name}{LIST}"
    listed.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
    return [*parts, listed]


def collect(source: Path, store: Path) -> list[str]:
    """Take in what a folder holds of any parcels and unpack those that are whole into the store.

    Returns a sentence for each parcel. A part that is damaged is left out and named.
    """
    kept = store / "parcels"
    kept.mkdir(parents=True, exist_ok=True)
    for file in sorted(source.iterdir()):
        if file.is_file() and (file.name.endswith(LIST) or ".part-" in file.name):
            shutil.copyfile(file, kept / file.name)
    return [_joined(listed, store) for listed in sorted(kept.glob(f"*{LIST}"))]


def _joined(listed: Path, store: Path) -> str:
    said: dict[str, Any] = json.loads(listed.read_text(encoding="utf-8"))
    name, kept = str(said["name"]), listed.parent
    done = kept / f"{name}.unpacked"
    if done.is_file() and done.read_text(encoding="utf-8") == said["sha256"]:
        return f"{name}: is unpacked"
    missing = [
        part
        for part, digest in said["parts"].items()
        if not (kept / part).is_file() or _sha256(kept / part) != digest
    ]
    if missing:
        return (
            f"{name}: {len(said['parts']) - len(missing)} of {len(said['parts'])} parts are there and whole"
        )
    archive = kept / f"{name}.tar.xz"
    with archive.open("wb") as whole:
        for part in said["parts"]:
            with (kept / part).open("rb") as content:
                shutil.copyfileobj(content, whole)
    with lzma.open(archive) as packed, tarfile.open(fileobj=packed) as tar:
        tar.extractall(store, filter="data")
    for file in (archive, *(kept / part for part in said["parts"])):
        file.unlink()
    done.write_text(said["sha256"], encoding="utf-8")
    return f"{name}: is unpacked now"


def _cut(archive: Path, part_bytes: int) -> Iterator[Path]:
    stem = archive.name.removesuffix(".tar.xz")
    with archive.open("rb") as whole:
        for number in range(-(-archive.stat().st_size // part_bytes)):
            part = archive.with_name(f"{stem}.part-{number:03}")
            part.write_bytes(whole.read(part_bytes))
            yield part


def _files_of(packages: Iterable[str]) -> Iterator[tuple[Path, str]]:
    """Yield the files of installed packages, each with its place under the folder for packages."""
    for package in packages:
        try:
            files = importlib.metadata.files(package) or []
        except importlib.metadata.PackageNotFoundError as error:
            raise EnvironmentProblem(f"{package} is not installed, so it cannot be packed.") from error
        for file in files:
            place = file.as_posix()
            if not place.startswith("..") and not any(fnmatch(place, one) for one in _UNUSED):
                source = Path(str(file.locate()))
                if source.is_file():
                    yield source, place


def _found(sonames: Sequence[str]) -> dict[str, Path]:
    """Return where the system has shared libraries and what they need, by name, but those of C and C++."""
    if not sonames:
        return {}
    listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    known = {found[1]: Path(found[2]) for found in re.finditer(r"(\S+) \(.*x86-64.*\) => (/\S+)", listed)}
    if missing := [soname for soname in sonames if soname not in known]:
        raise EnvironmentProblem(f"This system has no {', '.join(missing)}, so it cannot be packed.")
    wanted = {soname: known[soname] for soname in sonames}
    for soname in sonames:
        needs = subprocess.run(["ldd", str(known[soname])], capture_output=True, text=True, check=True).stdout
        wanted |= {name: Path(path) for name, path in _RESOLVED.findall(needs)}
    return {name: path for name, path in wanted.items() if not _EVERYWHERE.match(name)}


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
