"""Games of OpenSpiel (Lanctot et al. 2019), one line each.

>>> from tesuji.games import open_spiel
>>> game = open_spiel("breakthrough", rows=6, columns=6)

A state of OpenSpiel under the contract of `tesuji.games.Game`, or of `tesuji.games.OnePlayerGame` where one player
plays. It is searched as any object is: every question goes through Python, so a native game of the same rules is many
times as fast. Games of chance, hidden information, moves at the same time and more than two players are refused: the
search has no notion of them.

Needs OpenSpiel (the extra ``openspiel``), which is imported when the first game is made.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Self

from tesuji.words import how_to_install, meant

__all__ = ["OpenSpielGame", "open_spiel"]


def open_spiel(name: str, **parameters: Any) -> OpenSpielGame:
    """A game of OpenSpiel at its beginning.

    Parameters
    ----------
    name : str
        As OpenSpiel calls it, with parameters in parentheses or without: ``"hex"``, ``"hex(board_size=5)"``.
    **parameters
        Those of the game, by OpenSpiel's names: ``board_size=5``.

    Returns
    -------
    OpenSpielGame
        For one player (``goal`` is then "maximise") or for two.

    Raises
    ------
    ImportError
        Without OpenSpiel.
    ValueError
        For a name or a parameter that OpenSpiel does not know, and for a game that the search cannot play; one sentence
        says why.
    """
    pyspiel = _pyspiel()
    known = set(pyspiel.registered_names())
    plain = name.partition("(")[0]
    if plain not in known:
        near = meant(plain, known)
        hint = f"did you mean {near!r}?" if near else "pyspiel.registered_names() lists them"
        raise ValueError(f"OpenSpiel has no game {plain!r}; {hint}")
    try:
        game = pyspiel.load_game(name, parameters) if parameters else pyspiel.load_game(name)
    except Exception as error:  # of as many kinds as OpenSpiel has authors
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ValueError(f"OpenSpiel refuses {name!r} with the parameters {parameters}: {reason}") from error
    return made_of(game.new_initial_state())


def made_of(state: Any) -> OpenSpielGame:
    """A game from a state of OpenSpiel, which is copied; for one player if one plays."""
    game = state.get_game()
    _refuse_what_cannot_be_searched(game, _pyspiel().GameType)
    return (OpenSpielProblem if game.num_players() == 1 else OpenSpielGame)(game, state.clone())


class OpenSpielGame:
    """A state of a game of OpenSpiel, under the contract of `tesuji.games.Game`; `open_spiel` makes it.

    The value is the first player's return, from the game's least utility (0) to its greatest (1). States are equal if
    their texts, movers, legal moves and numbers of moves are: OpenSpiel's states have no key of their own.

    Attributes
    ----------
    state : pyspiel.State
        OpenSpiel's own; it draws itself and knows tensors for networks.
    """

    def __init__(self, game: Any, state: Any) -> None:
        self._game, self.state = game, state

    @property
    def num_distinct_moves(self) -> int:
        """How many moves exist at all."""
        return int(self._game.num_distinct_actions())

    @property
    def to_play(self) -> int:
        """Who moves: 0, the first player, or 1; after the end 0."""
        return max(0, int(self.state.current_player()))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.is_terminal())

    @property
    def value(self) -> float:
        """What an ended game is worth to the first player, 0..1."""
        least, most = self._game.min_utility(), self._game.max_utility()
        return float((self.state.returns()[0] - least) / (most - least))

    @property
    def title(self) -> str:
        """What people call the game."""
        return str(self._game.get_type().long_name)

    @property
    def identity(self) -> str:
        """The game with its parameters."""
        return str(self._game)

    def legal_moves(self) -> list[int]:
        """The moves that may be played; none at the end."""
        return [] if self.is_over else list(self.state.legal_actions())

    def play(self, move: int) -> None:
        """Play a legal move; ValueError for another."""
        if move not in self.state.legal_actions():
            raise ValueError(f"move {move} is not legal here")
        self.state.apply_action(move)

    def copy(self) -> Self:
        """A state that goes its own way."""
        return type(self)(self._game, self.state.clone())

    def key(self) -> int:
        """Equal for equal texts, movers, legal moves and numbers of moves; the same in every process."""
        return int.from_bytes(blake2b(repr(self._looks()).encode(), digest_size=8).digest())

    def _looks(self) -> tuple[object, ...]:
        state = self.state
        return str(state), state.current_player(), state.move_number(), tuple(self.legal_moves())

    def move_name(self, move: int) -> str:
        """What OpenSpiel calls a move that is legal here; another move is its number."""
        if self.is_over or move not in self.state.legal_actions():
            return str(move)
        return str(self.state.action_to_string(move))

    def __str__(self) -> str:
        return str(self.state)

    def __repr__(self) -> str:
        return f"<{self.identity}>\n{self.state}"


class OpenSpielProblem(OpenSpielGame):
    """The same for one player: the value is the sum of all rewards, whatever its size."""

    goal = "maximise"

    @property
    def value(self) -> float:
        """The sum of all rewards."""
        return float(self.state.returns()[0])

    def _looks(self) -> tuple[object, ...]:
        return *super()._looks(), self.value


def _pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError as error:
        raise ImportError(f"this game is OpenSpiel's ({error}); install it: {how_to_install('openspiel')}") from error
    return pyspiel


def _refuse_what_cannot_be_searched(game: Any, kinds: Any) -> None:
    kind, players = game.get_type(), game.num_players()
    reasons = {
        "its players move at the same time": kind.dynamics != kinds.Dynamics.SEQUENTIAL,
        "it has chance": kind.chance_mode != kinds.ChanceMode.DETERMINISTIC,
        "it hides information": kind.information != kinds.Information.PERFECT_INFORMATION,
        f"it has {players} players": players > 2,
        "what one player wins the other does not lose": players == 2
        and kind.utility not in (kinds.Utility.ZERO_SUM, kinds.Utility.CONSTANT_SUM),
    }
    found = [reason for reason, applies in reasons.items() if applies]
    if found:
        raise ValueError(
            f"{kind.short_name} cannot be searched: {' and '.join(found)}; the search plays games of one or two "
            "players who move in turn and see everything"
        )
