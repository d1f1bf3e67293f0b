"""What stored results say about where they come from."""

from __future__ import annotations

import getpass
import json
import platform
import re
import socket
from pathlib import Path

import msgspec
import pytest

import tesuji
from tesuji import provenance
from tesuji.provenance import collect


class Settings(msgspec.Struct, frozen=True):
    simulations: int = 100
    weights: tuple[float, ...] = (0.5, 1.0)
    book: str = "/home/somebody/books/opening.sgf"


def test_collect__has_all_that_a_repetition_needs():
    made = collect(seed=7, config={"simulations": 100}, wall_time_s=1.5)
    assert made.version == tesuji.__version__
    assert made.python == f"{platform.python_implementation()} {platform.python_version()}"
    assert made.platform.split() == [platform.system(), platform.machine()]
    assert made.cpu
    assert (made.seed, made.config, made.wall_time_s, made.cpu_time_s) == (7, {"simulations": 100}, 1.5, None)


def test_collect__the_date_is_utc_to_the_second():
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", collect(seed=None).date)


def test_collect__takes_a_config_struct_as_it_is():
    assert collect(seed=1, config=Settings()).config == {
        "simulations": 100,
        "weights": [0.5, 1.0],
        "book": "opening.sgf",
    }


def test_collect__paths_keep_only_their_last_part():
    config = {"a": Path("/home/somebody/game.sgf"), "b": ["~/x/y.bed", "C:\\x\\y.bed"], "c": {"d": "plain/text"}}
    stored = collect(seed=1, config=config).config
    assert stored["a"] == "game.sgf"
    assert stored["b"][0] == "y.bed"
    assert stored["c"] == {"d": "plain/text"}
    assert "somebody" not in json.dumps(stored)


def test_collect__names_no_host_no_user_and_no_directory():
    text = json.dumps(collect(seed=1, config={"out": Path.cwd()}).to_dict())
    for private in (socket.gethostname(), str(Path.home()), str(Path.cwd()), f"/{getpass.getuser()}"):
        assert private not in text


def test_to_dict__survives_json():
    made = collect(seed=3, config=Settings())
    assert msgspec.convert(json.loads(json.dumps(made.to_dict())), provenance.Provenance) == made


def test_commit__is_a_hash_in_a_checkout_and_nothing_elsewhere(tmp_path):
    root = provenance._checkout()
    if root is not None and (commit := provenance._commit(root)) is not None:
        assert re.fullmatch(r"[0-9a-f]{40}\+?", commit)
    assert provenance._commit(None) is None
    assert provenance._commit(tmp_path) is None


def test_commit__a_machine_without_git_is_no_error(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    provenance._commit.cache_clear()
    try:
        assert collect(seed=1).commit is None
    finally:
        provenance._commit.cache_clear()


@pytest.mark.parametrize("seed", [None, 0, 2**63])
def test_collect__keeps_the_seed_as_it_is(seed):
    assert collect(seed=seed).seed == seed
