"""A line of JSON as a query: read, checked as a whole, and turned into boards.

`QueryReader` turns the fields into a `Query` or raises a `QueryError` that names the field. What it lets through can be
analysed: moves are legal, turns exist, limits are sane. It answers nothing (`tesuji.go.analysis.answer` does) and
schedules nothing (`tesuji.go.analysis.work`).
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tesuji.go.analysis.errors import QueryError
from tesuji.go.analysis.places import MAX_SIZE, Restriction, Stone, read_color, read_restriction, read_stones
from tesuji.go.analysis.settings import Settings, checked_visits, read_settings
from tesuji.go.rules import Rules, checked_komi
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.kata_rules import BONUSES, MAX_KOMI, Bonus, KataRules, read_rules
from tesuji.go.rules.vertex import quoted

__all__ = ["Query", "QueryReader"]

_MAX_PRIORITY = 2**62
_PV_LENGTH = 15
_AT_FIELD = re.compile(r"`\$\.(\w+)")


class _Fields(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The fields of a query, with their types; those that KataGo requires have no default."""

    id: str
    board_x_size: int
    board_y_size: int
    moves: list[Any]
    rules: str | dict[str, Any]
    komi: float | None = None
    white_handicap_bonus: str | None = None
    initial_stones: list[Any] = []
    initial_player: str | None = None
    analyze_turns: list[int] | None = None
    max_visits: int | None = None
    analysis_pv_len: int = msgspec.field(default=_PV_LENGTH, name="analysisPVLen")
    include_ownership: bool = False
    include_policy: bool = False
    avoid_moves: list[Any] | None = None
    allow_moves: list[Any] | None = None
    override_settings: dict[str, Any] = {}
    report_during_search_every: float | None = None
    first_report_during_search_after: float | None = None
    priority: int | None = None
    priorities: list[int] | None = None


_KNOWN = frozenset(field.encode_name for field in msgspec.structs.fields(_Fields))
_NOT_SUPPORTED = {
    "includeMovesOwnership": "the search keeps one ownership for the position, not one for each move",
    "includeMovesOwnershipStdev": "the search keeps no spread of ownership",
    "includeOwnershipStdev": "the search keeps no spread of ownership",
    "includePVVisits": "only the first move of a line has visits, its own",
    "includeNoResultValue": "every playout has a result",
    "rootPolicyTemperature": "the search has no such parameter",
    "rootFpuReductionMax": "the search has no such parameter",
}
"""KataGo's fields that change nothing here, and why."""


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """A query that can be answered.

    Attributes
    ----------
    id : str
        What its answers are marked with.
    width, height : int
        Of the board.
    rules : Rules
        What may be played.
    komi : float
        What White receives in all: komi and the bonus for handicap stones.
    stones : list of (Color, int)
        On the board at the start.
    first : Color
        Who moves at turn 0.
    moves : list of (Color, int)
        What was played then.
    turns : list of (int, int)
        The number and the priority of each position to analyse, ascending.
    settings : Settings
        How.
    restriction : Restriction
        Which moves may be considered.
    has_ownership, has_policy : bool
        What the answers hold besides.
    pv_length : int
        Moves of a line at most, besides the first one.
    report_s, first_report_s : float or None
        Seconds between reports during the search, and before the first of them if that is another time.
    warnings : list of (str, str)
        Fields, and what is not done about them.
    """

    id: str
    width: int
    height: int
    rules: Rules
    komi: float
    stones: list[Stone]
    first: Color
    moves: list[Stone]
    turns: list[tuple[int, int]]
    settings: Settings
    restriction: Restriction
    has_ownership: bool
    has_policy: bool
    pv_length: int
    report_s: float | None
    first_report_s: float | None
    warnings: list[tuple[str, str]]

    def board_at(self, turn: int) -> Board:
        """The position after so many moves.

        Raises
        ------
        QueryError
            If stones or moves are impossible; a query that was read has none such.
        """
        board = self._start()
        for number, (color, move) in enumerate(self.moves[:turn]):
            if not board.try_play(move, color):
                reason = board.why_illegal(move, color)
                raise QueryError("moves", f"Illegal move {number}: {color} {board.vertex(move)}: {reason}")
        return board

    def _start(self) -> Board:
        board = Board(self.width, self.height, rules=self.rules, komi=self.komi)
        try:
            for color in (Color.BLACK, Color.WHITE):
                if points := [point for owner, point in self.stones if owner is color]:
                    board.place(color, points)
        except ValueError as error:
            raise QueryError("initialStones", str(error).partition("\n")[0].rstrip(":")) from None
        if board.color_to_play is not self.first:
            board.color_to_play = self.first
        return board


class QueryReader:
    """Reads queries.

    Parameters
    ----------
    settings : Settings
        What a query begins with.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def read(self, said: dict[str, Any]) -> Query:
        """Check the fields of a query, its moves included.

        Raises
        ------
        QueryError
            Naming the first field that is wrong.
        """
        fields = _typed(said)
        width, height = _size("boardXSize", fields.board_x_size), _size("boardYSize", fields.board_y_size)
        said_stones = read_stones("initialStones", fields.initial_stones, width, height, may_pass=False)
        stones = list(dict.fromkeys(said_stones))
        twice = [] if len(stones) == len(said_stones) else [("initialStones", "stones that are there twice count once")]
        moves = read_stones("moves", fields.moves, width, height, may_pass=True)
        rules = _rules(fields.rules)
        restriction = read_restriction(fields.avoid_moves, fields.allow_moves, width, height)
        settings = _limited(read_settings(fields.override_settings, self._settings), fields)
        query = Query(
            id=fields.id,
            width=width,
            height=height,
            rules=rules.board_rules(has_bonus=False),
            komi=_komi(fields, rules) + _handicap_bonus(_bonus(fields, rules), stones, moves),
            stones=stones,
            first=_first(fields.initial_player, stones, moves),
            moves=moves,
            turns=_turns(fields, len(moves)),
            settings=settings,
            restriction=restriction,
            has_ownership=fields.include_ownership,
            has_policy=fields.include_policy,
            pv_length=_within("analysisPVLen", fields.analysis_pv_len, 0, 1000),
            report_s=_interval("reportDuringSearchEvery", fields.report_during_search_every),
            first_report_s=_interval("firstReportDuringSearchAfter", fields.first_report_during_search_after),
            warnings=twice + _warnings(said, rules, settings, restriction),
        )
        query.board_at(len(moves))
        return query


def _typed(said: dict[str, Any]) -> _Fields:
    try:
        return msgspec.convert(said, _Fields)
    except msgspec.ValidationError as error:
        message = str(error)
        if missing := re.search(r"missing required field `(\w+)`", message):
            raise QueryError(missing[1], f"{missing[1]} is missing; a query must have it") from None
        at = _AT_FIELD.search(message)
        raise QueryError(at[1] if at else "", message.replace("`", "").replace("$.", "")) from None


def _within(field: str, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise QueryError(field, f"{field} is {value}; it must lie in {low:,}..{high:,}")
    return value


def _size(field: str, lines: int) -> int:
    if not 1 <= lines <= MAX_SIZE:
        raise QueryError(field, f"Must provide an integer from 1 to {MAX_SIZE}; it is {lines}")
    return lines


def _limited(settings: Settings, fields: _Fields) -> Settings:
    if fields.max_visits is None:
        return settings
    return msgspec.structs.replace(settings, visits=checked_visits("maxVisits", fields.max_visits))


def _rules(said: str | dict[str, Any]) -> KataRules:
    try:
        return read_rules(said)
    except ValueError as error:
        raise QueryError("rules", f"Could not parse rules: {error}") from None


def _komi(fields: _Fields, rules: KataRules) -> float:
    komi = rules.komi if fields.komi is None else fields.komi
    if not -MAX_KOMI <= komi <= MAX_KOMI:
        raise QueryError(
            "komi", f"komi is {komi}; it must be an integer or half-integer from {-MAX_KOMI} to {MAX_KOMI}"
        )
    try:
        return checked_komi(komi)
    except ValueError as error:
        raise QueryError("komi", str(error)) from None


def _bonus(fields: _Fields, rules: KataRules) -> Bonus:
    if fields.white_handicap_bonus is None:
        return rules.white_handicap_bonus
    for bonus in BONUSES:
        if fields.white_handicap_bonus == bonus:
            return bonus
    said = quoted(fields.white_handicap_bonus)
    raise QueryError("whiteHandicapBonus", f"whiteHandicapBonus is {said}; it must be one of {', '.join(BONUSES)}")


def _handicap_bonus(bonus: Bonus, stones: list[Stone], moves: list[Stone]) -> int:
    """What White receives for the handicap: stones set up for Black alone, or Black's first moves in a row."""
    count = len(stones) if all(color is Color.BLACK for color, _ in stones) else 0
    if not stones:
        count = next((i for i, (color, _) in enumerate(moves) if color is Color.WHITE), len(moves))
    if bonus == "0" or count < 2:
        return 0
    return count if bonus == "N" else count - 1


def _first(said: str | None, stones: list[Stone], moves: list[Stone]) -> Color:
    """Who moves at turn 0: as said, else the first mover, else White after a handicap."""
    if said is not None:
        return read_color("initialPlayer", said)
    if moves:
        return moves[0][0]
    is_handicap = len(stones) >= 2 and all(color is Color.BLACK for color, _ in stones)
    return Color.WHITE if is_handicap else Color.BLACK


def _turns(fields: _Fields, num_moves: int) -> list[tuple[int, int]]:
    numbers, priorities = fields.analyze_turns, fields.priorities
    if priorities is not None and numbers is None:
        raise QueryError("priorities", "priorities go with analyzeTurns; name the turns, or give one priority")
    if priorities is not None and fields.priority is not None:
        raise QueryError("priority", "a query has a priority or priorities, not both; leave one out")
    if numbers is None:
        numbers = [num_moves]
    if not numbers:
        raise QueryError("analyzeTurns", "analyzeTurns is empty; name a turn, or leave it out for the last one")
    for number in numbers:
        if not 0 <= number <= num_moves:
            raise QueryError("analyzeTurns", f"Invalid turn number: {number}; the turns run from 0 to {num_moves}")
    if len(set(numbers)) < len(numbers):
        twice = next(number for number in numbers if numbers.count(number) > 1)
        raise QueryError("analyzeTurns", f"turn {twice} is there twice; name each turn once")
    if priorities is None:
        priorities = [fields.priority or 0] * len(numbers)
    if len(priorities) != len(numbers):
        lengths = f"{len(priorities)} for {len(numbers)} turns"
        raise QueryError("priorities", f"priorities must match analyzeTurns in length: they are {lengths}")
    field = "priority" if fields.priorities is None else "priorities"
    for priority in priorities:
        _within(field, priority, -_MAX_PRIORITY, _MAX_PRIORITY)
    return sorted(zip(numbers, priorities, strict=True))


def _interval(field: str, seconds: float | None) -> float | None:
    if seconds is not None and not 0.001 <= seconds <= 1e6:
        raise QueryError(field, f"{field} is {seconds:g}; it must be 0.001 to 1000000 seconds")
    return seconds


def _warnings(
    said: dict[str, Any], rules: KataRules, settings: Settings, restriction: Restriction
) -> list[tuple[str, str]]:
    left_out = (each for each in rules.differences() if each.field != "whiteHandicapBonus")  # that one is in komi
    found = [("rules", f"the nearest rules are used: {difference}") for difference in left_out]
    if settings.unknown:
        found.append(("overrideSettings", f"Unknown config params: {','.join(map(quoted, settings.unknown[:20]))}"))
    if restriction.is_deep:
        found.append((restriction.field, "untilDepth is taken as 1: only the first move is held to it"))
    for field in sorted(said.keys() - _KNOWN):
        reason = _NOT_SUPPORTED.get(field, "a query has no such field")
        if said[field] is not False:
            found.append((field, f"Unexpected or unused field: {reason}"))
    return found
