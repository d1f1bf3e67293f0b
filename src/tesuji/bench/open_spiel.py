"""OpenSpiel's two searches, as something to compare with: its C++ ``MCTSBot`` and the one in Python.

Both run with ``solve=False`` and one uniform playout a simulation (``RandomRolloutEvaluator(1)``). Its values lie in
-1..1 and ours in 0..1, so ``uct_c`` is twice our c for the same exploration. OpenSpiel is a dependency of this
benchmark only: the group ``bench`` of pyproject.toml.
"""

from __future__ import annotations

import importlib.metadata

from tesuji.words import how_to_install

__all__ = ["how_to_install_it", "search_in_cpp", "search_in_python", "version"]

_MEMORY_MB = 4_000  # more than any of these searches needs: its bot stops early when it is full


def how_to_install_it() -> str:
    """What to say where it is missing."""
    return f"OpenSpiel is not installed: {how_to_install('openspiel')}"


def version() -> str | None:
    """Which one is installed; None if none is."""
    try:
        import pyspiel  # noqa: F401

        return importlib.metadata.version("open_spiel")
    except (ImportError, importlib.metadata.PackageNotFoundError):
        return None


def search_in_cpp(game: str, *, simulations: int, c: float, seed: int) -> None:
    """Search from the start of a game, named as OpenSpiel does; c is on our scale."""
    import pyspiel

    board = pyspiel.load_game(game)
    bot = pyspiel.MCTSBot(
        board,
        pyspiel.RandomRolloutEvaluator(1, seed),
        2 * c,
        simulations,
        _MEMORY_MB,
        False,  # solve
        seed,
        False,  # verbose
    )
    bot.mcts_search(board.new_initial_state())


def search_in_python(game: str, *, simulations: int, c: float, seed: int) -> None:
    """The same with the bot that is written in Python."""
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    board = pyspiel.load_game(game)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed))
    bot = mcts.MCTSBot(board, 2 * c, simulations, evaluator, solve=False, random_state=np.random.RandomState(seed))
    bot.mcts_search(board.new_initial_state())
