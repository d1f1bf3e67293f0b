"""Go for a search that knows something: a board with a playout policy and priors.

`tesuji.search.Search` takes a plain board as well and then plays uniform playouts without priors.
"""

from __future__ import annotations

from tesuji._core import go as _native
from tesuji._core import search as _native_search
from tesuji.go.knowledge.learning import LearntMoves
from tesuji.go.knowledge.m_eval import MEval
from tesuji.go.knowledge.playouts import PlayoutPolicy
from tesuji.go.knowledge.priors import PriorWeights
from tesuji.go.rules.board import Board
from tesuji.search import UCB1, MinimumMSE, SearchConfig, VirtualVisits

__all__ = ["STANDARD_SEARCH", "GoGame"]

STANDARD_SEARCH = SearchConfig(
    selection=UCB1(c=0.0),
    amaf=MinimumMSE(),
    prior=VirtualVisits(visits=40.0),
    width=16,
    width_walks=200,
    maturity=2,
)
"""How the engine searches Go, unless told otherwise."""


class GoGame:
    """A position with what an engine knows about Go.

    Parameters
    ----------
    board : Board
        The position; copied.
    playouts : PlayoutPolicy
        How playouts move.
    priors : PriorWeights, optional
        What moves are worth before they are tried; only configs with a ``prior`` ask.
    uses_symmetry : bool
        Whether of moves that are images of each other only one is searched, the one nearest to the upper right corner.
    counts_moves : bool
        Whether the moves of playouts are counted by the rule that moved, as those of playouts that learn always are:
        ``learnt.counts()``.
    m_eval : MEval, optional
        Adds virtual wins to the priors near the root, on 19x19; whoever runs the search tells it where the root is.

    Attributes
    ----------
    memory : PlayoutMemory
        What the playouts of its search have learnt, who owns which point among it. A search copies its game, and a copy
        has a memory of its own.
    learnt : LearntMoves or None
        What playouts that learn have learnt, and counts; None where the policy does not learn. A copy's is empty.
    """

    def __init__(
        self,
        board: Board,
        playouts: PlayoutPolicy,
        priors: PriorWeights | None = None,
        *,
        uses_symmetry: bool = False,
        counts_moves: bool = False,
        m_eval: MEval | None = None,
    ) -> None:
        self.board = board.copy()
        self.playouts = playouts
        self.priors = priors
        self.uses_symmetry = uses_symmetry
        self.m_eval = m_eval
        self.memory = _native.PlayoutMemory(board.num_points)
        self._counts_moves = counts_moves
        self.learnt: LearntMoves | None = None
        if counts_moves or playouts.learns:
            self.learnt = LearntMoves(board.width, board.height, playouts.learning)

    @property
    def is_light(self) -> bool:
        """Whether nothing is known, so that the core's light playouts serve, which remember nothing."""
        return self.playouts.is_uniform and self.priors is None and self.learnt is None

    def copy(self) -> GoGame:
        """Another one with the same position."""
        return GoGame(
            self.board,
            self.playouts,
            self.priors,
            uses_symmetry=self.uses_symmetry,
            counts_moves=self._counts_moves,
            m_eval=self.m_eval,
        )

    def play(self, move: int) -> None:
        """Play a move on the board."""
        self.board.play(move)

    # As a game it is its board: words, identity and rules are the board's.

    players = Board.players
    title = property(lambda self: self.board.title, doc="What people call the game.")
    identity = property(lambda self: self.board.identity, doc="Which game it is.")

    def move_name(self, move: int) -> str:
        """The name of a move: ``"D4"`` or ``"pass"``."""
        return self.board.vertex(move)

    def make_search(self, config: _native_search.SearchConfig, seed: int) -> _native_search.Search:
        """The native search over this position; `tesuji.search.Search` asks for it."""
        board = self.board
        if self.is_light:
            return board.make_search(config, seed)
        weights = (self.priors or PriorWeights()).native(board.width, board.height)
        if self.m_eval is not None:
            weights.m_eval = self.m_eval.native
        known = _native.Knowledge(self.playouts.native(board.width * board.height), weights)
        known.uses_symmetry = self.uses_symmetry
        learnt = None if self.learnt is None else self.learnt.native()
        return _native.make_search_with_knowledge(board, board.komi, known, self.memory, learnt, config, seed)
