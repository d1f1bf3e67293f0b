"""The native games once more, slowly: a second opinion on every rule.

Nothing is kept up from move to move: who may go where and who has won is read from the whole board each time. Cells are
(row, column); moves are numbered as `tesuji.games` numbers them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Cell = tuple[int, int]

EMPTY = -1
DRAW = 2
_EIGHT_WAYS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
_HEXAGONAL = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)]
_TRIANGULAR = [(-1, -1), (-1, 0), (0, -1), (0, 1), (1, 0), (1, 1)]


class RefGame:
    """A board of cells with owners; the side to move; who has won: 0, 1, DRAW, or None while the game goes on."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self.owner: dict[Cell, int] = dict.fromkeys(sorted(cells), EMPTY)
        self.to_play = 0

    def cells_of(self, player: int) -> set[Cell]:
        return {cell for cell, owner in self.owner.items() if owner == player}

    def near(self, cell: Cell, steps: list[Cell]) -> Iterator[Cell]:
        for down, right in steps:
            if (other := (cell[0] + down, cell[1] + right)) in self.owner:
                yield other

    def chains(self, player: int, steps: list[Cell]) -> list[set[Cell]]:
        return components(self.cells_of(player), steps)

    @property
    def winner(self) -> int | None:
        raise NotImplementedError

    def legal_moves(self) -> list[int]:
        raise NotImplementedError

    def play(self, move: int) -> None:
        raise NotImplementedError


class PlacingGame(RefGame):
    """A game in which a move is a stone on an empty cell, numbered in the order of the cells."""

    def legal_moves(self) -> list[int]:
        if self.winner is not None:
            return []
        return [number for number, owner in enumerate(self.owner.values()) if owner == EMPTY]

    def play(self, move: int) -> None:
        self.owner[list(self.owner)[move]] = self.to_play
        self.to_play = 1 - self.to_play

    @property
    def winner(self) -> int | None:
        for player in (0, 1):
            if self.has_won(player):
                return player
        return DRAW if EMPTY not in self.owner.values() else None

    def has_won(self, player: int) -> bool:
        raise NotImplementedError


class RefGomoku(PlacingGame):
    def __init__(self, size: int) -> None:
        super().__init__((row, column) for row in range(size) for column in range(size))

    def has_won(self, player: int) -> bool:
        own = self.cells_of(player)
        return any(
            all((row + i * down, column + i * right) in own for i in range(5))
            for row, column in own
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        )


class RefY(PlacingGame):
    def __init__(self, size: int) -> None:
        super().__init__((row, column) for row in range(size) for column in range(row + 1))
        self.size = size

    def has_won(self, player: int) -> bool:
        return any(
            any(column == 0 for _, column in chain)
            and any(column == row for row, column in chain)
            and any(row == self.size - 1 for row, _ in chain)
            for chain in self.chains(player, _TRIANGULAR)
        )


class RefHavannah(PlacingGame):
    def __init__(self, size: int) -> None:
        span = range(2 * size - 1)
        super().__init__((r, c) for r in span for c in span if size - 1 <= r + c <= 3 * size - 3)
        last = 2 * size - 2
        lines = (
            [cell for cell in self.owner if cell[0] == 0],
            [cell for cell in self.owner if cell[0] == last],
            [cell for cell in self.owner if cell[1] == 0],
            [cell for cell in self.owner if cell[1] == last],
            [cell for cell in self.owner if sum(cell) == size - 1],
            [cell for cell in self.owner if sum(cell) == 3 * size - 3],
        )
        self.corners = {cell for cell in self.owner if sum(cell in line for line in lines) == 2}
        self.sides = [set(line) - self.corners for line in lines]
        self.border = set().union(*map(set, lines))

    def has_won(self, player: int) -> bool:
        return any(self.structures(chain) for chain in self.chains(player, _HEXAGONAL))

    def structures(self, chain: set[Cell]) -> set[str]:
        """What a chain is: bridge, fork, ring."""
        found = set()
        if len(chain & self.corners) >= 2:
            found.add("bridge")
        if sum(bool(chain & side) for side in self.sides) >= 3:
            found.add("fork")
        if self.surrounds_something(chain):
            found.add("ring")
        return found

    def surrounds_something(self, chain: set[Cell]) -> bool:
        """Whether some cell outside the chain cannot get off the board, or some cell inside has it all around."""
        if len(chain) < 6:
            return False
        outside = components(set(self.owner) - chain, _HEXAGONAL)
        if any(not (part & self.border) for part in outside):
            return True
        return any(sum(near in chain for near in self.near(cell, _HEXAGONAL)) == 6 for cell in chain)


class RefOthello(RefGame):
    PASS = 64

    def __init__(self) -> None:
        super().__init__((row, column) for row in range(8) for column in range(8))
        self.owner.update({(3, 4): 0, (4, 3): 0, (3, 3): 1, (4, 4): 1})

    def turned(self, cell: Cell, player: int) -> set[Cell]:
        found: set[Cell] = set()
        for down, right in _EIGHT_WAYS:
            run = []
            at = (cell[0] + down, cell[1] + right)
            while self.owner.get(at) == 1 - player:
                run.append(at)
                at = (at[0] + down, at[1] + right)
            if self.owner.get(at) == player:
                found.update(run)
        return found

    def targets(self, player: int) -> list[int]:
        empty = [cell for cell, owner in self.owner.items() if owner == EMPTY]
        return [8 * row + column for row, column in empty if self.turned((row, column), player)]

    @property
    def winner(self) -> int | None:
        if self.targets(0) or self.targets(1):
            return None
        margin = len(self.cells_of(0)) - len(self.cells_of(1))
        return DRAW if margin == 0 else 0 if margin > 0 else 1

    def legal_moves(self) -> list[int]:
        if self.winner is not None:
            return []
        return self.targets(self.to_play) or [self.PASS]

    def play(self, move: int) -> None:
        if move != self.PASS:
            cell = divmod(move, 8)
            for each in self.turned(cell, self.to_play) | {cell}:
                self.owner[each] = self.to_play
        self.to_play = 1 - self.to_play


class RefBreakthrough(RefGame):
    def __init__(self) -> None:
        super().__init__((row, column) for row in range(8) for column in range(8))
        self.owner.update({(row, column): 0 if row < 2 else 1 for row in (0, 1, 6, 7) for column in range(8)})

    @property
    def winner(self) -> int | None:
        for player, goal in ((0, 7), (1, 0)):
            own = self.cells_of(player)
            if any(row == goal for row, _ in own) or not self.cells_of(1 - player):
                return player
        return None

    def target(self, move: int) -> Cell:
        (row, column), direction = divmod(move // 6, 8), move % 6
        return (row + 1 if direction < 3 else row - 1), column + direction % 3 - 1

    def legal_moves(self) -> list[int]:
        if self.winner is not None:
            return []
        directions = range(3) if self.to_play == 0 else range(3, 6)
        return sorted(
            move
            for row, column in self.cells_of(self.to_play)
            for direction in directions
            if self.is_open(move := 6 * (8 * row + column) + direction)
        )

    def is_open(self, move: int) -> bool:
        owner = self.owner.get(self.target(move), self.to_play)  # off the board is as good as taken
        return owner == EMPTY or (owner == 1 - self.to_play and move % 3 != 1)

    def play(self, move: int) -> None:
        self.owner[self.target(move)] = self.to_play
        self.owner[divmod(move // 6, 8)] = EMPTY
        self.to_play = 1 - self.to_play


def components(cells: set[Cell], steps: list[Cell]) -> list[set[Cell]]:
    """The parts of a set whose cells hang together."""
    left, found = set(cells), []
    while left:
        part, todo = set(), [left.pop()]
        while todo:
            cell = todo.pop()
            part.add(cell)
            near = {(cell[0] + down, cell[1] + right) for down, right in steps} & left
            left -= near
            todo.extend(near)
        found.append(part)
    return found


def count_games(game: RefGame, depth: int) -> int:
    """How many games of at most `depth` moves there are."""
    import copy

    moves = game.legal_moves()
    if depth == 0 or not moves:
        return 1
    total = 0
    for move in moves:
        after = copy.copy(game)
        after.owner = dict(game.owner)
        after.play(move)
        total += count_games(after, depth - 1)
    return total
