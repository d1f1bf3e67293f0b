"""A plain reference board: the rules of Go as one would tell them, to check the core against.

It shares no code with the core and keeps no clever state: the board is a list of lists, chains are flood fills, superko
looks through every earlier position, keys and codes are computed from scratch whenever asked for. It is slow on purpose
and does not search, play out or judge life.

Points are ``row * width + column`` from the top left, pass is ``width * height``; 0 is empty, 1 black, 2 white.
"""

from __future__ import annotations

from collections.abc import Iterable

EMPTY, BLACK, WHITE = 0, 1, 2
Grid = list[list[int]]

# West, east, north, south and then the diagonals: the order of the 3x3 code.
DIRECTIONS = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)]


def mix64(z: int) -> int:
    """The splitmix64 finaliser, modulo 2**64."""
    mask = 2**64 - 1
    z = (z + 0x9E3779B97F4A7C15) & mask
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
    return z ^ z >> 31


class RefBoard:
    """A board with its whole history; ``rules`` is anything with the fields of ``tesuji.go.Rules``."""

    def __init__(self, width: int, height: int, rules: object, komi: float = 0.0) -> None:
        self.width, self.height, self.rules, self.komi = width, height, rules, komi
        self.pass_move = width * height
        self.neighbours = {(r, c): self.inside(r, c, DIRECTIONS[:4]) for r in range(height) for c in range(width)}
        self.grid: Grid = [[EMPTY] * width for _ in range(height)]
        self.to_play, self.ko, self.passes, self.handicap = BLACK, None, 0, 0
        self.captured = {BLACK: 0, WHITE: 0}  # stones of that colour taken off, or handed over by a pass (AGA)
        self.moves: list[tuple[int, int]] = []
        self.positions = {self.frozen(self.grid)}  # for positional superko
        self.situations = {(self.frozen(self.grid), self.to_play)}  # with who is to play: for situational superko

    @property
    def color_to_play(self) -> int:
        """As `tesuji.go.Board` calls it."""
        return self.to_play

    @staticmethod
    def frozen(grid: Grid) -> tuple[tuple[int, ...], ...]:
        return tuple(map(tuple, grid))

    def place(self, color: int, points: Iterable[int]) -> None:
        """Set up stones; the history starts here."""
        for point in points:
            row, column = divmod(point, self.width)
            self.grid[row][column] = color
        self.ko, self.passes, self.moves = None, 0, []
        self.positions = {self.frozen(self.grid)}
        self.situations = {(self.frozen(self.grid), self.to_play)}

    # Chains ----

    def color_at(self, point: int) -> int:
        return self.grid[point // self.width][point % self.width]

    def inside(self, row: int, column: int, steps: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The places on the board that some steps from (row, column) reach."""
        places = [(row + down, column + right) for down, right in steps]
        return [(r, c) for r, c in places if 0 <= r < self.height and 0 <= c < self.width]

    def flood(self, grid: Grid, row: int, column: int) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
        """All places connected to (row, column) through its own colour, and the places of other colours around them."""
        color = grid[row][column]
        inside, border, todo = {(row, column)}, set(), [(row, column)]
        while todo:
            for place in self.neighbours[todo.pop()]:
                if grid[place[0]][place[1]] != color:
                    border.add(place)
                elif place not in inside:
                    inside.add(place)
                    todo.append(place)
        return inside, border

    def chain_and_liberties(self, grid: Grid, row: int, column: int) -> tuple[set, set]:
        stones, border = self.flood(grid, row, column)
        return stones, {(r, c) for r, c in border if grid[r][c] == EMPTY}

    def chain(self, point: int) -> list[int]:
        return sorted(r * self.width + c for r, c in self.flood(self.grid, *divmod(point, self.width))[0])

    def liberties(self, point: int) -> list[int]:
        around = self.chain_and_liberties(self.grid, *divmod(point, self.width))[1]
        return sorted(r * self.width + c for r, c in around)

    def chains(self, color: int) -> list[tuple[list[int], list[int]]]:
        """Every chain of a colour as its sorted points and its sorted liberties; ordered by the first point."""
        found, seen = [], set()
        for point in range(self.pass_move):
            if self.color_at(point) == color and point not in seen:
                found.append((self.chain(point), self.liberties(point)))
                seen.update(found[-1][0])
        return found

    def atari_chains(self, color: int) -> list[int]:
        return [stones[0] for stones, liberties in self.chains(color) if len(liberties) == 1]

    # Moves ----

    def result(self, point: int, color: int) -> tuple[Grid, int, int]:
        """The grid after a stone on an empty point, and how many stones of the opponent and of ours leave the board."""
        row, column = divmod(point, self.width)
        grid = [line[:] for line in self.grid]
        grid[row][column] = color
        taken = {BLACK: 0, WHITE: 0}
        for r, c in [*self.neighbours[row, column], (row, column)]:  # the opponent's chains first, then our own
            if grid[r][c] == EMPTY or (grid[r][c] == color and (r, c) != (row, column)):
                continue
            stones, liberties = self.chain_and_liberties(grid, r, c)
            if not liberties:
                taken[grid[r][c]] += len(stones)
                for gone_row, gone_column in stones:
                    grid[gone_row][gone_column] = EMPTY
        return grid, taken[3 - color], taken[color]

    def why_illegal(self, move: int, color: int) -> str | None:
        """``None`` for a legal move, otherwise one word: outside, occupied, suicide, ko or superko."""
        if move == self.pass_move:
            return None
        if not 0 <= move < self.pass_move:
            return "outside"
        if self.color_at(move) != EMPTY:
            return "occupied"
        grid, _, lost = self.result(move, color)
        if lost and not self.rules.suicide:
            return "suicide"
        if move == self.ko and color == self.to_play:
            return "ko"  # under every rule set; superko adds the longer cycles
        if self.rules.ko == "positional" and self.frozen(grid) in self.positions:
            return "superko"
        if self.rules.ko == "situational" and (self.frozen(grid), 3 - color) in self.situations:
            return "superko"
        return None

    def play(self, move: int, color: int) -> None:
        reason = self.why_illegal(move, color)
        if reason:
            raise ValueError(f"{move} is illegal: {reason}")
        self.ko = None
        self.moves.append((color, move))
        self.to_play = 3 - color
        if move == self.pass_move:
            self.passes += 1
            self.captured[color] += self.rules.pass_stones
        else:
            before, (self.grid, taken, lost) = self.grid, self.result(move, color)
            self.passes = 0
            self.captured[3 - color] += taken
            self.captured[color] += lost
            if taken == 1 and lost == 0 and len(self.chain(move)) == 1 and len(self.liberties(move)) == 1:
                # One stone took one stone and stands in atari: taking it back at once would restore the board before.
                self.ko = self.liberties(move)[0]
                assert before[self.ko // self.width][self.ko % self.width] == 3 - color
        self.positions.add(self.frozen(self.grid))
        self.situations.add((self.frozen(self.grid), self.to_play))

    # What is computed from the position ----

    def key(self, bits: int, *, stones_only: bool = False) -> int:
        """The Zobrist key of 64 or 32 bits: stones, then ko point and side to move unless ``stones_only``."""
        stones = [(p, self.color_at(p)) for p in range(self.pass_move) if self.color_at(p)]
        indices = [(p // self.width * 32 + p % self.width) * 2 + color - 1 for p, color in stones]
        if not stones_only and self.ko is not None:
            indices.append(4096 + self.ko // self.width * 32 + self.ko % self.width)
        if not stones_only and self.to_play == WHITE:
            indices.append(8192)
        key = 0
        for index in indices:
            key ^= mix64(2 * index) if bits == 64 else mix64(2 * index + 1) >> 32
        return key

    def code3x3(self, point: int) -> int:
        row, column = divmod(point, self.width)
        code = 0
        for i, (down, right) in enumerate(DIRECTIONS):
            r, c = row + down, column + right
            code |= (self.grid[r][c] if 0 <= r < self.height and 0 <= c < self.width else 3) << 2 * i
        return code

    def score(self, dead: Iterable[int] = ()) -> tuple[float, float]:
        """Black's and white's points (komi included), the dead stones taken off first."""
        grid = [line[:] for line in self.grid]
        points = {BLACK: 0.0, WHITE: self.komi}
        prisoners = dict(self.captured)
        for point in dead:
            prisoners[self.color_at(point)] += 1
            grid[point // self.width][point % self.width] = EMPTY
        seen: set[tuple[int, int]] = set()
        for row in range(self.height):
            for column in range(self.width):
                if grid[row][column] != EMPTY:
                    points[grid[row][column]] += self.rules.scoring == "area"  # by territory a stone is worth nothing
                elif (row, column) not in seen:
                    region, border = self.flood(grid, row, column)
                    seen |= region
                    owners = {grid[r][c] for r, c in border}
                    if len(owners) == 1:  # neither dame nor an empty board
                        points[owners.pop()] += len(region)
        if self.rules.pass_stones and self.passes and self.moves[-1][0] == BLACK:
            prisoners[WHITE] += 1  # white passes last
        if self.rules.scoring == "territory":
            points[BLACK] += prisoners[WHITE]
            points[WHITE] += prisoners[BLACK]
        elif self.rules.handicap_bonus == "n":
            points[WHITE] += self.handicap
        return points[BLACK], points[WHITE]
