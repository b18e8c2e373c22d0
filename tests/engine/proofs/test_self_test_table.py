"""Models that compute something else are refused, in a few formats; `self_test_table` prints all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proofs.engine.broken_models import BROKEN, SUBTLE
from tests.proofs.engine.self_test_table import SHIFTED, Specimen, is_right, main, names


@pytest.fixture(scope="module", params=["llama", "qwen2", "qwen3", "mistral"])
def specimen(request: pytest.FixtureRequest, folders: dict[str, Path]) -> Specimen:
    """A tiny model of each fused family in float32."""
    return Specimen(folders[request.param], "float32")


@pytest.mark.sliced
@pytest.mark.parametrize("name", names())
def test_in_float32_every_broken_model_is_refused(specimen: Specimen, name: str) -> None:
    """Those too that are no more than noise in a smaller format."""
    assert specimen.judged(name)[1] == (name == "sound")


@pytest.mark.parametrize("format_name", ["bfloat16", "bfloat16, int8 weights", "float16"])
def test_in_other_formats_what_is_more_than_noise_is_refused(llama: Path, format_name: str) -> None:
    specimen = Specimen(llama, format_name)
    for name in ("sound", SHIFTED, *BROKEN):
        found, accepted = specimen.judged(name)
        assert accepted == (name == "sound"), (name, found)


def test_a_verdict_is_right_or_wrong() -> None:
    subtle = next(iter(SUBTLE))
    assert is_right("sound", "bfloat16", accepted=True)
    assert not is_right("sound", "bfloat16", accepted=False)
    assert not is_right(SHIFTED, "bfloat16", accepted=True)
    assert not is_right(subtle, "float32", accepted=True)
    assert is_right(subtle, "bfloat16", accepted=True)


def test_the_command_prints_a_row_for_each(llama: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--formats", "bfloat16", "--variants", "sound", "swapped gate and up"]
    assert main(["--model", str(llama), *chosen]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("accepted")
    assert second.endswith("refused")
