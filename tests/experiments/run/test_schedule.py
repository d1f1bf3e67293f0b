"""The schedule: pairs, colours, openings, seeds; the same spec gives the same games."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from experiments.fakes import ALICE, BOB, CAROL
from tesuji.experiments.records import Conditions
from tesuji.experiments.run.schedule import schedule, seed_of
from tesuji.experiments.run.spec import MatchSpec
from tesuji.experiments.run.spec_file import SpecError
from tesuji.experiments.stats.elo import Sprt

FIELD = MatchSpec(players=(ALICE, BOB, CAROL), conditions=Conditions(size=9), games=6, openings="random:2", seed=5)


def test_schedule__every_pairing_plays_its_games_with_both_colours() -> None:
    games = list(schedule(FIELD))
    assert len(games) == FIELD.num_games == 18
    seats = Counter((game.first.name, game.second.name) for game in games)
    assert len(seats) == 6
    assert set(seats.values()) == {3}


def test_schedule__a_pair_is_one_opening_with_both_colours() -> None:
    games = list(schedule(FIELD))
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert one.pair == other.pair
        assert (one.first, one.second) == (other.second, other.first)
        assert (one.opening, one.opening_name) == (other.opening, other.opening_name)
        assert len(one.opening) == 2
        assert one.seed != other.seed


def test_schedule__indices_and_pairs_count_up() -> None:
    games = list(schedule(FIELD))
    assert [game.index for game in games] == list(range(18))
    assert [game.pair for game in games] == [index // 2 for index in range(18)]


def test_schedule__all_pairings_advance_together_and_share_the_openings_of_a_round() -> None:
    games = list(schedule(FIELD))
    openings = set()
    for begin in range(0, 18, 6):
        game_round = games[begin : begin + 6]
        assert len({frozenset((game.first.name, game.second.name)) for game in game_round}) == 3
        assert len({game.opening for game in game_round}) == 1
        openings.add(game_round[0].opening)
    assert len(openings) == 3


def test_schedule__the_same_spec_gives_the_same_games_and_another_seed_others() -> None:
    assert list(schedule(FIELD)) == list(schedule(FIELD))
    other = MatchSpec(players=FIELD.players, conditions=FIELD.conditions, games=6, openings="random:2", seed=6)
    assert not {game.seed for game in schedule(FIELD)} & {game.seed for game in schedule(other)}


def test_schedule__more_games_begin_with_the_same_ones() -> None:
    longer = MatchSpec(players=FIELD.players, conditions=FIELD.conditions, games=10, openings="random:2", seed=5)
    assert list(islice(schedule(longer), 18)) == list(schedule(FIELD))


def test_schedule__an_odd_number_of_games_ends_with_half_a_pair() -> None:
    games = list(schedule(MatchSpec(players=(ALICE, BOB), games=5)))
    assert [(game.index, game.pair) for game in games] == [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)]
    field = list(schedule(MatchSpec(players=(ALICE, BOB, CAROL), games=1)))
    assert [(game.index, game.pair) for game in field] == [(0, 0), (2, 1), (4, 2)]


def test_schedule__games_that_are_there_are_left_out_and_the_others_stay_as_they_are() -> None:
    there = {0, 1, 2, 7, 17}
    assert list(schedule(FIELD, without=there)) == [game for game in schedule(FIELD) if game.index not in there]


def test_schedule__a_gauntlet_is_played_by_its_champion() -> None:
    games = list(schedule(MatchSpec(players=(ALICE, BOB, CAROL), format="gauntlet", champion="carol", games=4)))
    assert len(games) == 8
    assert all("carol" in (game.first.name, game.second.name) for game in games)


def test_schedule__a_test_is_made_game_by_game() -> None:
    spec = MatchSpec(players=(ALICE, BOB), sprt=Sprt(elo0=0, elo1=5), games=10_000_000, openings="random:4")
    assert len(list(islice(schedule(spec), 10))) == 10


def test_schedule__openings_that_cannot_be_played_are_refused_at_once(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("D4 D5\nD4 D4\n")
    for openings in ("rnadom:4", "missing.sgf", f"book:{book}"):
        with pytest.raises(SpecError) as caught:
            schedule(MatchSpec(players=(ALICE, BOB), openings=openings))
        assert caught.value.place == ("openings",)
    assert "D4" in str(caught.value)


def test_schedule__openings_of_a_file_are_repeated_in_order(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("D4\nE5\n")
    games = list(schedule(MatchSpec(players=(ALICE, BOB), openings=f"book:{book}", games=8)))
    assert [game.opening for game in games[::2]] == [("D4",), ("E5",), ("D4",), ("E5",)]


def test_seed_of__differs_by_seed_and_index_and_fits_into_a_signed_word() -> None:
    seeds = {seed_of(seed, index) for seed in range(50) for index in range(50)}
    assert len(seeds) == 2500
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert seed_of(1, 23) != seed_of(12, 3)
    assert seed_of(1, 0) == 0x259AAE116C4ECD84  # a store that was begun must be finished with the same games
