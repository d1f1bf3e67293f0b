"""The room where games are played, without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tesuji.games import NATIVE_GAMES
from tesuji.go.records.sgf import load
from web.client import PageClient, Refused, page_of, serving


def _is_state(event: dict[str, object]) -> bool:
    return "position" in event


def test_play__a_move_is_answered(page: PageClient) -> None:
    game = page.ask("play.new", setup={"game": "go", "size": 9}, seats=["you", "level:beginner"])
    assert game["layout"]["width"] == 9
    assert not game["thinking"]
    after = page.ask("play.move", id=game["id"], text="E5")
    assert after["moves"][0] == "E5"
    answered = page.until(lambda event: len(event["moves"]) == 2)
    assert answered["position"]["turn"] == 0
    assert answered["position"]["owner"].count("1") == 1


def test_play__whose_turn_it_is_not_cannot_move(page: PageClient) -> None:
    game = page.ask("play.new", setup={"game": "go", "size": 19}, seats=["level:full", "you"])
    with pytest.raises(Refused, match="not your turn"):
        page.ask("play.move", id=game["id"], move=3)


def test_play__an_illegal_move_names_the_rule(page: PageClient) -> None:
    game = page.ask("play.new", setup={"game": "go", "size": 9}, seats=["you", "you"])
    page.ask("play.move", id=game["id"], text="E5")
    with pytest.raises(Refused, match="E5 is occupied"):
        page.ask("play.move", id=game["id"], text="E5")
    for move in (-1, 82, 10**9):
        with pytest.raises(Refused):
            page.ask("play.move", id=game["id"], move=move)


def test_play__a_game_survives_the_end_of_the_server(tmp_path: Path) -> None:
    with serving(tmp_path) as client, page_of(client) as page:
        game = page.ask("play.new", setup={"game": "go", "size": 9, "handicap": 2}, seats=["you", "you"])
        page.ask("play.move", id=game["id"], text="E5")
    with serving(tmp_path) as client, page_of(client) as page:
        assert [line["id"] for line in page.ask("play.offer")["saved"]] == [game["id"]]
        again = page.ask("play.open", id=game["id"])
        assert again["moves"] == ["E5"]
        assert again["about"]["handicap"] == 2
        assert again["position"]["owner"].count("0") == 2


def test_play__an_opponent_that_was_interrupted_thinks_again_when_a_page_comes_back(tmp_path: Path) -> None:
    with serving(tmp_path) as client, page_of(client) as page:
        game = page.ask("play.new", setup={"game": "go", "size": 19}, seats=["level:full", "you"])
        assert game["thinking"]
    with serving(tmp_path) as client, page_of(client) as page:
        again = page.ask("play.open", id=game["id"])
        assert again["moves"] == []
        assert again["thinking"]


def test_play__two_pages_see_the_same_game(tmp_path: Path) -> None:
    with serving(tmp_path) as client, page_of(client) as one, page_of(client) as other:
        game = one.ask("play.new", setup={"game": "hex", "size": 5}, seats=["you", "you"])
        other.ask("play.open", id=game["id"])
        one.ask("play.move", id=game["id"], text="c3")
        assert other.until(lambda event: event["moves"])["moves"] == ["c3"]


def test_undo__takes_back_ones_own_move_and_its_answer(page: PageClient) -> None:
    game = page.ask("play.new", setup={"game": "connect4"}, seats=["you", "level:beginner"])
    page.ask("play.move", id=game["id"], text="4")
    page.until(lambda event: len(event["moves"]) == 2)
    assert page.ask("play.undo", id=game["id"])["moves"] == []
    with pytest.raises(Refused, match="nothing to take back"):
        page.ask("play.undo", id=game["id"])


def test_resign__the_other_wins(page: PageClient) -> None:
    game = page.ask("play.new", setup={"game": "go", "size": 9}, seats=["you", "you"])
    assert page.ask("play.resign", id=game["id"])["result"] == "W+R"


def test_score__dead_stones_are_proposed_and_marked_by_hand(page: PageClient) -> None:
    game = page.ask("play.new", setup={"game": "go", "size": 5, "komi": 0.5}, seats=["you", "you"])["id"]
    for move in ("C1", "A5", "C2", "pass", "C3", "pass", "C4", "pass", "C5"):
        page.ask("play.move", id=game, text=move)
    page.ask("play.move", id=game, text="pass")
    page.ask("play.move", id=game, text="pass")
    counted = page.until(lambda event: event.get("phase") == "score" and not event["counting"])
    assert counted["dead"] == [0]
    assert counted["score"]["text"] == "B+24.5"
    page.ask("play.dead", id=game, point=0)
    alive = page.until(lambda event: event.get("dead") == [])
    assert alive["score"]["text"] == "B+13.5"
    assert page.ask("play.accept", id=game)["result"] == "B+13.5"


def test_score__who_does_not_agree_plays_on(page: PageClient) -> None:
    game = page.ask("play.new", setup={"game": "go", "size": 5}, seats=["you", "you"])["id"]
    for move in ("C3", "pass", "pass"):
        page.ask("play.move", id=game, text=move)
    after = page.ask("play.resume", id=game)
    assert after["phase"] == "play"
    assert after["moves"] == ["C3"]


def test_hint__names_moves(page: PageClient) -> None:
    game = page.ask("play.new", setup={"game": "tictactoe"}, seats=["you", "you"])["id"]
    page.ask("play.hint", id=game)
    hints = page.until(lambda event: "hints" in event)["hints"]
    assert len(hints) == 3
    assert hints[0]["name"] in {f"{letter}{row}" for letter in "abc" for row in (1, 2, 3)}


@pytest.mark.parametrize("game", NATIVE_GAMES)
def test_games__every_game_of_the_catalogue_is_played_to_its_end(page: PageClient, game: str) -> None:
    size = {"gomoku": 7, "hex": 4, "y": 4, "havannah": 4}.get(game, 0)
    opened = page.ask("play.new", setup={"game": game, "size": size}, seats=["level:beginner", "level:beginner"])
    cells = len(opened["layout"]["cells"])
    assert len(opened["layout"]["names"]) == cells
    over = page.until(lambda event: event.get("phase") == "over")
    assert over["position"]["over"]
    assert len(over["position"]["owner"]) == cells
    assert over["result"]


def test_games__every_legal_move_can_be_clicked(page: PageClient) -> None:
    game = page.ask("play.new", setup={"game": "breakthrough"}, seats=["you", "you"])
    assert len(game["position"]["paths"]) == 22
    start, end, move = game["position"]["paths"][0]
    after = page.ask("play.move", id=game["id"], move=move)["position"]
    assert after["owner"][start] == "."
    assert after["owner"][end] == "0"


def test_player__one_of_the_config_is_an_opponent(page: PageClient) -> None:
    assert page.ask("play.offer")["players"] == [{"name": "quick", "games": []}]
    game = page.ask("play.new", setup={"game": "go", "size": 9}, seats=["you", "player:quick"])["id"]
    page.ask("play.move", id=game, text="E5")
    page.until(lambda event: len(event["moves"]) == 2)
    page.ask("play.move", id=game, text="A1")
    assert len(page.until(lambda event: len(event["moves"]) == 4)["moves"]) == 4


def test_record__another_parser_accepts_it(page: PageClient) -> None:
    sgfmill = pytest.importorskip("sgfmill.sgf")
    game = page.ask("play.new", setup={"game": "go", "size": 13, "handicap": 3}, seats=["you", "you"])["id"]
    for move in ("C7", "pass", "G7"):
        page.ask("play.move", id=game, text=move)
    text = page.ask("play.sgf", id=game)["text"]
    read = sgfmill.Sgf_game.from_bytes(text.encode())
    assert read.get_size() == 13
    assert read.get_handicap() == 3
    assert len(read.get_main_sequence()) == 4
    assert load(text.encode()).replay().num_moves == 3


def test_clock__runs_for_who_is_to_move_and_stands_while_nobody_looks(page: PageClient) -> None:
    clock = {"kind": "byoyomi", "main_s": 60, "extra_s": 10, "periods": 3}
    game = page.ask("play.new", setup={"game": "go", "size": 9}, seats=["you", "you"], clock=clock)
    assert page.ask("play.open", id=game["id"])["clocks"][0]["runs"]
    after = page.ask("play.move", id=game["id"], text="E5")
    assert [clock["runs"] for clock in after["clocks"]] == [False, True]
    assert after["clocks"][0]["left_s"] <= 60
    page.ask("play.leave", id=game["id"])


def test_clock__who_has_no_time_left_has_lost(page: PageClient) -> None:
    clock = {"kind": "absolute", "main_s": 1}
    page.ask("play.new", setup={"game": "go", "size": 9}, seats=["you", "you"], clock=clock)
    assert page.until(lambda event: event.get("phase") == "over")["result"] == "W+T"


def test_pictures__of_games_that_were_played(page: PageClient) -> None:
    for name, move in (("hex", "b2"), ("connect4", "4"), ("go", "C3")):
        size = {"connect4": 0}.get(name, 5)
        game = page.ask("play.new", setup={"game": name, "size": size}, seats=["you", "you"])
        page.ask("play.move", id=game["id"], text=move)
        drawn = page.ask("pictures.draw", id=game["id"], first=1)
        assert drawn["content"].startswith("<svg")
        assert ">1</text>" in drawn["content"]
        assert drawn["moves"] == 1
    with pytest.raises(Refused, match="at Go only"):
        page.ask(
            "pictures.draw",
            id=page.ask("play.new", setup={"game": "y"}, seats=["you", "you"])["id"],
            corners=["a1", "b2"],
        )
