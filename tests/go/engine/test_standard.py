"""What programs for people play with: the network where it can be run, and nothing of that in the library."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tesuji import cli
from tesuji.go import Board, Engine, EngineConfig
from tesuji.go.engine import standard
from tesuji.go.engine.config_file import read
from tesuji.go.engine.presets import engine_preset
from tesuji.go.engine.resolve import resolve
from tesuji.go.engine.standard import NETWORK_COST, standard_config
from tesuji.go.knowledge.network import GoNetwork
from tesuji.learning.network.model import ModelError
from tesuji.play.setting import make_setting, rival_of
from tesuji.search.levels import LEVELS
from tesuji.web.opponents import GoLevel
from tesuji.web.settings import WebSettings


@pytest.fixture
def with_network() -> None:
    pytest.importorskip("onnxruntime")


@pytest.fixture(params=["not installed", "does not run"])
def without(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def broken(name: str) -> GoNetwork:
        raise ModelError(f"{name}: onnxruntime cannot run the network")

    if request.param == "not installed":
        monkeypatch.setattr(standard, "is_runnable", lambda: False)
    else:
        monkeypatch.setattr(standard, "is_runnable", lambda: True)
        monkeypatch.setattr(GoNetwork, "load", broken)
    standard._is_there.cache_clear()
    standard.say_what_is_missing.cache_clear()
    yield
    standard._is_there.cache_clear()


def gtp(*words: str, said: str = "quit\n") -> tuple[str, str]:
    done = CliRunner().invoke(cli.main, ["gtp", *words], prog_name="tesuji", input=said)
    assert done.exit_code == 0, done.output
    return done.stdout, done.stderr


def test_library__stays_without_the_network() -> None:
    assert EngineConfig().network is None
    assert resolve("go", None, {}) == engine_preset("default") == EngineConfig()


@pytest.mark.usefixtures("with_network")
@pytest.mark.parametrize(
    ("settings", "preset"),
    [
        ({}, "network"),
        ({"seconds": 5.0, "threads": 2, "seed": 1, "ponders": True}, "network"),
        ({"network": "my.tesuji"}, "network"),
        ({"network": None}, "default"),
        ({"network": "none"}, "default"),
        ({"playouts": "uniform"}, "default"),
        ({"seed": 1, "prior_visits": 20.0}, "default"),
        ({"opening_file": "my.player"}, "default"),
        ({"table_file": "my.table"}, "default"),
        ({"known": 16.0}, "default"),
        ({"uses_symmetry": False, "memory_mb": 64.0, "parallel": "roots"}, "network"),
    ],
)
def test_standard__is_the_network_unless_the_search_is_changed(settings: dict[str, object], preset: str) -> None:
    assert standard_config(settings) == engine_preset(preset)


@pytest.mark.usefixtures("without")
def test_standard__without_onnxruntime_it_is_the_default_and_says_once_what_is_missing() -> None:
    said: list[str] = []
    say = said.append
    assert standard_config(on_missing=say) == standard_config(on_missing=say) == EngineConfig()
    assert len(said) == 1
    assert "network" in said[0]
    assert "install" in said[0]


@pytest.mark.usefixtures("without")
def test_gtp__without_onnxruntime_plays_as_before() -> None:
    words = ("--size", "9", "--simulations", "50", "--seed", "1")
    plays, told = gtp(*words, said="genmove b\nquit\n")
    before, silent = gtp(*words, "--preset", "default", said="genmove b\nquit\n")
    assert plays == before
    assert told.count("\n") == 1
    assert "network" in told
    assert silent == ""


@pytest.mark.usefixtures("with_network")
def test_gtp__begins_with_the_network_and_says_so_in_its_config(tmp_path: Path) -> None:
    shown, told = gtp("--show-config")
    assert 'network = "shipped"' in shown
    assert told == ""
    (tmp_path / "all.toml").write_text(shown)
    assert read(tmp_path / "all.toml") == engine_preset("network")
    (tmp_path / "few.toml").write_text("simulations = 70\n")
    assert read(tmp_path / "few.toml") == engine_preset("network").replace(simulations=70)
    assert read(tmp_path / "few.toml", later={"playouts": "uniform"}) == EngineConfig(simulations=70)
    (tmp_path / "named.toml").write_text('preset = "default"\nsimulations = 70\n')
    assert read(tmp_path / "named.toml") == EngineConfig(simulations=70)


@pytest.mark.usefixtures("with_network")
def test_play__weak_levels_are_as_they_were_and_strong_ones_take_the_same_time() -> None:
    setting = make_setting("go", threads=2)
    configs = [rival_of(setting, level=level, seed=1)._engine.config for level in LEVELS]  # type: ignore[attr-defined]
    assert [config.network for config in configs] == [None] * 5 + ["shipped"] * 2
    counts = [level.simulations for level in LEVELS]
    assert [config.simulations for config in configs] == [*counts[:5], *(n // NETWORK_COST for n in counts[5:])]
    plain = rival_of(setting, simulations=9, seed=1)._engine.config  # type: ignore[attr-defined]
    assert (plain.network, plain.simulations, plain.search.threads) == ("shipped", 9, 2)


@pytest.mark.usefixtures("with_network")
def test_web__levels_that_play_their_best_have_the_network(tmp_path: Path) -> None:
    found = {level.name: GoLevel(level, WebSettings(folder=tmp_path, seed=1))._engine.config for level in LEVELS}
    assert {name for name, config in found.items() if config.network} == {"strong", "full"}
    assert found["full"].simulations == 20_000 // NETWORK_COST
    assert found["club"].simulations == 300


@pytest.mark.usefixtures("with_network")
@pytest.mark.parametrize(("size", "komi"), [(5, 7.5), (21, 7.5), (9, 40.5), (9, -20.5)])
def test_network__is_not_asked_where_it_has_learnt_nothing(size: int, komi: float) -> None:
    board = Board(size, komi=komi)
    config = engine_preset("network").replace(simulations=30, seed=1)
    found, plain = (Engine(each).analyse(board) for each in (config, EngineConfig(simulations=30, seed=1)))
    assert [(move.move, move.visits) for move in found.moves] == [(move.move, move.visits) for move in plain.moves]


@pytest.mark.usefixtures("with_network")
def test_network__several_threads_ask_at_once() -> None:
    config = resolve("go", "network", {"simulations": 400, "seed": 1, "threads": 4})
    search = config.search_at(Board(9))
    found = search.run(simulations=400, seed=1)
    assert found.counts["evaluations"] > 0
    assert found.visits.sum() >= 400
