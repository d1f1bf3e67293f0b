"""The game of Go: board, playouts, counting, life."""

from collections.abc import Sequence
import enum
from typing import Annotated, overload

import numpy
import numpy.typing
from numpy.typing import NDArray

import tesuji._core.search


MAX_SIZE: int = 25

class Position:
    """
    An immutable snapshot of a board: stones, side to move, ko point, passes.
    """

    def __init__(self, width: int, height: int, colors: bytes, to_play: int = 1, ko: int = -1, passes: int = 0) -> None: ...

    @property
    def width(self) -> int: ...

    @property
    def height(self) -> int: ...

    @property
    def passes(self) -> int: ...

    @property
    def native_to_play(self) -> int: ...

    @property
    def native_ko(self) -> int: ...

    @property
    def key(self) -> int: ...

    @property
    def key32(self) -> int: ...

    @property
    def grid(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None), writable=False)]: ...

    def state(self) -> tuple[int, int, bytes, int, int, int]:
        """The constructor's arguments, for pickling."""

    def same_as(self, arg: Position, /) -> bool: ...

class Legality(enum.Enum):
    """Why a move is illegal."""

    LEGAL = 0

    OFF_BOARD = 1

    OCCUPIED = 2

    KO = 3

    SUICIDE = 4

    REPETITION = 5

class Board:
    """A Go board with its history. Subclassed by tesuji.go.Board."""

    @overload
    def __init__(self, width: int, height: int, territory: bool, ko: int, suicide: bool, pass_stones: bool) -> None: ...

    @overload
    def __init__(self, other: Board) -> None: ...

    @property
    def width(self) -> int: ...

    @property
    def height(self) -> int: ...

    @property
    def num_points(self) -> int: ...

    @property
    def pass_move(self) -> int: ...

    @property
    def passes(self) -> int: ...

    @property
    def num_moves(self) -> int: ...

    @property
    def native_to_play(self) -> int: ...

    @native_to_play.setter
    def native_to_play(self, arg: int, /) -> None: ...

    @property
    def native_ko(self) -> int: ...

    def turn(self, index: int) -> tuple[int, int]:
        """Colour and move of one turn, counted from 0."""

    def try_play(self, move: int, color: int = 0) -> bool:
        """
        Plays a legal move, or does nothing and returns False. Colour 0: the side to move.
        """

    def try_play_as_recorded(self, move: int, color: int = 0) -> bool:
        """
        Plays a move even if it retakes a ko, repeats a position or is suicide; False if its point is not empty.
        """

    def try_undo(self) -> bool:
        """Takes the last move back, or returns False."""

    def legality(self, move: int, color: int = 0) -> Legality: ...

    def native_legal_moves(self, color: int = 0) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Points in order, then pass."""

    def try_set_up(self, position: Position) -> bool:
        """
        Replaces stones, side to move and ko point and forgets the moves; False if a chain would have no liberty.
        """

    def color_at(self, point: int) -> int: ...

    def chain(self, point: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        The points of the chain at a point, in order; empty if there is no stone.
        """

    def liberties(self, point: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The exact liberties of the chain at a point, in order."""

    def in_atari(self, point: int) -> bool:
        """Does the chain at a point have exactly one liberty?"""

    def atari_chains(self, color: int) -> list[int]:
        """The smallest point of each chain in atari, in order."""

    def code3x3(self, point: int) -> int:
        """
        Two bits per neighbour from the low end: W, E, N, S, NW, NE, SW, SE; 3 is off the board.
        """

    def captured(self, color: int) -> int:
        """
        Stones of this colour that were captured (and handed over by passing, where the rules have it).
        """

    @property
    def state_key(self) -> int:
        """Of the position, the passes and the moves that superko forbids."""

    @property
    def stones_key(self) -> int: ...

    @property
    def stones_key32(self) -> int: ...

    def snapshot(self) -> Position: ...

    @property
    def grid(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None), writable=False)]: ...

def tally(board: Board, dead: numpy.typing.NDArray[numpy.uint8], seki: numpy.typing.NDArray[numpy.uint8]) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int], tuple[int, int]]:
    """
    (black, white) pairs: stones left, points surrounded, those of them in seki, dead stones.
    """

def count_legal_positions(width: int, height: int) -> int:
    """
    Ways to fill a board of at most 16 points so that every chain has a liberty.
    """

def unconditional_life(board: Board, color: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    Benson: points of the chains that live whatever happens, and of their vital regions.
    """

def ownership(board: Board, policy: PlayoutPolicy, num_playouts: int, seed: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    Per point: playouts after which black owns it minus those after which white does; and playouts that left it open.
    """

def playout_margins(board: Board, num_playouts: int, seed: int, mercy_margin: int = 0) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """Per light playout: black's area minus white's, without komi."""

def play_randomly(board: Board, seed: int) -> None:
    """Plays one light playout on the board itself, to its two passes."""

class RegionPatterns:
    """Patterns of corners and sides, as tesuji.go.knowledge.m_eval has them."""

    def __init__(self, points: Sequence[Sequence[int]], borders: Sequence[Sequence[int]], keys: Sequence[Sequence[int]], kinds: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], pattern_keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], black: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], white: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], moves: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

class MEval:
    """
    A multivariate evaluation of 19x19 openings; tesuji.go.knowledge.m_eval documents it.
    """

    def __init__(self, patterns: RegionPatterns, strengths: Strengths, encoder: Sequence[Sequence[float]], share: float, intensity: float, most_moves: int) -> None: ...

    @property
    def direction(self) -> list[float]: ...

    @direction.setter
    def direction(self, arg: Sequence[float], /) -> None: ...

    @property
    def root_move(self) -> int:
        """Moves of the game up to the root."""

    @root_move.setter
    def root_move(self, arg: int, /) -> None: ...

    def qualities(self, board: Board) -> list[list[float]]:
        """Of Black and of White, in the order of table 3.2."""

    def encoding(self, qualities: Sequence[float]) -> list[float]:
        """Of the qualities of one player."""

    def search(self, board: Board, around: int = -1, depth: int = 4) -> list[tuple[int, float, float, float]]:
        """
        Moves of the side to move that followed known patterns: move, encoding (two numbers), value.
        """

    def with_wins(self, prior: float, above: float) -> float:
        """A prior with the virtual wins of a value so much above the average."""

class Method(enum.Enum):
    ORDERED = 0

    WEIGHTED = 1

    URGENCY = 2

    SKIPPING = 3

class SelfAtari(enum.Enum):
    ALLOWED = 0

    NEVER = 1

    SMALL = 2

    NAKADE = 3

class PlayoutPolicy:
    """Filled in by tesuji.go.knowledge.playouts, which documents the fields."""

    def __init__(self) -> None: ...

    @property
    def method(self) -> Method: ...

    @method.setter
    def method(self, arg: Method, /) -> None: ...

    @property
    def self_atari(self) -> SelfAtari: ...

    @self_atari.setter
    def self_atari(self, arg: SelfAtari, /) -> None: ...

    @property
    def self_atari_probability(self) -> float: ...

    @self_atari_probability.setter
    def self_atari_probability(self, arg: float, /) -> None: ...

    @property
    def reads_ladders(self) -> bool: ...

    @reads_ladders.setter
    def reads_ladders(self, arg: bool, /) -> None: ...

    @property
    def mends_eyes(self) -> bool: ...

    @mends_eyes.setter
    def mends_eyes(self, arg: bool, /) -> None: ...

    @property
    def fill_board_tries(self) -> int: ...

    @fill_board_tries.setter
    def fill_board_tries(self, arg: int, /) -> None: ...

    @property
    def list_limit(self) -> int: ...

    @list_limit.setter
    def list_limit(self, arg: int, /) -> None: ...

    @property
    def length_coefficient(self) -> float: ...

    @length_coefficient.setter
    def length_coefficient(self, arg: float, /) -> None: ...

    @property
    def mercy_margin(self) -> int: ...

    @mercy_margin.setter
    def mercy_margin(self, arg: int, /) -> None: ...

    @property
    def amaf_share(self) -> float: ...

    @amaf_share.setter
    def amaf_share(self, arg: float, /) -> None: ...

    @property
    def margin_weight(self) -> float: ...

    @margin_weight.setter
    def margin_weight(self, arg: float, /) -> None: ...

    @property
    def pattern_urgency(self) -> float: ...

    @pattern_urgency.setter
    def pattern_urgency(self, arg: float, /) -> None: ...

    @property
    def atari_first(self) -> float: ...

    @atari_first.setter
    def atari_first(self, arg: float, /) -> None: ...

    @property
    def atari_certain(self) -> int: ...

    @atari_certain.setter
    def atari_certain(self, arg: int, /) -> None: ...

    @property
    def eye_potential(self) -> bool: ...

    @eye_potential.setter
    def eye_potential(self, arg: bool, /) -> None: ...

    def set_rules(self, rules: Sequence[tuple[int, float]]) -> None:
        """(origin, probability) in their order."""

    def set_patterns(self, bits: numpy.typing.NDArray[numpy.uint8]) -> None:
        """
        One byte per 3x3 code: bit 0 if black should play there, bit 1 if white should.
        """

class Strengths:
    """How strong features of moves are."""

    def __init__(self, levels: Sequence[float], codes: Sequence[float], shapes: Sequence[int], of_shapes: Sequence[float]) -> None: ...

class UrgencyTable:
    """How strong the features of urgency.hpp are."""

    def __init__(self, fingerprints: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], logarithms: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class PriorWeights:
    """Filled in by tesuji.go.knowledge.priors, which documents the fields."""

    def __init__(self) -> None: ...

    @property
    def strengths(self) -> Strengths: ...

    @strengths.setter
    def strengths(self, arg: Strengths, /) -> None: ...

    @property
    def urgency(self) -> UrgencyTable: ...

    @urgency.setter
    def urgency(self, arg: UrgencyTable, /) -> None: ...

    @property
    def m_eval(self) -> MEval: ...

    @m_eval.setter
    def m_eval(self, arg: MEval, /) -> None: ...

    @property
    def judged_again(self) -> int: ...

    @judged_again.setter
    def judged_again(self, arg: int, /) -> None: ...

    @property
    def pass_strength(self) -> float: ...

    @pass_strength.setter
    def pass_strength(self, arg: float, /) -> None: ...

    @property
    def roots(self) -> int: ...

    @roots.setter
    def roots(self, arg: int, /) -> None: ...

    @property
    def floor(self) -> float: ...

    @floor.setter
    def floor(self, arg: float, /) -> None: ...

    @property
    def criticality(self) -> float: ...

    @criticality.setter
    def criticality(self, arg: float, /) -> None: ...

class PlayoutMemory:
    """What the playouts of one search learn from each other."""

    def __init__(self, num_points: int) -> None: ...

    def ownership(self) -> list[float]:
        """Per point, from -1 (white's) to 1 (black's)."""

    def criticality(self) -> list[float]:
        """Per point, how much it decides the game."""

    def forget_owners(self) -> None:
        """Begin to count owners anew."""

class Knowledge:
    """Playouts and priors of one engine."""

    def __init__(self, policy: PlayoutPolicy, priors: PriorWeights) -> None: ...

    @property
    def uses_symmetry(self) -> bool: ...

    @uses_symmetry.setter
    def uses_symmetry(self, arg: bool, /) -> None: ...

def candidates(board: Board, policy: PlayoutPolicy, rule: int, seed: int = 1) -> list[int]:
    """The moves that a rule finds for the side to move."""

def is_acceptable(board: Board, policy: PlayoutPolicy, move: int) -> bool: ...

def run_playouts(board: Board, policy: PlayoutPolicy, num_playouts: int, seed: int) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64]]:
    """
    Per playout black's area minus white's, without komi; and moves by origin.
    """

def block_levels() -> list[int]:
    """How many levels each block of features has."""

def move_features(board: Board, moves: Sequence[int]) -> numpy.typing.NDArray[numpy.int32]:
    """Flat rows of the shape and the levels of each move, filled up with -1."""

def priors(board: Board, weights: PriorWeights, moves: Sequence[int]) -> list[float]: ...

class Row(enum.Enum):
    """The rows of table 2.1; tesuji.go.knowledge.groups explains them."""

    BORDER = 0

    MANHATTAN_ENEMY = 1

    MANHATTAN_FRIENDLY = 2

    MANHATTAN_TOTAL = 3

    FRIENDLY_SAVES = 4

    ENEMY_KILLS = 5

    ENEMY_NEIGHBOURS = 6

    FRIENDLY_NEIGHBOURS = 7

    ENEMY_THREATS = 8

    FRIENDLY_THREATS = 9

    MANY_LIBERTIES = 10

    CHAINS = 11

    FRIENDLY_CHAIN_MAKERS = 12

    ENEMY_CHAIN_MAKERS = 13

class GroupRow:
    """
    A row with its parameters; made by tesuji.go.knowledge.groups, which documents them.
    """

    def __init__(self, row: Row, kind: int, distance: int = 0, stones: int = 1, liberties: int = 1) -> None: ...

class GoGroups:
    """Rows, for a search over Go."""

    def __init__(self, rows: Sequence[GroupRow]) -> None: ...

def find_groups(board: Board, rows: Sequence[GroupRow]) -> list[tuple[int, list[int]]]:
    """
    The groups for the side to move, in the order of the rows: their kinds and their moves.
    """

def make_search(board: Board, komi: float, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
    """A search with light playouts and without priors."""

def image_key(board: Board) -> tuple[int, int]:
    """The two keys that the rotations of a position share."""

def make_search_with_knowledge(board: Board, komi: float, knowledge: Knowledge, memory: PlayoutMemory, learnt: LearningTables | None, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
    """
    A search with an engine's playouts and priors; playouts learn where there are tables for it.
    """

def read_life(board: Board, anchor: int, region: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], safe: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], first: int, ko_favours: int, needs_eyes: bool, max_nodes: int) -> tuple[bool | None, list[int], int]:
    """
    Whether a chain can be captured (None: not known within the limit), how it goes, and the positions read.
    """

class Representation(enum.Enum):
    """How a feature of the opening is shown to a network."""

    ABSENT = 0

    SCALAR = 1

    BINARY = 2

class OpeningFeatures:
    """Which features of the opening a network sees, and how."""

    def __init__(self, edges: Representation, liberties: Representation, stones: Representation, nearby: Representation) -> None: ...

    def num_inputs(self, num_points: int) -> int: ...

def opening_after_states(position: Position, moves: Sequence[int] | None, points_off_board: float, features: OpeningFeatures) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None, None))]]:
    """
    Moves, and a row of float32 inputs for the position after each, seen by the mover. With None: all moves that are neither ko nor suicide. The points are the mover's before the move.
    """

def opening_inputs(position: Position, friendly: int, points_off_board: float, features: OpeningFeatures) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
    """
    The inputs of a position as it stands, seen by a colour with so many points off the board.
    """

def position_keys(width: int, height: int, black: Sequence[int], white: Sequence[int], moves: numpy.typing.NDArray[numpy.uint16]) -> tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.uint8], int]:
    """
    Keys and forms of all positions of a game, which forms the last position has, the first impossible move.
    """

def places_of_key(keys: numpy.typing.NDArray[numpy.uint32], key: int) -> numpy.typing.NDArray[numpy.int64]:
    """The indices at which a key stands."""

def pattern_places(width: int, height: int, moves: numpy.typing.NDArray[numpy.uint16], starts: numpy.typing.NDArray[numpy.int64], signs: numpy.typing.NDArray[numpy.uint8], exchanges_colors: bool) -> numpy.typing.NDArray[numpy.int32]:
    """
    Flat rows of game, number of moves, form, row and column of each first place.
    """

class UrgencyTrainer:
    """Fits the strengths of urgency.hpp's features to recorded games."""

    def __init__(self, least: int, room: int, seed: int) -> None: ...

    def count(self, width: int, height: int, moves: numpy.typing.NDArray[numpy.uint16], starts: numpy.typing.NDArray[numpy.int64]) -> None:
        """Count features."""

    def keep_frequent(self) -> None:
        """End counting; what was rare is forgotten."""

    def learn(self, width: int, height: int, moves: numpy.typing.NDArray[numpy.uint16], starts: numpy.typing.NDArray[numpy.int64], share: float, rate: float) -> None:
        """Learn from a random share of the positions."""

    def judge(self, width: int, height: int, moves: numpy.typing.NDArray[numpy.uint16], starts: numpy.typing.NDArray[numpy.int64], share: float) -> numpy.typing.NDArray[numpy.float32]:
        """
        Flat rows of number of moves, rank, legal moves and log-chance of a share of the moves played.
        """

    def learnt(self) -> tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.uint32]]:
        """Keys, logarithms of strengths, counts."""

    @property
    def size(self) -> int:
        """How many features there are."""

def context_sizes() -> list[int]:
    """The numbers of neighbours that a context may have."""

def context_neighbours() -> list[int]:
    """Rows and columns of the neighbours of a point, from near to far."""

def board_contexts(board: Board, color: int, size: int, is_symmetric: bool) -> numpy.typing.NDArray[numpy.uint64]:
    """By point; 0 where a stone stands."""

def game_contexts(board: Board, turns: numpy.typing.NDArray[numpy.int32], sizes: Sequence[int]) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint64]]:
    """
    Starts, points, played rows and contexts (flat) of the legal moves of every position of a game.
    """

class LearningOptions:
    """Filled in by tesuji.go.knowledge.learning, which documents the fields."""

    def __init__(self) -> None: ...

    @property
    def context_size(self) -> int: ...

    @context_size.setter
    def context_size(self, arg: int, /) -> None: ...

    @property
    def num_neighbours(self) -> int: ...

    @num_neighbours.setter
    def num_neighbours(self, arg: int, /) -> None: ...

    @property
    def num_best(self) -> int: ...

    @num_best.setter
    def num_best(self, arg: int, /) -> None: ...

    @property
    def num_updates(self) -> int: ...

    @num_updates.setter
    def num_updates(self, arg: int, /) -> None: ...

    @property
    def illegal_limit(self) -> int: ...

    @illegal_limit.setter
    def illegal_limit(self, arg: int, /) -> None: ...

    @property
    def node_threshold(self) -> float: ...

    @node_threshold.setter
    def node_threshold(self, arg: float, /) -> None: ...

    @property
    def edge_threshold(self) -> float: ...

    @edge_threshold.setter
    def edge_threshold(self, arg: float, /) -> None: ...

    @property
    def z(self) -> float: ...

    @z.setter
    def z(self, arg: float, /) -> None: ...

    @property
    def is_relative(self) -> bool: ...

    @is_relative.setter
    def is_relative(self, arg: bool, /) -> None: ...

    @property
    def balances(self) -> bool: ...

    @balances.setter
    def balances(self, arg: bool, /) -> None: ...

    @property
    def is_kept(self) -> bool: ...

    @is_kept.setter
    def is_kept(self, arg: bool, /) -> None: ...

    @property
    def fate_limit(self) -> int: ...

    @fate_limit.setter
    def fate_limit(self, arg: int, /) -> None: ...

    @property
    def has_tree_layer(self) -> bool: ...

    @has_tree_layer.setter
    def has_tree_layer(self, arg: bool, /) -> None: ...

    @property
    def memory(self) -> int: ...

    @memory.setter
    def memory(self, arg: int, /) -> None: ...

class LearningTables:
    """What playouts that learn remember, for all threads of a search."""

    def __init__(self, width: int, height: int, options: LearningOptions) -> None: ...

    @property
    def node_bits(self) -> int: ...

    @property
    def edge_bits(self) -> int: ...

    @property
    def num_bytes(self) -> int: ...

    @property
    def num_playouts(self) -> int: ...

    def origins(self) -> list[int]:
        """Moves of all playouts by origin."""

    def forget_counts(self) -> None: ...

    def offsets(self) -> tuple[int, int]:
        """
        By how many states black's thresholds lie above the middle, of nodes and of edges.
        """

    def teach_from_tree(self, color: int, to: int, to_context: int, moves: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], contexts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], rates: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], trials: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        The second layer hears what a node of the tree knows; `to` is -1 where no move led to it.
        """

    def clear(self) -> None: ...

    def save(self) -> bytes: ...

    def load(self, saved: bytes) -> None: ...

    @staticmethod
    def least_memory(num_points: int, num_best: int) -> int:
        """The smallest budget in bytes that holds one bit of context."""

def run_learning_playouts(board: Board, policy: PlayoutPolicy, tables: LearningTables, num_playouts: int, seed: int) -> numpy.typing.NDArray[numpy.int32]:
    """
    Per playout whether black won, without komi; the tables learn and count.
    """

NUM_PLANES: int = 17

def board_planes(board: Board) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None))]:
    """
    A position as an evaluator sees it: uint8 of shape (planes, height, width).
    """

def game_planes(width: int, height: int, moves: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None))]:
    """
    The positions before each move of a game, black first, as packed planes: uint8 of shape (n, bytes); fewer than moves where one is played on a stone.
    """
