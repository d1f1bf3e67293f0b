"""Random and damaged queries for the analysis protocol, by hand; a short run is part of the tests.

    python tests/fuzz/fuzz_analysis.py --queries 1000000 --seed 1

The engine answers at once, so the protocol is all that is tried. Every line must be answered with whole JSON objects:
one final answer to each turn, or one error; no internal error, nothing left open. A line that fails is printed and
becomes a case of tests/go/analysis/test_analysis_bad_input.py.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from go.quick_analyst import QuickAnalyst, make_server
from tesuji.go.analysis import AnalysisServer

GOOD: list[dict[str, Any]] = [
    {"id": "a", "moves": [], "rules": "chinese", "boardXSize": 5, "boardYSize": 5},
    {
        "id": "b",
        "moves": [["W", "C3"], ["B", "C2"]],
        "initialStones": [["B", "D4"], ["B", "B2"]],
        "rules": {"ko": "SIMPLE", "scoring": "AREA", "suicide": False, "whiteHandicapBonus": "N"},
        "komi": 7.5,
        "boardXSize": 7,
        "boardYSize": 5,
        "analyzeTurns": [0, 1, 2],
        "priorities": [3, -1, 0],
        "includeOwnership": True,
    },
    {
        "id": "QUERY:1",
        "rules": "japanese",
        "priority": 1,
        "analyzeTurns": [3],
        "maxVisits": 500,
        "komi": 6.5,
        "boardXSize": 9,
        "boardYSize": 9,
        "includeMovesOwnership": True,
        "includePolicy": True,
        "initialStones": [],
        "initialPlayer": "B",
        "moves": [["B", "E5"], ["W", "C3"], ["B", "pass"]],
        "overrideSettings": {"reportAnalysisWinratesAs": "BLACK", "maxTime": 8.0, "wideRootNoise": 0.04},
        "reportDuringSearchEvery": 0.5,
        "avoidMoves": [{"player": "W", "moves": ["E5", "A1"], "untilDepth": 1}],
    },
    {"id": "t", "action": "terminate", "terminateId": "a", "turnNumbers": [1]},
    {"id": "v", "action": "query_version"},
]
VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 5, 19, 25, 26, 10_000, 10**9, 2**62, 2**70, -(2**70), 0.5, -0.25, 1e300, 1e-300,
    "", "B", "w", "pass", "A1", "E5", "Z99", "I5", "(0,0)", "(99,1)", "chinese", "AGA", "N-1", "terminate",
    "\u0000é\U0001f600", "x" * 1000,
    [], [[]], [None], ["B", "A1"], [["B", "A1"]], [["B", "A1"], ["B", "A1"]], [["W", "pass"]] * 3,
    [0, 1], [0, 0], [10_000], [-1], [{"player": "B", "moves": ["pass"], "untilDepth": 1}],
    {}, {"a": 1}, {"maxTime": 1}, {"maxVisits": 0}, {"simulations": 7}, {"threads": 3}, {"width": "none"},
    {"ko": "x"}, {"scoring": "TERRITORY"},
]  # fmt: skip
KEYS = sorted({key for query in GOOD for key in query} | {"allowMoves", "whiteHandicapBonus", "analysisPVLen", "other"})


def mutated(dice: random.Random) -> bytes:
    """A line: a good query with other values, other bytes, or both."""
    query = dict(dice.choice(GOOD))
    for _ in range(dice.choice((0, 1, 1, 2, 4))):
        if dice.random() < 0.2:
            query.pop(dice.choice(KEYS), None)
        else:
            query[dice.choice(KEYS)] = dice.choice(VALUES)
    line = msgspec.json.encode(query)
    return damaged(line, dice) if dice.random() < 0.25 else line


def damaged(line: bytes, dice: random.Random) -> bytes:
    """The same with some bytes changed, cut out or doubled; still one line."""
    data = bytearray(line)
    for _ in range(dice.choice((1, 1, 2, 8))):
        at, end = sorted((dice.randrange(len(data) + 1), dice.randrange(len(data) + 1)))
        kind = dice.randrange(4)
        if kind == 0 and data:
            data[at % len(data)] = dice.randrange(256)
        elif kind == 1:
            del data[at : min(end, at + 8)]
        elif kind == 2:
            data[at:at] = data[at : min(end, at + 8)]
        else:
            data[at:at] = dice.choice((b"[", b"{", b'"', b"\\ud800", b"\xff", b"1e999", b"null", b","))
    return bytes(data).replace(b"\n", b" ")


def check(server: AnalysisServer, line: bytes) -> None:
    """Answer one line and look at what was written."""
    reply = server.reply(line)
    assert b"internal error" not in reply, reply
    assert not line.strip() or reply.endswith(b"\n"), "no answer"
    finals = []
    for part in reply.splitlines():
        answer = msgspec.json.decode(part)
        if "warning" not in answer and not answer.get("isDuringSearch"):
            assert "error" in answer or "id" in answer
            finals.append("error" if "error" in answer else repr(answer.get("turnNumber")))  # actions are echoed
    assert len(finals) == len(set(finals)), "a turn was answered twice"
    assert server.is_idle, "something was left open"


def run(num_queries: int, seed: int, check_line: Callable[[AnalysisServer, bytes], None] = check) -> None:
    """Try so many lines; the one that fails is in the error."""
    dice = random.Random(seed)
    server = make_server(QuickAnalyst(remembers=False))
    for _ in range(num_queries):
        line = mutated(dice)
        try:
            check_line(server, line)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {line!r}") from error


def main() -> None:
    """Words of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args()
    began_s = time.perf_counter()
    run(said.queries, said.seed)
    wall_s = time.perf_counter() - began_s
    print(f"{said.queries:,} queries in {wall_s:.1f} s, {said.queries / wall_s:,.0f} a second; nothing found")


if __name__ == "__main__":
    main()
