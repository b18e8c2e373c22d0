from __future__ import annotations

import pytest

from quire_engine.api.command_parser import CommandParser, did_you_mean, whole_number


def said(capsys: pytest.CaptureFixture[str], *arguments: str, prog: str = "tide") -> str:
    parser = CommandParser(prog=prog)
    parser.add_argument("--height", type=float)
    parser.add_argument("--heat", type=int)
    parser.add_argument("--turns", type=whole_number(1, 10))
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("flow").add_argument("name")
    with pytest.raises(SystemExit, match="2"):
        parser.parse_args(arguments)
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--height", "x", "flow", "a"], "--height: “x” is not a number."),
        (["--heat", "1.5", "flow", "a"], "--heat: “1.5” is not a whole number."),
        (["--turns", "11", "flow", "a"], "--turns: “11” is not a whole number from 1 to 10."),
        (["--turns"], "--turns needs a value."),
        (["--he", "1", "flow", "a"], "--he can mean --help, --height or --heat."),
        (["flow", "a", "--hieght"], "There is no option --hieght. Did you mean “--height”?"),
        (["flwo"], "There is no command or file “flwo”. Did you mean “flow”?"),
        (["flow"], "tide flow needs name."),
        ([], "tide needs one of flow."),
    ],
)
def test_a_complaint_is_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, *arguments).startswith(f"tide: {sentence} See tide")


def test_a_module_is_called_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, prog="python -m tide").startswith("tide: python -m tide needs one of flow.")


def test_numbers_may_have_commas() -> None:
    assert whole_number(1, 10_000)("1,000") == 1000


def test_nothing_is_meant_where_nothing_comes_close() -> None:
    assert did_you_mean("xyzzy", ["draft", "info"]) == ""
