"""Games that the engine plays with itself, to learn from: the visits of its searches, the results, who owned what.

Masters hardly play on small boards, so a network learns those from its own games (`tesuji learn games`). A game is a
task that any process can do, here or on a cluster (`play_own_game`), and a line of a file (`OwnGamesFile`), so that
nothing is lost when the work stops. The first moves are drawn by their visits, the others are the engine's choice; the
komi differs from game to game, so that its meaning is learnt too.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np

from tesuji._core import go as _native
from tesuji.go.engine.engine import Choice, Engine
from tesuji.go.engine.resolve import resolve
from tesuji.go.knowledge.life import final_score, ownership
from tesuji.go.knowledge.network import NUM_PLANES, PROFESSIONAL, scalars_of
from tesuji.go.network.lessons import Lessons, is_held_out, joined_all
from tesuji.go.rules.board import Board
from tesuji.learning.network.positions import Positions

__all__ = ["OwnGame", "OwnGameTask", "OwnGamesFile", "own_lessons", "play_own_game"]

_KOMIS = 7.5, 6.5, 5.5
_OWNER_PLAYOUTS = 48
_SURE = 0.25  # of the mean owner, -1..1
_FORMAT = "tesuji-own-games-1"


class OwnGameTask(msgspec.Struct, frozen=True, kw_only=True):
    """A game to be played.

    Attributes
    ----------
    number : int
        Of the game; with the seed it is all that is random.
    size : int
        Lines of the board, 7 to 19.
    simulations : int
        A move.
    drawn_moves : int
        At the beginning, drawn by their visits.
    resign_below : float
        A side below this win rate resigns: most of a lost game teaches little.
    network : str or None
        ``shipped``, a file, or None for the engine without.
    seed : int
        Of all games.
    """

    number: int = 0
    size: int = 9
    simulations: int = 100
    drawn_moves: int = 9
    resign_below: float = 0.03
    network: str | None = "shipped"
    seed: int = 1

    def __post_init__(self) -> None:
        if not 7 <= self.size <= 19:
            raise ValueError(f"size is {self.size}; networks learn boards of 7 to 19 lines")


class OwnGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was played.

    Attributes
    ----------
    number, size : int
        As in its task.
    komi : float
        White's.
    moves : list of int
        Points, or the pass.
    visits : list of list of (int, int)
        For each move, what the search looked at and how often.
    winner : int
        0 Black, 1 White.
    margin : float or None
        By how much Black won; None where somebody resigned.
    owners : list of int
        In the end: 1 Black's, -1 White's, 0 nobody's; empty where somebody resigned.
    """

    number: int
    size: int
    komi: float
    moves: list[int]
    visits: list[list[tuple[int, int]]]
    winner: int
    margin: float | None = None
    owners: list[int] = []


def play_own_game(task: OwnGameTask) -> OwnGame:
    """Play one game; the same task gives the same game on the same machine."""
    preset = "default" if task.network is None else "network"
    settings = {"simulations": task.simulations, "resign_below": task.resign_below}
    seed = [task.seed, task.number]
    random = np.random.default_rng(seed)
    if task.network is not None:
        settings["network"] = task.network  # type: ignore[assignment]
    engine = Engine(resolve("go", preset, {**settings, "seed": int(random.integers(2**31))}))
    board = Board(task.size, komi=_KOMIS[task.number % len(_KOMIS)])
    moves: list[int] = []
    visits: list[list[tuple[int, int]]] = []
    while not board.is_over and board.num_moves < 3 * board.num_points:
        choice = engine.choose(board, on_progress=lambda _so_far: None)
        if choice.move == "resign":
            return OwnGame(number=task.number, size=task.size, komi=board.komi, moves=moves, visits=visits,
                           winner=1 - int(board.to_play))  # fmt: skip
        looked_at = _visits_of(choice)
        move = choice.move
        if board.num_moves < task.drawn_moves:
            move = _drawn(looked_at, board.pass_move, random)
        moves.append(move)
        visits.append(looked_at)
        board.play(move)
    margin = float(final_score(board).margin)
    mean = ownership(board, _OWNER_PLAYOUTS, seed=1).reshape(-1)
    return OwnGame(
        number=task.number,
        size=task.size,
        komi=board.komi,
        moves=moves,
        visits=visits,
        winner=0 if margin > 0 else 1,
        margin=margin,
        owners=np.where(mean > _SURE, 1, np.where(mean < -_SURE, -1, 0)).tolist(),
    )


def _visits_of(choice: Choice) -> list[tuple[int, int]]:
    """What was looked at; the move itself where nothing was searched."""
    assert choice.move != "resign"
    found = [] if choice.analysis is None else [(one.move, one.visits) for one in choice.analysis.moves]
    return found or [(choice.move, 1)]


def _drawn(looked_at: list[tuple[int, int]], pass_move: int, random: np.random.Generator) -> int:
    moves = [(move, count) for move, count in looked_at if move != pass_move] or looked_at
    counts = np.array([count for _, count in moves], np.float64)
    return moves[int(random.choice(len(moves), p=counts / counts.sum()))][0]


class OwnGamesFile:
    """Games in a file, a line each, below a line that says how they are played.

    Parameters
    ----------
    path : Path
        Of the file; made when the first game comes.
    task : OwnGameTask
        How its games are played, whatever their number.

    Raises
    ------
    ValueError
        If the file holds something else, or games that are played in another way.
    """

    def __init__(self, path: Path, task: OwnGameTask) -> None:
        self.path, self.task = path, msgspec.structs.replace(task, number=0)
        self.games: list[OwnGame] = []
        if path.exists():
            before, self.games = _read(path)
            if before != self.task:
                raise ValueError(f"{path} holds games that are played otherwise ({before}); name another file")

    def missing(self, games: int) -> list[OwnGameTask]:
        """The tasks that are left of so many games."""
        there = {game.number for game in self.games}
        return [msgspec.structs.replace(self.task, number=n) for n in range(games) if n not in there]

    def add(self, game: OwnGame) -> None:
        """Keep a game at once; the half of a line that an accident left is made good first."""
        whole = not self.path.exists() or self.path.read_bytes()[-1:] in (b"\n", b"")
        with self.path.open("ab") as file:
            if not whole:
                file.write(b"\n")
            if file.tell() == 0:
                file.write(msgspec.json.encode({"format": _FORMAT, "task": self.task}) + b"\n")
            file.write(msgspec.json.encode(game) + b"\n")
        self.games.append(game)


class _Head(msgspec.Struct):
    format: str
    task: OwnGameTask


def _read(path: Path) -> tuple[OwnGameTask, list[OwnGame]]:
    """How the games of a file are played, and those that are whole."""
    lines = path.read_bytes().splitlines()
    try:
        head = msgspec.json.decode(lines[0] if lines else b"", type=_Head)
        if head.format != _FORMAT:
            raise ValueError(f"its format is {head.format[:40]!r}")
    except ValueError as error:
        raise ValueError(f"{path} is not a file of `tesuji learn games` ({error}); name another") from error
    games = []
    for line in lines[1:]:
        try:
            games.append(msgspec.json.decode(line, type=OwnGame))
        except ValueError:  # cut short by an accident
            continue
    return head.task, games


def own_lessons(paths: Iterable[Path]) -> Lessons:
    """What the games of files teach; one in fifty is kept out of training, by a hash of its moves.

    Raises
    ------
    ValueError
        For a file that is none of ours.
    """
    lessons, parts = Lessons(), dict[tuple[int, bool], list[Positions]]()
    for path in paths:
        for game in _read(path)[1]:
            part = _positions_of(game)
            if part is None:
                lessons.num_passed_over += 1
                continue
            lessons.num_games += 1
            parts.setdefault((game.size, is_held_out(np.array(game.moves, np.uint16))), []).append(part)
    for (size, held_out), some in parts.items():
        (lessons.held_out if held_out else lessons.training)[size] = joined_all(some)
    return lessons


def _positions_of(game: OwnGame) -> Positions | None:
    """None for a game that does not follow the rules: somebody changed the file."""
    points = np.array(game.moves, np.uint16)
    planes = _native.game_planes(game.size, game.size, points)
    count = len(planes)
    if not count or count != len(game.moves) or count != len(game.visits):
        return None
    movers = (np.arange(count) % 2).astype(np.int8)
    shares = np.zeros((count, game.size**2 + 1), np.float32)
    for row, looked_at in zip(shares, game.visits, strict=True):
        for move, visits in looked_at:
            if not 0 <= move < len(row) or visits < 0:
                return None
            row[move] = visits
        if row.sum() <= 0:
            return None
        row /= row.sum()
    signs = 1 - 2 * movers.astype(np.float32)
    has_owners = len(game.owners) == game.size**2
    return Positions(
        rows=game.size,
        columns=game.size,
        num_planes=NUM_PLANES,
        planes=planes,
        scalars=scalars_of(movers, game.komi, PROFESSIONAL, game.size**2),
        moves=points.astype(np.int16),
        wins=(movers == game.winner).astype(np.float32),
        scores=np.full(count, np.nan if game.margin is None else game.margin, np.float32) * signs,
        games=np.full(count, 0 if has_owners else -1, np.int32),
        owners=np.array([game.owners], np.int8) if has_owners else np.zeros((0, game.size**2), np.int8),
        movers=movers,
        shares=shares.astype(np.float16),
    )
