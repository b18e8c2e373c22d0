"""The picture of a training: well-formed, inside its frame, and true."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.tiny import few
from tests.training.loss_curve import loss_curve, read_log, smoothed

SVG = "{http://www.w3.org/2000/svg}"
points = st.lists(
    st.tuples(st.integers(1, 10**10), st.floats(allow_nan=True, allow_infinity=True)), max_size=30
)


def drawn(picture: ElementTree.Element) -> list[tuple[float, float]]:
    """Return the places of the line's points."""
    line = picture.find(f"{SVG}polyline")
    assert line is not None
    pairs = (pair.split(",") for pair in line.attrib["points"].split())
    return [(float(x), float(y)) for x, y in pairs]


def texts(picture: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in picture.iter(f"{SVG}text")]


def test_a_curve_names_its_axes_and_falls_as_the_loss_does() -> None:
    training = [(float(number * 1000), 9 - number / 20) for number in range(1, 101)]
    picture = ElementTree.fromstring(
        loss_curve(training, [(50_000, 6.6), (100_000, 4.2)], "A <model> & its loss")
    )
    shown = texts(picture)
    assert shown[0] == "A <model> & its loss"
    assert set(shown) >= {
        "tokens seen",
        "nats per token",
        "training, smoothed",
        "held-out books",
        "20K",
        "100K",
    }
    places = drawn(picture)
    assert len(places) == 100
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    assert [y for _, y in places] == sorted(y for _, y in places)  # y grows downwards
    assert len(list(picture.iter(f"{SVG}circle"))) == 3  # two points and the one in the legend


@few
@given(points, points)
def test_whatever_was_logged_is_drawn_inside_the_frame(
    training: list[tuple[float, float]], held_out: list[tuple[float, float]]
) -> None:
    small = [(x, math.copysign(min(abs(y), 1e6), y) if math.isfinite(y) else y) for x, y in training]
    dots = [(x, math.copysign(min(abs(y), 1e6), y) if math.isfinite(y) else y) for x, y in held_out]
    picture = ElementTree.fromstring(loss_curve(small, dots, "Loss"))
    circles = [(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in picture.iter(f"{SVG}circle")]
    for x, y in (*drawn(picture), *circles):
        assert 0 <= x <= 720
        assert 0 <= y <= 400


@pytest.mark.parametrize("count", [0, 1, 399, 400, 401, 5000])
def test_smoothing_keeps_the_mean_and_draws_few_points(count: int) -> None:
    wave = [(float(number), math.sin(number)) for number in range(count)]
    runs = smoothed(wave)
    assert len(runs) <= 400
    if 0 < count <= 400:
        assert runs == wave
    if count == 5000:  # runs of 13, the last of 8
        assert runs[0] == pytest.approx((6.0, sum(y for _, y in wave[:13]) / 13))


def test_a_log_is_read_by_its_second_and_last_column(tmp_path: Path) -> None:
    (tmp_path / "loss.csv").write_text("1,8192,3.5,9.0125\n2,16384,7.0,8.5\n", encoding="utf-8")
    assert read_log(tmp_path / "loss.csv") == [(8192.0, 9.0125), (16384.0, 8.5)]
    assert read_log(tmp_path / "nothing.csv") == []
