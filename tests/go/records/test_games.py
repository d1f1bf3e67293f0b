"""Recorded games: every move is legal, and where players counted, our count is compared with theirs.

The games lie beside the repository in ``shared/data/games`` (60,016 of them). Where they are missing, a sample of 40 in
``tests/data/sample_games.sgf.xz`` takes their place; `write_sample` made it. SGF is read by a regular expression, so
that these tests do not depend on the package's own reader.
"""

from __future__ import annotations

import lzma
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from reference.ref_board import RefBoard
from tesuji.go import CHINESE, JAPANESE, TROMP_TAYLOR, Board, IllegalMove, Rules, final_score, ownership

REPOSITORY = Path(__file__).resolve().parents[3]
GAMES = REPOSITORY.parent / "shared" / "data" / "games"
SAMPLE = REPOSITORY / "tests" / "data" / "sample_games.sgf.xz"
# File: number of games, and every how many lines the fast tests and the counting take one.
FILES = {"pro_main.sgf.xz": (52364, 140, 15), "kgs_6d.sgf.xz": (7135, 72, 2), "games_9x9.sgf.xz": (517, 13, 1)}

needs_games = pytest.mark.skipif(not GAMES.is_dir(), reason=f"the recorded games are not at {GAMES}")


def lines_of(path: Path, step: int = 1) -> Iterator[str]:
    with lzma.open(path, "rt", encoding="ascii") as file:
        for number, line in enumerate(file):
            if number % step == 0:
                yield line


def field(game: str, name: str) -> str:
    found = re.search(rf"{name}\[([^\]]*)\]", game)
    return found[1] if found else ""


def moves_of(game: str) -> list[tuple[int, int]]:
    """Colour and move of every turn; an empty value or ``tt`` is a pass."""
    size = int(field(game, "SZ"))
    moves = []
    for color, value in re.findall(r";([BW])\[([a-z]*)\]", game):
        is_pass = value == "" or (value == "tt" and size <= 19)
        column, row = (0, 0) if is_pass else (ord(value[0]) - ord("a"), ord(value[1]) - ord("a"))
        moves.append((" BW".index(color), size * size if is_pass else row * size + column))
    return moves


def replay(game: str, rules: Rules) -> Board:
    board = Board(int(field(game, "SZ")), rules=rules)
    for color, move in moves_of(game):
        board.play(move, color)
    return board


def sample() -> list[str]:
    """513 games from all three files, or the committed 40."""
    if not GAMES.is_dir():
        return list(lines_of(SAMPLE))
    return [game for name, (_, step, _) in FILES.items() for game in lines_of(GAMES / name, step)]


def write_sample() -> None:
    """Makes the committed sample: 40 games evenly spread over the files, with size, komi, result and moves alone."""
    with lzma.open(SAMPLE, "wt", encoding="ascii", preset=9 | lzma.PRESET_EXTREME, newline="\n") as file:
        for name, (total, _, _) in FILES.items():
            wanted = {"pro_main.sgf.xz": 20, "kgs_6d.sgf.xz": 12, "games_9x9.sgf.xz": 8}[name]
            for game in list(lines_of(GAMES / name, total // wanted))[:wanted]:
                kept = "".join(f"{key}[{field(game, key)}]" for key in ("SZ", "KM", "RE"))
                moves = "".join(re.findall(r";[BW]\[[a-z]*\]", game))
                file.write(f"(;GM[1]FF[4]{kept}{moves})\n")


def test_replay__a_sample_of_recorded_games_has_no_illegal_move() -> None:
    num_moves = 0
    games = sample()
    for game in games:
        num_moves += replay(game, JAPANESE).num_moves
    assert len(games) >= (500 if GAMES.is_dir() else 40)
    assert num_moves > 100 * len(games)


def test_replay__the_committed_sample_ends_where_the_reference_board_does() -> None:
    games = list(lines_of(SAMPLE))
    assert len(games) == 40
    captures = 0
    for game in games[::4]:
        board = replay(game, JAPANESE)
        reference = RefBoard(board.width, board.height, JAPANESE)
        for color, move in moves_of(game):
            reference.play(move, color)
        assert board.grid.tolist() == reference.grid
        assert [board.captured(1), board.captured(2)] == [*reference.captured.values()]
        assert board.position.key == reference.key(64)
        captures += sum(reference.captured.values())
    assert captures > 50


def test_undo__a_recorded_game_can_be_taken_back_to_its_first_move() -> None:
    game = next(lines_of(SAMPLE))
    board = replay(game, JAPANESE)
    for color, move in reversed(moves_of(game)):
        assert board.moves[-1] == (color, move)
        board.undo()
    assert board == Board(board.width, rules=JAPANESE)


@needs_games
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", FILES)
def test_replay__all_recorded_games_have_no_illegal_move(name: str) -> None:
    num_games = num_moves = 0
    repetitions = []
    for game in lines_of(GAMES / name):
        num_games += 1
        num_moves += replay(game, JAPANESE).num_moves
        # No collection was played under superko, but hardly a game repeats a position: tell which do.
        try:
            replay(game, TROMP_TAYLOR)
        except IllegalMove as error:
            repetitions.append(f"{field(game, 'GN')}: {error}")
    print(f"\n{name}: {num_games} games, {num_moves} moves, {len(repetitions)} games repeat a position")
    print(*repetitions, sep="\n")
    assert num_games == FILES[name][0]
    assert len(repetitions) < 0.005 * num_games


# Counting ----

CLEAR = 0.4  # a game is clear if playouts own every chain at least this much, for either side
# The right winner over all counted games, and the exact margin over clear ones: a little below what
# docs/results/scoring.md measures.
FLOORS = {"pro_main.sgf.xz": (0.84, 0.33), "kgs_6d.sgf.xz": (0.96, 0.81), "games_9x9.sgf.xz": (0.93, 0.52)}


def recorded_margin(game: str) -> float | None:
    """Black's margin, or None where the players did not count."""
    result = re.fullmatch(r"([BW])\+(\d+(?:\.\d+)?)", field(game, "RE"))
    return None if result is None else float(result[2]) * (1 if result[1] == "B" else -1)


def clearness(board: Board) -> float:
    """How sure playouts are of the chain they are least sure of, 0..1."""
    owned = ownership(board).ravel()
    stones = [point for point in range(board.num_points) if board.color_at(point)]
    return min((abs(owned[board.chain(point)].mean()) for point in stones), default=0.0)


def compare_count(game: str, recorded: float) -> set[str]:
    """What is true of our count of a game."""
    board = replay(game, JAPANESE)
    board.komi = float(field(game, "KM") or 0)
    margin = final_score(board).margin
    by_area = replay(game, CHINESE)
    by_area.komi = board.komi
    facts = {
        "counted": True,
        "clear": clearness(board) >= CLEAR,
        "exact": margin == recorded,
        "exact by area": final_score(by_area).margin == recorded,
        "within a point": abs(margin - recorded) <= 1,
        "winner": margin * recorded > 0,
    }
    return {fact for fact, is_true in facts.items() if is_true}


@needs_games
@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", FILES)
def test_final_score__agrees_with_the_recorded_result(name: str) -> None:
    """Records do not say which rules they were counted by, and many stop before the last dame and the last ko.

    So the table tells what is the same by territory (the rules of nearly all these games), by area, within a point.
    """
    everything: Counter[str] = Counter()
    clear: Counter[str] = Counter()
    for game in lines_of(GAMES / name, FILES[name][2]):
        recorded = recorded_margin(game)
        if recorded is None or re.fullmatch(r"-?\d+(\.[05]0*)?", field(game, "KM")) is None:
            continue
        facts = compare_count(game, recorded)
        everything.update(facts)
        if "clear" in facts:
            clear.update(facts)
    print(f"\n{name}, one game in {FILES[name][2]}:")
    for title, counts in (("all counted games", everything), (f"clear (ownership >= {CLEAR})", clear)):
        rates = [f"{fact} {counts[fact] / counts['counted']:.1%}" for fact in sorted(counts) if fact != "counted"]
        print(f"  {title}: {counts['counted']} games, {', '.join(rates)}")
    assert clear["counted"] >= 50
    assert everything["winner"] / everything["counted"] >= FLOORS[name][0]
    assert clear["exact"] / clear["counted"] >= FLOORS[name][1]
