"""The core and the plain reference board play the same random games and must agree on everything they can be asked.

Random games are steered towards trouble (captures, kos, suicides, repetitions), and every test ends by asserting that
the trouble really came up. The reference decides which moves are legal; the core never chooses what it is tested on.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from reference.ref_board import BLACK, EMPTY, WHITE, RefBoard
from tesuji.go import CHINESE, RULE_SETS, TROMP_TAYLOR, Board, IllegalMove, Rules

SQUARES = [(size, size) for size in range(1, 26)]
RECTANGLES = [(1, 2), (2, 1), (1, 7), (3, 2), (2, 5), (4, 3), (3, 7), (8, 5), (6, 9), (1, 25), (25, 1)]
LARGE_RECTANGLES = [(9, 19), (19, 13), (25, 2), (3, 25), (24, 25)]

# Beyond the named rule sets: every ko rule with and without suicide, under both ways of counting.
MIXED_RULES = [
    Rules(name="mixed", scoring=scoring, ko=ko, suicide=suicide, pass_stones=False, handicap_bonus="none", komi=0.5)
    for scoring in ("area", "territory")
    for ko in ("simple", "positional", "situational")
    for suicide in (False, True)
]
ALL_RULES = [*RULE_SETS.values(), *MIXED_RULES]


class Pair:
    """A core board and a reference board that play the same moves; counts what happened in ``seen``."""

    def __init__(self, width: int, height: int, rules: Rules, seen: Counter[str]) -> None:
        self.core = Board(width, height, rules=rules, komi=rules.komi)
        self.reference = RefBoard(width, height, rules, rules.komi)
        self.seen = seen

    def play(self, move: int, color: int) -> None:
        before = dict(self.reference.captured)
        self.reference.play(move, color)
        self.core.play(move, color)
        taken = self.reference.captured[3 - color] - before[3 - color]
        lost = self.reference.captured[color] - before[color]
        self.seen["moves"] += 1
        self.seen["captures of one"] += taken == 1
        self.seen["captures of many"] += taken > 1
        self.seen["suicides of one"] += lost == 1
        self.seen["suicides of many"] += lost > 1
        self.seen["kos"] += self.reference.ko is not None

    def replay(self, moves: list[tuple[int, int]]) -> None:
        for color, move in moves:
            self.reference.play(move, color)
            self.core.play(move, color)

    def compare(self) -> None:
        self.compare_state()
        self.compare_legality(self.reference.to_play)
        if self.seen["moves"] % 4 == 0:
            self.compare_legality(3 - self.reference.to_play)
        self.compare_chains()
        self.compare_scores()

    def compare_state(self) -> None:
        core, reference = self.core, self.reference
        assert core.grid.tolist() == reference.grid
        assert core.color_to_play == reference.to_play
        assert core.ko == reference.ko
        assert core.passes == reference.passes
        assert core.moves == reference.moves
        assert [core.captured(color) for color in (BLACK, WHITE)] == [*reference.captured.values()]
        assert core.position.key == reference.key(64)
        assert core.position.key32 == reference.key(32)
        assert core.stones_key == reference.key(64, stones_only=True)
        assert core.stones_key32 == reference.key(32, stones_only=True)
        for point in range(reference.pass_move):
            assert core.code3x3(point) == reference.code3x3(point), point

    def compare_legality(self, color: int) -> None:
        reasons = [self.reference.why_illegal(move, color) for move in range(self.reference.pass_move + 1)]
        self.seen.update(f"illegal: {reason}" for reason in reasons if reason)
        legal = [move for move, reason in enumerate(reasons) if reason is None]
        assert [move for move in range(len(reasons)) if self.core.is_legal(move, color)] == legal
        assert self.core.legal_moves(color).tolist() == legal

    def compare_chains(self) -> None:
        for color in (BLACK, WHITE):
            chains = self.reference.chains(color)
            for stones, liberties in chains:
                for stone in stones:
                    assert self.core.in_atari(stone) == (len(liberties) == 1), stone
                # A chain is one object to the core, so its ends stand for the rest; large boards need the saving.
                for stone in {stones[0], stones[-1]}:
                    assert self.core.chain(stone).tolist() == stones
                    assert self.core.liberties(stone).tolist() == liberties
            in_atari = [stones[0] for stones, liberties in chains if len(liberties) == 1]
            assert self.core.atari_chains(color) == in_atari
            self.seen["chains in atari"] += len(in_atari)

    def compare_scores(self) -> None:
        core, reference = self.core, self.reference
        assert (core.score().black, core.score().white) == reference.score()
        chains = reference.chains(BLACK) + reference.chains(WHITE)
        dead = [point for stones, liberties in chains if len(liberties) <= 2 for point in stones]
        score = core.score(dead)
        assert (score.black, score.white) == reference.score(dead)
        self.seen["scores with dead stones"] += bool(dead)


def choose(board: RefBoard, rng: random.Random) -> tuple[int, int]:
    """A legal move and its colour: mostly random, often a capture, ko or suicide, sometimes a pass or out of turn."""
    color = board.color_to_play if rng.random() < 0.98 else 3 - board.color_to_play
    # Two passes end a game, so a second one in a row is left to the tests of passing.
    if rng.random() < 0.03 and board.passes == 0:
        return board.pass_move, color
    empty = [point for point in range(board.pass_move) if board.color_at(point) == EMPTY]
    rng.shuffle(empty)
    if rng.random() < 0.4:
        # Points without empty neighbours first: captures, kos, suicides and the moves that superko forbids.
        empty.sort(key=lambda p: any(board.grid[r][c] == EMPTY for r, c in board.neighbours[divmod(p, board.width)]))
    for point in empty:
        if board.why_illegal(point, color) is None:
            return point, color
    return board.pass_move, color


def play_and_compare(width: int, height: int, rules: Rules, num_moves: int, seen: Counter[str]) -> None:
    """Plays `num_moves` compared moves, in as many games as that takes; large boards are filled uncompared first."""
    rng = random.Random(f"{width}x{height} {rules} {num_moves}")
    done = 0
    while done < num_moves:
        pair = Pair(width, height, rules, seen)
        pair.compare()
        if width * height > 100:
            for _ in range(rng.randrange(width * height)):
                move, color = choose(pair.reference, rng)
                pair.replay([(color, move)])
        length = min(num_moves - done, rng.randrange(5, 2 * width * height + 30))
        while length and pair.reference.passes < 2:
            pair.play(*choose(pair.reference, rng))
            pair.compare()
            length, done = length - 1, done + 1


def assert_all_trouble_came_up(seen: Counter[str]) -> None:
    for event in (
        "captures of one",
        "captures of many",
        "suicides of one",
        "suicides of many",
        "kos",
        "illegal: occupied",
        "illegal: suicide",
        "illegal: ko",
        "illegal: superko",
        "chains in atari",
        "scores with dead stones",
    ):
        assert seen[event] > 0, f"no {event} in {seen['moves']} moves: the test does not reach them"


def compare_part(part: int, num_moves: int) -> None:
    """Compares `num_moves` on a quarter of all sizes: most on small boards, where ko and superko live; all rules."""
    small = [size for size in SQUARES + RECTANGLES if size[0] * size[1] <= 81][part::4]
    large = [size for size in SQUARES + RECTANGLES + LARGE_RECTANGLES if size[0] * size[1] > 81][part::4]
    seen: Counter[str] = Counter()
    for sizes, share in ((small, 0.87), (large, 0.13)):
        num_rules = len(ALL_RULES) if sizes is small else 4
        per_game = int(share * num_moves / (len(sizes) * num_rules)) + 1
        for number, (width, height) in enumerate(sizes):
            for turn in range(num_rules):
                rules = ALL_RULES[(part + 4 * (number + turn)) % len(ALL_RULES)]
                play_and_compare(width, height, rules, per_game, seen)
    print(f"\n{dict(seen)}")
    assert seen["moves"] >= num_moves
    assert_all_trouble_came_up(seen)


@pytest.mark.parametrize("part", range(4))
def test_core_and_reference_agree__on_a_quarter_of_20_000_random_moves(part: int) -> None:
    compare_part(part, 5_000)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", range(4))
def test_core_and_reference_agree__on_a_quarter_of_200_000_random_moves(part: int) -> None:
    compare_part(part, 50_000)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS.keys())
@pytest.mark.parametrize(("width", "height"), [(1, 1), (2, 1), (2, 2), (3, 2), (5, 4), (9, 9), (13, 13), (19, 19)])
def test_undo__after_random_undos_the_board_equals_a_fresh_replay(width: int, height: int, rules: Rules) -> None:
    rng = random.Random(f"{width} {height} {rules.name}")
    pair = Pair(width, height, rules, Counter())
    for _ in range(6):
        for _ in range(rng.randrange(1, 2 * width * height + 5)):
            if pair.reference.passes == 2:
                break
            pair.play(*choose(pair.reference, rng))
        num_undone = rng.randrange(1, len(pair.reference.moves) + 1)
        kept = pair.reference.moves[:-num_undone]
        for _ in range(num_undone):
            pair.core.undo()
        fresh = Pair(width, height, rules, Counter())
        fresh.replay(kept)
        assert pair.core == fresh.core
        pair.reference = fresh.reference
        pair.compare()


def test_undo__undoing_everything_gives_the_empty_board() -> None:
    rng = random.Random(7)
    pair = Pair(7, 7, TROMP_TAYLOR, Counter())
    for _ in range(150):
        pair.play(*choose(pair.reference, rng))
    assert pair.seen["captures of one"] > 0
    while pair.core.num_moves:
        pair.core.undo()
    assert pair.core == Board(7, 7, rules=TROMP_TAYLOR, komi=pair.core.komi)
    with pytest.raises(ValueError, match="undo"):
        pair.core.undo()


@pytest.mark.parametrize("rules", [*RULE_SETS.values(), MIXED_RULES[3]], ids=lambda rules: f"{rules.name}-{rules.ko}")
def test_play__an_illegal_move_changes_nothing(rules: Rules) -> None:
    rng = random.Random(11)
    reasons: Counter[str] = Counter()
    pair = Pair(5, 4, rules, Counter())
    for ply in range(600):
        if pair.reference.passes == 2 or ply % 60 == 0:
            # Simple kos are common on the larger of these boards, longer repetitions on the smaller one.
            pair = Pair(*[(5, 4), (3, 2)][ply // 60 % 2], rules, Counter())
        pair.play(*choose(pair.reference, rng))
        before = pair.core.copy()
        for move in range(pair.reference.pass_move):
            reason = pair.reference.why_illegal(move, pair.reference.to_play)
            if reason:
                reasons[reason] += 1
                with pytest.raises(IllegalMove):
                    pair.core.play(move)
        assert pair.core == before
        pair.compare()
    expected = {"occupied", "ko"}
    expected |= set() if rules.ko == "simple" else {"superko"}
    expected |= set() if rules.suicide else {"suicide"}
    assert set(reasons) == expected


def test_passing__two_passes_end_the_game_and_a_stone_in_between_starts_the_count_again() -> None:
    pair = Pair(5, 5, CHINESE, Counter())
    pair.replay([(BLACK, 25), (WHITE, 3)])
    assert (pair.core.passes, pair.core.is_over) == (0, False)
    pair.replay([(BLACK, 25)])
    assert (pair.core.passes, pair.core.is_over) == (1, False)
    pair.replay([(WHITE, 25)])
    assert (pair.core.passes, pair.core.is_over) == (2, True)
    pair.compare()
    pair.core.undo()
    assert (pair.core.passes, pair.core.is_over) == (1, False)
