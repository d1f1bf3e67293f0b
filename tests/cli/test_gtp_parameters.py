"""``tesuji gtp``: its parameters as options and as a file."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tesuji import cli
from tesuji.go.engine.parameters import ENGINE_PARAMETERS, values_of
from tesuji.go.engine.presets import ENGINE_PRESETS


def tesuji_gtp(*arguments: object, **extra: Any) -> Result:
    return CliRunner().invoke(cli.main, ["gtp", *map(str, arguments)], prog_name="tesuji", **extra)


def value_of(name: str, *arguments: object) -> str:
    """What GTP says about a parameter after these arguments."""
    result = tesuji_gtp(*arguments, input=f"param {name}\n")
    assert result.exit_code == 0, result.output
    return result.stdout.removeprefix("=").strip()


@pytest.mark.parametrize("name", list(values_of(ENGINE_PRESETS["default"])))
def test_options__there_is_one_for_every_parameter(name: str) -> None:
    parameter = ENGINE_PARAMETERS[name]
    value = parameter.text(values_of(ENGINE_PRESETS["default"])[name])
    if name in ("simulations", "seconds"):
        value = "7" if name == "simulations" else "7.0"
    assert value_of(name, f"--{name.replace('_', '-')}", value) == value


def test_options__change_the_file_which_changes_the_preset(tmp_path: Path) -> None:
    path = tmp_path / "engine.toml"
    path.write_text('preset = "uct"\nexploration = 0.5\nmaturity = 9\n', encoding="utf-8")
    assert value_of("exploration", "--config", path) == "0.5"
    assert value_of("exploration", "--config", path, "--exploration", 0.75) == "0.75"
    assert value_of("maturity", "--config", path, "--exploration", 0.75) == "9"
    assert value_of("amaf", "--config", path) == "none"
    assert value_of("amaf", "--config", path, "--preset", "uct-rave") == "rave"


@pytest.mark.parametrize("preset", ENGINE_PRESETS)
def test_show_config__is_a_file_that_is_read_again(preset: str, tmp_path: Path) -> None:
    path = tmp_path / "engine.toml"
    shown = tesuji_gtp("--show-config", "--preset", preset, "--threads", 2)
    assert shown.exit_code == 0
    path.write_text(shown.stdout, encoding="utf-8")
    assert tesuji_gtp("--show-config", "--config", path).stdout == shown.stdout
    assert "\nthreads = 2\n" in shown.stdout


def test_help__shows_the_important_ones_and_where_the_others_are() -> None:
    text = tesuji_gtp("--help").stdout
    assert all(f"  --{name} " in text for name in ("simulations", "seconds", "seed", "threads", "ponders", "preset"))
    assert "--help-parameters" in text
    assert "--p-nakade" not in text


def test_help_parameters__lists_every_one_by_subject() -> None:
    text = tesuji_gtp("--help-parameters").stdout
    assert all(f"--{name.replace('_', '-')} = " in text for name in ENGINE_PARAMETERS)
    assert all(f"\n{group}:\n" in text for group in ("engine", "search", "playouts", "priors"))
    assert "--p-nakade" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--p-nakade", "-1"], ["--p-nakade", "is -1.0; it must lie in 0..1"]),
        (["--p-nakade", "nan"], ["--p-nakade", "is nan; it must lie in 0..1"]),
        (["--p-nakade", "x"], ["--p-nakade", "is 'x'; it must be a number"]),
        (["--ponders", "maybe"], ["--ponders", "is 'maybe'; it must be true or false"]),
        (["--rave-k", "5"], ["--rave-k", "has no meaning here; add amaf=rave"]),
        (["--threads", "0"], ["--threads", "is 0; it must be 1 to 256"]),
        (["--p-nakad", "1"], ["--p-nakad"]),
        (["--config", "nowhere.toml"], ["nowhere.toml", "does not exist"]),
        (["--preset", "quick"], ["there is no preset 'quick'", "default, fast, uct, uct-rave, uct-rave-knowledge"]),
    ],
)
def test_errors__are_one_line_that_names_the_option_and_the_rule(arguments: list[str], words: list[str]) -> None:
    result = tesuji_gtp(*arguments, input=io.BytesIO(b"genmove b\n"))
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert all(word in line for word in words), line


def test_errors__a_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "engine.toml"
    path.write_text("simulations = 10\np_nakade = -1\n", encoding="utf-8")
    result = tesuji_gtp("--config", path)
    assert result.exit_code == 2
    assert "engine.toml, line 2: p_nakade: the probability of 'nakade' is -1.0; it must lie in 0..1" in result.stderr
