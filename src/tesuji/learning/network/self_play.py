"""A network that learns a game by playing itself, with the search as its teacher (Silver et al. 2017, AlphaZero).

    loop = SelfPlay(Hex(7), Path("hex7"))
    loop.run(iterations=10)
    Search(Hex(7), loop.search_config, evaluator=loop.evaluator()).run(simulations=100)

One iteration plays games in which the search, guided by the network, chooses the moves by its visits; the shares of the
visits and the results are what the network then learns from, out of the positions of the last iterations. It works for
every game whose states are planes of ones and zeros and whose moves are points, row by row, with or without a pass: of
the native ones Hex, Othello, Gomoku, tic-tac-toe. Everything is kept in a folder after each iteration, and a loop that
was interrupted goes on there. Needs the extra ``learn``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from tesuji.learning.network.architecture import Network
from tesuji.learning.network.batches import Batches, Symmetry
from tesuji.learning.network.export import exported
from tesuji.learning.network.model import Description, Model
from tesuji.learning.network.positions import Positions, packed
from tesuji.learning.network.shape import Shape
from tesuji.learning.network.trainer import Training, TrainingConfig
from tesuji.search import PUCT, Evaluation, Search, SearchConfig
from tesuji.search.evaluator import LeafBatch
from tesuji.writing import opened_whole, write_whole

__all__ = ["SelfPlay", "SelfPlayConfig"]

_Judge: TypeAlias = Callable[[LeafBatch], tuple[NDArray[np.float32], NDArray[np.float32]]]
_HALF_TURN: tuple[Symmetry, ...] = (0, 3)


@dataclass(frozen=True, kw_only=True)
class SelfPlayConfig:
    """How the games are played and learnt from.

    Attributes
    ----------
    games : int
        In an iteration.
    simulations : int
        Of the search for one move.
    drawn_moves : int
        At the beginning of a game, chosen by chance according to the visits; the others are the most visited.
    noise, noise_share : float
        Dirichlet noise in the shares of the first moves: its parameter, and how much of it.
    window : int
        Positions that are kept to learn from, the latest.
    steps, batch_size, rate
        Of the learning in an iteration.
    blocks, channels : int
        Of the network.
    symmetries : tuple of int
        Of the game (`tesuji.learning.network.batches`): Hex looks the same after half a turn, Othello from all eight
        sides, ``tuple(range(8))``.
    seed : int
        Of everything.
    """

    games: int = 40
    simulations: int = 80
    drawn_moves: int = 10
    noise: float = 0.3
    noise_share: float = 0.25
    window: int = 20_000
    steps: int = 150
    batch_size: int = 256
    rate: float = 3e-3
    blocks: int = 3
    channels: int = 32
    symmetries: tuple[Symmetry, ...] = _HALF_TURN
    seed: int = 1


@dataclass
class _Played:
    """One game: what the searches saw and said."""

    planes: list[NDArray[np.uint8]] = field(default_factory=list)
    shares: list[NDArray[np.float32]] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)


class SelfPlay:
    """A game, its network and the positions that it learns from.

    Parameters
    ----------
    game : a native game with planes
        Where every game begins; left unchanged.
    folder : Path
        Where everything is kept; a loop that is there goes on.
    config : SelfPlayConfig, optional
        How it plays and learns.
    """

    # c = 0.6: with 1.5 the visits of 80 simulations hardly differ from the shares, and little is learnt from them. Hex
    # 6x6, 8 iterations, then against playouts at equal simulations: 56 of 60 games instead of 24 of 40.
    search_config = SearchConfig(selection=PUCT(c=0.6), evaluation=Evaluation(batch_size=8, cache_bytes=8 << 20))

    def __init__(self, game: Any, folder: Path, config: SelfPlayConfig | None = None) -> None:
        self.game, self.folder, self.config = game.copy(), Path(folder), config or SelfPlayConfig()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.num_moves = int(self._seen(self.game)[1])
        planes = self._seen(self.game)[0]
        points = planes.shape[1] * planes.shape[2]
        if not 0 <= self.num_moves - points <= 1:
            raise ValueError(
                f"{type(game).__name__} has {self.num_moves} moves on {points} points; a network of this kind has a "
                "move for each point, and perhaps a pass"
            )
        self.shape = Shape(
            planes=planes.shape[0],
            scalars=1,
            blocks=self.config.blocks,
            channels=self.config.channels,
            pooled=min(16, self.config.channels),
            head=min(24, self.config.channels),
            has_pass=self.num_moves > points,
        )
        self.iteration = 0
        self.positions: Positions | None = None
        torch.manual_seed(self.config.seed)
        self._weights = Network(self.shape).state_dict()
        self._resume()
        self._model = self._made_model()

    def run(self, iterations: int, on_iteration: Callable[[dict[str, Any]], None] | None = None) -> None:
        """Play and learn until so many iterations are done in all.

        Parameters
        ----------
        iterations : int
            All sittings together.
        on_iteration : callable, optional
            Told what came of each.
        """
        while self.iteration < iterations:
            positions = self._play_games()
            self.positions = self._window(positions)
            told = {"iteration": self.iteration + 1, "positions": len(self.positions), **self._learn()}
            self.iteration += 1
            self._save()
            self._model = self._made_model()
            if on_iteration is not None:
                on_iteration(told)

    def evaluator(self) -> _Judge:
        """The network as it stands, for a search."""
        model = self._model

        def evaluate(batch: LeafBatch) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
            judged = model.judge(batch.states, _scalars(batch.to_play))
            return np.where(batch.to_play == 0, judged.wins, 1 - judged.wins).astype(np.float32), judged.shares

        return evaluate

    def points_against_playouts(self, games: int, simulations: int, *, first_moves: int = 1) -> float:
        """Meet the search with playouts, both with the same number of simulations a move.

        Parameters
        ----------
        games : int
            How many; the sides change, and two games in a row begin alike.
        simulations : int
            Of each search for one move.
        first_moves : int
            That are drawn at random.

        Returns
        -------
        float
            Games won, and half of those drawn.
        """
        points = 0.0
        for number in range(games):
            random, game, mine = np.random.default_rng(number // 2), self.game.copy(), number % 2
            for _ in range(first_moves):
                game.play(int(random.choice(game.legal_moves())))
            while not game.is_over:
                if game.to_play == mine:
                    search = Search(game, self.search_config, evaluator=self.evaluator())
                else:
                    search = Search(game)
                game.play(search.run(simulations=simulations, seed=number).best_move)
            points += game.value if mine == 0 else 1 - game.value
        return points

    # Games ----------------------------------------------------------------------------------------------------------

    def _play_games(self) -> Positions:
        games = [self._play(seed) for seed in range(self.config.games)]
        parts = [self._as_positions(played, value) for played, value in games]
        positions = parts[0]
        for part in parts[1:]:
            positions = positions.joined(part)
        return positions

    def _play(self, number: int) -> tuple[_Played, float]:
        config = self.config
        random = np.random.default_rng([config.seed, self.iteration, number])
        game, played = self.game.copy(), _Played()
        while not game.is_over:
            seen = _FirstSeen(self.evaluator(), random, config.noise, config.noise_share)
            search = Search(game, self.search_config, evaluator=seen)
            result = search.run(simulations=config.simulations, seed=int(random.integers(2**62)))
            visits = np.zeros(self.num_moves, np.float32)
            visits[result.moves] = result.visits
            shares = visits / visits.sum()
            played.planes.append(seen.planes)
            played.shares.append(shares)
            played.movers.append(int(game.to_play))
            drawn = len(played.movers) <= config.drawn_moves
            chances = np.asarray(shares, np.float64) / np.asarray(shares, np.float64).sum()
            game.play(int(random.choice(self.num_moves, p=chances)) if drawn else int(visits.argmax()))
        return played, float(game.value)

    def _as_positions(self, played: _Played, value: float) -> Positions:
        movers = np.array(played.movers, np.int8)
        planes = np.stack(played.planes)
        count, num_planes, rows, columns = planes.shape
        return Positions(
            rows=rows,
            columns=columns,
            num_planes=num_planes,
            planes=packed(planes),
            scalars=_scalars(movers),
            moves=np.stack(played.shares).argmax(axis=1).astype(np.int16),
            wins=np.where(movers == 0, value, 1 - value).astype(np.float32),
            scores=np.full(count, np.nan, np.float32),
            games=np.full(count, -1, np.int32),
            owners=np.zeros((0, rows * columns), np.int8),
            movers=movers,
            shares=np.stack(played.shares).astype(np.float16),
        )

    def _seen(self, game: Any) -> tuple[NDArray[np.uint8], int]:
        """A state as an evaluator sees it, and how many moves there are."""
        seen: list[NDArray[np.uint8]] = []

        def look(batch: LeafBatch) -> list[float]:
            seen.append(batch.states[0])
            return [0.5] * len(batch)

        Search(game, SearchConfig(evaluation=Evaluation(batch_size=1)), evaluator=look).run(simulations=1, seed=1)
        return seen[0], game.num_distinct_moves

    # Learning -------------------------------------------------------------------------------------------------------

    def _window(self, new: Positions) -> Positions:
        both = new if self.positions is None else self.positions.joined(new)
        return both.taken(slice(max(0, len(both) - self.config.window), None))

    def _learn(self) -> dict[str, float]:
        assert self.positions is not None
        config = self.config
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        batches = Batches(
            self.positions,
            device,
            size=config.batch_size,
            symmetries=config.symmetries,
            seed=config.seed + self.iteration,
        )
        sitting = self.folder / f"iteration-{self.iteration + 1}"
        training = Training(
            sitting,
            self.shape,
            TrainingConfig(steps=config.steps, rate=config.rate, averaging=0.98, win_weight=1.0, seed=config.seed),
            sources=[(batches, 1.0)],
            begin_with=self._weights,
        )
        last = training.run()
        self._weights = {name: value.cpu() for name, value in training.average.state_dict().items()}
        for file in sitting.iterdir():
            file.unlink()
        sitting.rmdir()
        return {name: float(loss) for name, loss in last["loss"].items() if name in ("policy", "win")}

    def _made_model(self) -> Model:
        network = Network(self.shape)
        network.load_state_dict(self._weights)
        shape = self.shape
        return Model(
            Description(
                game=type(self.game).__name__.lower(),
                planes=shape.planes,
                scalars=shape.scalars,
                has_pass=shape.has_pass,
                name=shape.name,
            ),
            exported(network),
        )

    # The books ------------------------------------------------------------------------------------------------------

    def _save(self) -> None:
        assert self.positions is not None
        self.positions.save(self.folder / "positions.npz")
        with opened_whole(self.folder / "weights.pt") as file:
            torch.save({"weights": self._weights, "iteration": self.iteration}, file)
        write_whole(self.folder / "loop.json", json.dumps({"iteration": self.iteration}))

    def _resume(self) -> None:
        path = self.folder / "weights.pt"
        if not path.exists():
            return
        state = torch.load(path, map_location="cpu", weights_only=True)
        Network(self.shape).load_state_dict(state["weights"])  # of another shape: an error now
        self._weights, self.iteration = state["weights"], int(state["iteration"])
        self.positions = Positions.load(self.folder / "positions.npz")


class _FirstSeen:
    """An evaluator that keeps the first state it is asked about, the root, and adds noise to the answer for it."""

    def __init__(self, inner: _Judge, random: np.random.Generator, noise: float, share: float) -> None:
        self._inner, self._random, self._noise, self._share = inner, random, noise, share
        self.planes: NDArray[np.uint8] = np.zeros(0, np.uint8)

    def __call__(self, batch: LeafBatch) -> tuple[Any, Any]:
        is_root = not self.planes.size
        if is_root:
            self.planes = batch.states[0].copy()
        values, priors = self._inner(batch)
        if is_root and self._share > 0:
            noise = self._random.dirichlet(np.full(priors.shape[1], self._noise))
            priors = ((1 - self._share) * priors + self._share * noise).astype(np.float32)
        return values, priors


def _scalars(to_play: Sequence[int] | NDArray[np.int8]) -> NDArray[np.float32]:
    """Who is to move, which the planes of a native game do not say: 1 the first player, -1 the second."""
    return (1 - 2 * np.asarray(to_play, np.float32))[:, None]
