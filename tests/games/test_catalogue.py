"""One entry for each native game: whatever else is known of games by name follows from it."""

from __future__ import annotations

import pytest

from tesuji.games import NATIVE_GAMES, make_game
from tesuji.games.catalogue import NativeGame, native_game_of
from tesuji.games.terminal import view_of
from tesuji.search.presets import GAME_PRESETS
from tesuji.search.view.names import names_of
from tesuji.words import GAME_NAMES


@pytest.mark.parametrize(("name", "entry"), NATIVE_GAMES.items())
def test_entry__gives_the_view_the_words_and_the_presets(name: str, entry: NativeGame) -> None:
    game = make_game(name)
    assert native_game_of(game) is entry
    assert view_of(game).title == names_of(game).title == entry.title
    assert type(view_of(game)).__name__ == entry.view.partition(".")[2]
    assert set(GAME_PRESETS[name]) == {"default", "uct", "uct-rave"}
    assert (GAME_PRESETS[name]["default"].amaf is not None) == entry.stones_stay


def test_entries__are_those_of_the_command_line() -> None:
    assert set(GAME_NAMES) == {*NATIVE_GAMES, "go"}
    assert set(GAME_PRESETS) == set(NATIVE_GAMES)
