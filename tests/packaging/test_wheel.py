"""The wheel: everything that Quire needs at run time, nothing else, and it starts."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (ROOT / "app/quire", ROOT / "engine/quire_engine", ROOT / "resources/quire_resources")

pytestmark = pytest.mark.packaging


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the working tree without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("*.whl")
    return path


def test_it_holds_the_three_packages_whole_and_nothing_else(wheel: Path) -> None:
    expected = {
        file.relative_to(package.parent).as_posix()
        for package in PACKAGES
        for file in package.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == expected


def test_it_brings_the_model_the_fonts_and_the_opening(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for folder, suffix in (("model", ".safetensors"), ("fonts", ".ttf"), ("sample", ".txt")):
        found = [n for n in names if n.startswith(f"quire_resources/{folder}/") and n.endswith(suffix)]
        assert found, f"no {suffix} in {folder}"


def test_it_starts_where_only_the_wheel_is(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    program = "import quire.cli.main, quire_resources as own; print(own.ROOT, own.BUILT_IN_MODEL.is_dir())"
    shown = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.stdout.split() == [str(tmp_path / "quire_resources"), "True"], shown.stderr
