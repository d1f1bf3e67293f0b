"""Go's groups of moves, spelled out on the reference board: every move is played and the board is looked at."""

from __future__ import annotations

from collections.abc import Iterable

from reference.ref_board import EMPTY, RefBoard


def places(board: RefBoard, point: int) -> tuple[int, int]:
    return divmod(point, board.width)


def distance(board: RefBoard, a: int, b: int) -> int:
    (row, column), (other_row, other_column) = places(board, a), places(board, b)
    return abs(row - other_row) + abs(column - other_column)


def is_near_turn(board: RefBoard, point: int, back: int, limit: int) -> bool:
    if len(board.moves) < back or board.moves[-back][1] == board.pass_move:
        return False
    return distance(board, point, board.moves[-back][1]) <= limit


def touching(board: RefBoard, point: int, color: int) -> list[int]:
    """The stones of a colour beside a point."""
    beside = [r * board.width + c for r, c in board.neighbours[places(board, point)]]
    return [stone for stone in beside if board.color_at(stone) == color]


def chains_at(board: RefBoard, point: int, color: int) -> set[tuple[int, ...]]:
    """The chains of a colour beside a point."""
    return {tuple(board.chain(stone)) for stone in touching(board, point, color)}


def after(board: RefBoard, point: int, color: int) -> RefBoard:
    """A board with the stone played, without its history."""
    played = RefBoard(board.width, board.height, board.rules)
    played.grid = board.result(point, color)[0]
    return played


def is_under_threat(board: RefBoard, chain: Iterable[int], limit: int) -> bool:
    stones = list(chain)
    enemy = 3 - board.color_at(stones[0])
    return len(board.liberties(stones[0])) <= limit and any(touching(board, stone, enemy) for stone in stones)


def saves(board: RefBoard, point: int, min_stones: int) -> bool:
    me = board.to_play
    played = after(board, point, me)
    in_atari = [stones for stones, liberties in board.chains(me) if len(liberties) == 1 and len(stones) >= min_stones]
    return any(len(played.liberties(stones[0])) >= 2 for stones in in_atari)


def makes_chain(board: RefBoard, point: int, color: int, min_stones: int) -> bool:
    if board.result(point, color)[2]:
        return False  # suicide
    joined = chains_at(board, point, color)
    return len(joined) >= 2 or 1 + sum(map(len, joined)) >= min_stones


def is_member(board: RefBoard, kind: str, point: int, parameter: int) -> bool:
    """Whether a legal point is in the group of a kind with one parameter."""
    me, enemy = board.to_play, 3 - board.to_play
    row, column = places(board, point)
    match kind:
        case "border":
            return min(row, column, board.height - 1 - row, board.width - 1 - column) <= parameter
        case "manhattan-enemy":
            return is_near_turn(board, point, 1, parameter)
        case "manhattan-friendly":
            return is_near_turn(board, point, 2, parameter)
        case "manhattan-total":
            return any(is_near_turn(board, point, back, parameter) for back in (1, 2))
        case "friendly-saves":
            return saves(board, point, parameter)
        case "enemy-kills":
            return board.result(point, me)[1] >= parameter
        case "enemy-neighbours" | "friendly-neighbours":
            return len(touching(board, point, enemy if kind.startswith("enemy") else me)) >= parameter
        case "enemy-threats" | "friendly-threats":
            chains = chains_at(board, point, enemy if kind.startswith("enemy") else me)
            return any(is_under_threat(board, chain, parameter) for chain in chains)
        case "many-liberties":
            return len(after(board, point, me).liberties(point)) >= parameter
        case "friendly-chain-makers" | "enemy-chain-makers":
            return makes_chain(board, point, enemy if kind.startswith("enemy") else me, parameter)
    raise ValueError(kind)


def chain_groups(board: RefBoard, points: Iterable[int], min_stones: int, max_liberties: int) -> list[list[int]]:
    """The groups of the chains, among some points, by the first stone of the chain."""
    chains = sorted(board.chains(1) + board.chains(2))
    legal = set(points)
    groups = [
        [point for point in liberties if point in legal]
        for stones, liberties in chains
        if len(stones) >= min_stones and len(liberties) <= max_liberties
    ]
    return [group for group in groups if group]


def is_own_eye(board: RefBoard, point: int) -> bool:
    """Own stones all around, and too few enemies at the corners to break it."""
    row, column = places(board, point)
    if any(board.grid[r][c] != board.to_play for r, c in board.neighbours[row, column]):
        return False
    corners = board.inside(row, column, [(-1, -1), (-1, 1), (1, -1), (1, 1)])
    enemies = sum(board.grid[r][c] not in (EMPTY, board.to_play) for r, c in corners)
    return enemies + (len(corners) < 4) < 2


def searched_points(board: RefBoard) -> list[int]:
    """The points that a search tries: legal, no suicide, no own eye."""
    me = board.to_play
    return [
        point
        for point in range(board.pass_move)
        if board.why_illegal(point, me) is None and not board.result(point, me)[2] and not is_own_eye(board, point)
    ]
