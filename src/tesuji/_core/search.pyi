"""The search, over any game."""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated, Any, overload

import numpy
import numpy.typing
from numpy.typing import NDArray

import tesuji._core.games


class Solution:
    """Moves from the root to the end, and what they are worth."""

    @property
    def value(self) -> float: ...

    @property
    def moves(self) -> list[int]: ...

class Improvement:
    """A new best value, counted from the beginning of the run."""

    @property
    def seconds(self) -> float: ...

    @property
    def simulations(self) -> int: ...

    @property
    def value(self) -> float: ...

class Found:
    """
    What a search for one player has found; tesuji.search.solve makes it readable.
    """

    @property
    def best(self) -> Solution | None: ...

    @property
    def improvements(self) -> list[Improvement]:
        """Of the last run."""

    @property
    def simulations(self) -> int:
        """Of the last run."""

    @property
    def is_optimal(self) -> bool:
        """Whether no better solution exists."""

    @property
    def is_exhausted(self) -> bool:
        """Whether nothing is left that the search would look at."""

class NestedSearch:
    """A nested Monte-Carlo search over some game."""

    def run(self, simulations: int, seconds: float, progress: Callable[[], bool] | None = None, report_s: float = 0.2) -> None:
        """
        Runs until a limit is reached (0: no such limit); progress() is asked every report_s seconds.
        """

    def stop(self) -> None:
        """Ends a run, from any thread."""

    def found(self) -> Found: ...

def make_nested_for_object(game: object, level: int, num_threads: int, seed: int) -> NestedSearch:
    """For any object with the methods of tesuji.games.OnePlayerGame."""

class IndependentSearch:
    """A search of one player whose threads look on their own."""

    def run(self, simulations: int, seconds: float, progress: Callable[[], bool] | None = None, report_s: float = 0.2) -> None:
        """
        Runs until a limit is reached (0: no such limit); progress() is asked every report_s seconds.
        """

    def stop(self) -> None:
        """Ends a run, from any thread."""

    def found(self) -> Found: ...

class NrpaConfig:
    """The values of tesuji.search.NRPA."""

    def __init__(self, level: int, iterations: int, alpha: float, bias: float) -> None: ...

def make_orders_for_object(game: object, patience: int, num_threads: int, seed: int, begin_with: Sequence[int] = [], reads_by_fit: bool = True) -> IndependentSearch:
    """For any object with the methods of tesuji.games.OnePlayerGame."""

def make_nrpa_for_object(game: object, config: NrpaConfig, num_threads: int, seed: int) -> IndependentSearch:
    """For any object with the methods of tesuji.games.OnePlayerGame."""

class Selection(enum.Enum):
    UCB1 = 0

    UCB1_TUNED = 1

    EPSILON_GREEDY = 2

    BAST = 3

    PUCT = 4

class AmafSchedule(enum.Enum):
    OFF = 0

    HAND_SELECTED = 1

    MINIMUM_MSE = 2

class PriorUse(enum.Enum):
    OFF = 0

    VIRTUAL_VISITS = 1

    PROGRESSIVE_BIAS = 2

    HORIZON = 3

class Expansion(enum.Enum):
    ONE_CHILD = 0

    ALL_CHILDREN = 1

    WHOLE_PATH = 2

class GraphMode(enum.Enum):
    TREE = 0

    DAG = 1

    SHARED_VALUES = 2

    SHARED_COUNTS = 3

    MULTIPATH = 4

class Parallel(enum.Enum):
    LOCK_FREE = 0

    GLOBAL_LOCK = 1

    ROOTS = 2

class SearchConfig:
    """Filled in by tesuji.search.SearchConfig, which documents the fields."""

    def __init__(self) -> None: ...

    @property
    def selection(self) -> Selection: ...

    @selection.setter
    def selection(self, arg: Selection, /) -> None: ...

    @property
    def exploration(self) -> float: ...

    @exploration.setter
    def exploration(self, arg: float, /) -> None: ...

    @property
    def epsilon(self) -> float: ...

    @epsilon.setter
    def epsilon(self, arg: float, /) -> None: ...

    @property
    def smoothness(self) -> float: ...

    @smoothness.setter
    def smoothness(self, arg: float, /) -> None: ...

    @property
    def first_play_urgency(self) -> float: ...

    @first_play_urgency.setter
    def first_play_urgency(self, arg: float, /) -> None: ...

    @property
    def amaf(self) -> AmafSchedule: ...

    @amaf.setter
    def amaf(self, arg: AmafSchedule, /) -> None: ...

    @property
    def rave_k(self) -> float: ...

    @rave_k.setter
    def rave_k(self, arg: float, /) -> None: ...

    @property
    def rave_bias(self) -> float: ...

    @rave_bias.setter
    def rave_bias(self, arg: float, /) -> None: ...

    @property
    def rave_exploration(self) -> float: ...

    @rave_exploration.setter
    def rave_exploration(self, arg: float, /) -> None: ...

    @property
    def amaf_fades(self) -> bool: ...

    @amaf_fades.setter
    def amaf_fades(self, arg: bool, /) -> None: ...

    @property
    def amaf_horizon(self) -> int: ...

    @amaf_horizon.setter
    def amaf_horizon(self, arg: int, /) -> None: ...

    @property
    def prior_use(self) -> PriorUse: ...

    @prior_use.setter
    def prior_use(self, arg: PriorUse, /) -> None: ...

    @property
    def prior_weight(self) -> float: ...

    @prior_weight.setter
    def prior_weight(self, arg: float, /) -> None: ...

    @property
    def prior_fades(self) -> bool: ...

    @prior_fades.setter
    def prior_fades(self, arg: bool, /) -> None: ...

    @property
    def prior_horizon(self) -> float: ...

    @prior_horizon.setter
    def prior_horizon(self, arg: float, /) -> None: ...

    @property
    def widening(self) -> bool: ...

    @widening.setter
    def widening(self, arg: bool, /) -> None: ...

    @property
    def widening_scale(self) -> float: ...

    @widening_scale.setter
    def widening_scale(self, arg: float, /) -> None: ...

    @property
    def widening_rate(self) -> float: ...

    @widening_rate.setter
    def widening_rate(self, arg: float, /) -> None: ...

    @property
    def widening_minimum(self) -> int: ...

    @widening_minimum.setter
    def widening_minimum(self, arg: int, /) -> None: ...

    @property
    def width(self) -> int: ...

    @width.setter
    def width(self, arg: int, /) -> None: ...

    @property
    def width_walks(self) -> int: ...

    @width_walks.setter
    def width_walks(self, arg: int, /) -> None: ...

    @property
    def expansion(self) -> Expansion: ...

    @expansion.setter
    def expansion(self, arg: Expansion, /) -> None: ...

    @property
    def maturity(self) -> int: ...

    @maturity.setter
    def maturity(self, arg: int, /) -> None: ...

    @property
    def graph(self) -> GraphMode: ...

    @graph.setter
    def graph(self, arg: GraphMode, /) -> None: ...

    @property
    def table_entries(self) -> int: ...

    @table_entries.setter
    def table_entries(self, arg: int, /) -> None: ...

    @property
    def table_min_references(self) -> int: ...

    @table_min_references.setter
    def table_min_references(self, arg: int, /) -> None: ...

    @property
    def max_ancestors(self) -> int: ...

    @max_ancestors.setter
    def max_ancestors(self, arg: int, /) -> None: ...

    @property
    def solver(self) -> bool: ...

    @solver.setter
    def solver(self, arg: bool, /) -> None: ...

    @property
    def reads_edges(self) -> bool: ...

    @reads_edges.setter
    def reads_edges(self, arg: bool, /) -> None: ...

    @property
    def revisit_penalty(self) -> float: ...

    @revisit_penalty.setter
    def revisit_penalty(self, arg: float, /) -> None: ...

    @property
    def evaluator_weight(self) -> float: ...

    @evaluator_weight.setter
    def evaluator_weight(self, arg: float, /) -> None: ...

    @property
    def evaluator_after(self) -> int: ...

    @evaluator_after.setter
    def evaluator_after(self, arg: int, /) -> None: ...

    @property
    def evaluator_visits(self) -> int: ...

    @evaluator_visits.setter
    def evaluator_visits(self, arg: int, /) -> None: ...

    @property
    def batch_size(self) -> int: ...

    @batch_size.setter
    def batch_size(self, arg: int, /) -> None: ...

    @property
    def batch_timeout_s(self) -> float: ...

    @batch_timeout_s.setter
    def batch_timeout_s(self, arg: float, /) -> None: ...

    @property
    def batches_in_flight(self) -> int: ...

    @batches_in_flight.setter
    def batches_in_flight(self, arg: int, /) -> None: ...

    @property
    def cache_bytes(self) -> int: ...

    @cache_bytes.setter
    def cache_bytes(self, arg: int, /) -> None: ...

    @property
    def parallel(self) -> Parallel: ...

    @parallel.setter
    def parallel(self, arg: Parallel, /) -> None: ...

    @property
    def num_threads(self) -> int: ...

    @num_threads.setter
    def num_threads(self, arg: int, /) -> None: ...

    @property
    def memory_bytes(self) -> int: ...

    @memory_bytes.setter
    def memory_bytes(self, arg: int, /) -> None: ...

    @property
    def max_depth(self) -> int: ...

    @max_depth.setter
    def max_depth(self, arg: int, /) -> None: ...

class GroupingOptions:
    """Filled in by tesuji.search.Grouping, which documents the fields."""

    def __init__(self) -> None: ...

    @property
    def num_kinds(self) -> int: ...

    @num_kinds.setter
    def num_kinds(self, arg: int, /) -> None: ...

    @property
    def overlap(self) -> bool: ...

    @overlap.setter
    def overlap(self, arg: bool, /) -> None: ...

    @property
    def wants_path(self) -> bool: ...

    @wants_path.setter
    def wants_path(self, arg: bool, /) -> None: ...

    @property
    def biases(self) -> list[float]: ...

    @biases.setter
    def biases(self, arg: Sequence[float], /) -> None: ...

    @property
    def learns(self) -> bool: ...

    @learns.setter
    def learns(self, arg: bool, /) -> None: ...

    @property
    def learning_inertia(self) -> float: ...

    @learning_inertia.setter
    def learning_inertia(self, arg: float, /) -> None: ...

    @property
    def learning_visits(self) -> int: ...

    @learning_visits.setter
    def learning_visits(self, arg: int, /) -> None: ...

class RootGroup:
    """A group of the root's moves."""

    @property
    def kind(self) -> int: ...

    @property
    def ordinal(self) -> int:
        """Which one of its kind, from 0."""

    @property
    def visits(self) -> int: ...

    @property
    def value(self) -> float:
        """For the side to move; 0 without visits."""

    @property
    def proof(self) -> int:
        """For the side to move: 0 nothing, 1 lost, 2 drawn, 3 won."""

    @property
    def moves(self) -> list[int]: ...

class SearchResult:
    """What a search knows; tesuji.search.SearchResult makes it readable."""

    @property
    def to_play(self) -> int: ...

    @property
    def moves(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def visits(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def values(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def deviations(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def amaf_visits(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def amaf_values(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def priors(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def proofs(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def groups(self) -> list[RootGroup]:
        """
        Of the root's moves, if they are grouped; the arrays are sums over them.
        """

    @property
    def main_line(self) -> list[int]: ...

    def line(self, index: int) -> list[int]:
        """The main line that begins with the index-th move."""

    @property
    def proof(self) -> int:
        """Of the root, for the side to move: 0 nothing, 1 lost, 2 drawn, 3 won."""

    @property
    def value(self) -> float:
        """Of the root, for the side to move."""

    @property
    def num_nodes(self) -> int: ...

    @property
    def num_edges(self) -> int: ...

    @property
    def num_bytes(self) -> int: ...

    @property
    def bytes_per_edge(self) -> int: ...

    @property
    def bytes_per_node(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def num_simulations(self) -> int: ...

    @property
    def transposition_hits(self) -> int: ...

    @property
    def cut_updates(self) -> int: ...

    @property
    def num_collisions(self) -> int: ...

    @property
    def cache_hits(self) -> int: ...

    @property
    def evaluations(self) -> int: ...

    @property
    def table_entries(self) -> int: ...

    @property
    def table_bytes(self) -> int: ...

    @property
    def table_min_references(self) -> int: ...

    @property
    def table_turned_away(self) -> int: ...

    @property
    def lost_races(self) -> int: ...

    @property
    def depths(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """
        Simulations by length of their walk; the last number holds all longer ones.
        """

class Search:
    """A search over some game; tesuji.search.Search is its public face."""

    def run(self, simulations: int, seconds: float, nodes: int = 0, progress: Callable[[], bool] | None = None, report_s: float = 0.2) -> None:
        """
        Runs until a limit is reached (0: no such limit); progress() is asked every report_s seconds.
        """

    def evaluate_with(self, function: object) -> None:
        """
        Has leaves judged by function(states, to_play, num_distinct_moves) -> (values or None, priors or None).
        """

    def group_with(self, grouper: object, options: GroupingOptions) -> None:
        """
        Groups moves by a native grouping, or by function(path, moves) -> list of (kind, moves).
        """

    def play_out_by(self, playouts: object | None) -> None:
        """
        Playouts follow what tesuji.search.playouts.native_playouts() has made; None: the game's own.
        """

    @property
    def biases(self) -> list[float]:
        """Of the kinds of groups; empty: all alike."""

    def stop(self) -> None:
        """Ends a run, from any thread."""

    def advance(self, move: int) -> None: ...

    def statistics(self, share: float, max_nodes: int) -> dict[tuple[int, ...], numpy.typing.NDArray[numpy.float64]]:
        """
        Path to a node -> rows of moves (ascending), visits, value, AMAF visits, AMAF value, proof.
        """

    def take_in(self, by_path: dict[tuple[int, ...], numpy.typing.NDArray[numpy.float64]]) -> None:
        """Adds what another search of the same position found."""

    def result(self) -> SearchResult: ...

    def found(self) -> Found:
        """The solutions of a search for one player."""

    def num_walks_to(self, depth: int) -> int:
        """Simulations that walked so deep in the graph."""

    def keep_most_visited(self, depth: int, width: int) -> None:
        """Closes the other nodes at a depth (1: the root's children): a beam."""

    def snapshot(self) -> dict[str, Any]:
        """
        All that must be kept to go on later: graphs, streams, table, found, learnt; what restore() takes.
        """

    def restore(self, graphs: list[dict[str, numpy.typing.NDArray[Any]]], streams: Sequence[int], table: dict[str, numpy.typing.NDArray[Any]] = {}, found: dict[str, numpy.typing.NDArray[Any]] = {}, learnt: dict[str, numpy.typing.NDArray[Any]] = {}) -> None:
        """Goes on from the snapshot() of a search of the same position."""

    def table(self) -> dict[str, numpy.typing.NDArray[Any]]:
        """
        The table of shared values as columns; empty ones in other graph modes.
        """

    def begin_with(self, table: dict[str, numpy.typing.NDArray[Any]]) -> None:
        """Begins with the table() of another search of the same game."""

    def drop_rare_entries(self) -> int:
        """
        Drops entries of the table that few nodes refer to, as advance() does; says how many.
        """

    @property
    def root_key(self) -> int:
        """The root's hash."""

    def graph(self) -> dict[str, numpy.typing.NDArray[Any]]: ...

def make_for_object(game: object, config: SearchConfig, seed: int) -> Search:
    """For any object with the methods of tesuji.games.Game."""

def alpha_beta(position: tesuji._core.games.PGamePosition) -> tuple[float, int, int]:
    """
    The value for the first player, the first move that reaches it (-1 at the end), and the leaves looked at.
    """

def choices_of_flat_monte_carlo(position: tesuji._core.games.PGamePosition, counts: list[int], seeds: list[int]) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint64]]:
    """As `choices`, for flat Monte-Carlo, which has no nodes."""

def choices(position: tesuji._core.games.PGamePosition, config: SearchConfig, counts: list[int], seeds: list[int], grouping: GroupingOptions | None = None) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint64]]:
    """
    The move with the best value and the number of nodes after `counts` simulations; a row for each seed. Moves
    are grouped as they were drawn with the game if `grouping` is given.
    """

def use_stages(search: Search, selection: object | None, back_up: object | None, order: object | None, wants_random: bool) -> None:
    """
    Functions, or addresses of C functions, in place of a search's own stages.
    """

class PlayedMove:
    """A move of a simulation."""

    @property
    def move(self) -> int: ...

    @property
    def player(self) -> int:
        """Who made it: 0, the first player, or 1."""

    @property
    def context(self) -> int:
        """What the policy saw around it; 0: nothing."""

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class RandomStream:
    """Where a playout policy draws from: the stream of its thread."""

    def __init__(self, seed: int) -> None: ...

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1, each as likely."""

    def unit(self) -> float:
        """A number from 0 to below 1."""

    def choice(self, items: Sequence[Any]) -> Any:
        """One of the items, each as likely."""

class EndPlayout:
    """What step() returns to end a playout here with a value."""

    def __init__(self, value: float) -> None: ...

    @property
    def value(self) -> float: ...

    def __repr__(self) -> str: ...

class RecordedPlayout:
    """A playout that was recorded."""

    @property
    def walk(self) -> list[PlayedMove]:
        """The moves from the root to where it began."""

    @property
    def moves(self) -> list[PlayedMove]:
        """Its own moves."""

    @property
    def value(self) -> float: ...

class PlayoutHistory:
    """The last playouts of all threads."""

    def __init__(self, capacity: int) -> None: ...

    @property
    def capacity(self) -> int: ...

    @property
    def num_playouts(self) -> int:
        """How many there were in all."""

    def playouts(self) -> list[RecordedPlayout]: ...

    def clear(self) -> None: ...

class KnownPositions:
    """A bounded table from states to sums of results."""

    def __init__(self, capacity: int) -> None: ...

    @property
    def capacity(self) -> int: ...

    @property
    def num_bytes(self) -> int: ...

    def __len__(self) -> int: ...

    def find(self, key: int, second_key: int = 0) -> tuple[float, int]:
        """Sum of results and weight; (0, 0): unknown."""

    def add(self, key: int, value: float, weight: int = 1, second_key: int = 0) -> None: ...

    def clear(self) -> None: ...

    def begin_generation(self) -> None: ...

    def save(self, identity: int = 0) -> bytes: ...

    def load(self, saved: bytes, identity: int = 0) -> None: ...

class StopOptions:
    """What a table of known positions is used for."""

    def __init__(self) -> None: ...

    @property
    def min_weight(self) -> int: ...

    @min_weight.setter
    def min_weight(self, arg: int, /) -> None: ...

    @property
    def stops(self) -> bool: ...

    @stops.setter
    def stops(self, arg: bool, /) -> None: ...

    @property
    def learns(self) -> bool: ...

    @learns.setter
    def learns(self, arg: bool, /) -> None: ...

    @property
    def learns_walk(self) -> bool: ...

    @learns_walk.setter
    def learns_walk(self, arg: bool, /) -> None: ...

    @property
    def gives_priors(self) -> bool: ...

    @gives_priors.setter
    def gives_priors(self, arg: bool, /) -> None: ...

    @property
    def keeps_means(self) -> bool: ...

    @keeps_means.setter
    def keeps_means(self, arg: bool, /) -> None: ...

    @property
    def punishment(self) -> float: ...

    @punishment.setter
    def punishment(self, arg: float, /) -> None: ...

    @property
    def least_filling(self) -> float: ...

    @least_filling.setter
    def least_filling(self, arg: float, /) -> None: ...

class PythonPlayouts:
    """Functions in Python as a playout policy."""

    def __init__(self, step: object, begin: object | None, observe: object | None, new_root: object | None) -> None: ...

class RecordedPlayouts:
    """Records what another policy plays."""

    def __init__(self, inner: object | None, history: PlayoutHistory) -> None: ...

class StopAtKnown:
    """Stops another policy's playouts at known positions."""

    def __init__(self, inner: object | None, positions: KnownPositions, options: StopOptions) -> None: ...

    def counts(self) -> tuple[int, int, int]:
        """Playouts, those that were stopped, and the moves of all."""

@overload
def play_out(game: tesuji._core.games.TicTacToe, playouts: object | None, number: int, seed: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]: ...

@overload
def play_out(game: tesuji._core.games.Connect4, playouts: object | None, number: int, seed: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]: ...

@overload
def play_out(game: tesuji._core.games.Othello, playouts: object | None, number: int, seed: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]: ...

@overload
def play_out(game: tesuji._core.games.Breakthrough, playouts: object | None, number: int, seed: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]: ...

@overload
def play_out(game: tesuji._core.games.Gomoku, playouts: object | None, number: int, seed: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]: ...

@overload
def play_out(game: tesuji._core.games.Hex, playouts: object | None, number: int, seed: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]: ...

@overload
def play_out(game: tesuji._core.games.Y, playouts: object | None, number: int, seed: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]: ...

@overload
def play_out(game: tesuji._core.games.Havannah, playouts: object | None, number: int, seed: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]: ...

@overload
def play_out(game: tesuji._core.games.SameGame, playouts: object | None, number: int, seed: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]: ...

@overload
def play_out(game: tesuji._core.games.Knapsack, playouts: object | None, number: int, seed: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]: ...

@overload
def play_out(game: tesuji._core.games.TSP, playouts: object | None, number: int, seed: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]: ...

@overload
def play_out(game: tesuji._core.games.PGamePosition, playouts: object | None, number: int, seed: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]:
    """Values of so many playouts, and how many moves each had."""

def play_out_compiled(game: tesuji._core.games.CompiledGame, playouts: object | None, number: int, seed: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]: ...

def play_out_object(game: object, playouts: object | None, number: int, seed: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]: ...
