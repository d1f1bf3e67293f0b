"""The UCT-DAG report, sections 2.3.2 and 4.1.6: what the size of the table of shared values does at its playouts.

Its programs had 10 to 160 s a move, 400,000 playouts and more. With the 10,000 simulations of our matches a table of
50,000 entries never fills, so its size cannot matter there. Here every position is searched with 400,000, along the
opening of a game, with tables of the report's three sizes. Counted are the entries, the states that found no room, how
often a known state is met, and how many parents a position has. Games are `uct_dag_go.py`'s.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from tesuji.experiments.run.schedule import seed_of
from tesuji.go import Board
from tesuji.go.engine import Engine, EngineConfig
from tesuji.go.engine.presets import engine_preset
from tesuji.papers import verdicts
from tesuji.papers.findings import Cell, Claim, Comparison, Findings, Published
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import Bounds, mean_bounds
from tesuji.search import Search
from tesuji.search.files.table_file import load_table

__all__ = ["ENTRIES", "TABLE_SIZE", "TableSize", "TableTask"]

ENTRIES = (5_000, 50_000, 500_000)
"""Of the table: what the report tried (2.3.2)."""
SIZES = (9, 13)
CONFIGURATIONS = ("no-group", "man-group")
SIMULATIONS = 400_000
"""Before each move: 10 s at the 40,000 playouts a second of the report's program."""
MOVES = 3
"""Of the program in a game: the report has tables fill "often within the first three moves"."""
OPENINGS = 20
"""At scale 1."""
_PARENTS = Published(value=1.85, margin=0.15, where="UCT-DAG report, 2.3.2: around 1.85, or just under two")
_OPENING_SIMULATIONS = 200


class TableTask(msgspec.Struct, frozen=True):
    """An opening, followed with a table of one size."""

    opening: int
    seed: int
    size: int
    configuration: str
    entries: int


class TableSize(msgspec.Struct, frozen=True, kw_only=True):
    """The experiment.

    Attributes
    ----------
    about : About
        What it is.
    simulations : int
        Before each move.
    """

    about: About
    simulations: int = SIMULATIONS

    def tasks(self, scale: float, seed: int) -> Sequence[TableTask]:
        """Every opening on both boards with both configurations and all sizes."""
        return [
            TableTask(opening, seed_of(seed, opening), size, configuration, entries)
            for opening in range(max(1, round(OPENINGS * scale)))
            for size in SIZES
            for configuration in CONFIGURATIONS
            for entries in ENTRIES
        ]

    def run_task(self, task: TableTask) -> Row:
        """Search the positions of the opening in which the program is to move, with what it kept."""
        config = engine_preset(task.configuration)
        config = msgspec.structs.replace(
            config, search=msgspec.structs.replace(config.search, table_entries=task.entries)
        )
        line = opening(task.size, task.seed)
        search, moves = config.search_at(Board(task.size, komi=7.5)), []
        for number in range(MOVES):
            counts = search.run(simulations=self.simulations, seed=task.seed).counts
            moves.append(
                {
                    "move": int(search.result().best_move),
                    "simulations": self.simulations,
                    "known": counts["transposition_hits"],
                    "entries": counts["table_entries"],
                    "turned_away": counts["table_turned_away"],
                    "threshold": counts["table_min_references"],
                    "parents": parents_per_position(search),
                }
            )
            for move in line[2 * number : 2 * number + 2]:
                search.advance(move)
        return {**msgspec.structs.asdict(task), "moves": moves}

    def render(self, rows: Sequence[Row]) -> Findings:
        """A line for each board, configuration, size and move; what the text says about them."""
        return Findings(
            columns=_COLUMNS,
            rows=list(_lines(rows)),
            comparisons=list(_parents(rows)),
            claims=[_fills(rows)],
            notes=list(_NOTES),
        )


def opening(size: int, seed: int) -> list[int]:
    """The first moves of a game, by both players, as our engine plays them with few simulations."""
    engine, board = Engine(EngineConfig(simulations=_OPENING_SIMULATIONS, seed=seed)), Board(size, komi=7.5)
    for _ in range(2 * MOVES):
        move = engine.genmove(board)
        if move == "resign":
            raise ValueError(f"the engine resigned in the opening on {size}x{size} with seed {seed}")
        board.play(move)
    return [move for _, move in board.moves]


def parents_per_position(search: Search) -> float:
    """How many nodes of the tree refer to an entry of the table, on average."""
    with tempfile.TemporaryDirectory() as folder:
        table = load_table(search.save_table(Path(folder) / "table"))
    references = table.columns["references"]
    return float(references.mean()) if len(references) else 0.0


_COLUMNS = ["board", "configuration", "table", "move", "openings", "entries", "turned_away", "threshold"]
_COLUMNS += ["known_per_simulation", "parents", "same_move"]
_NUMBERS = ("entries", "turned_away", "threshold")


def _lines(rows: Sequence[Row]) -> Iterator[list[Cell]]:
    for size, configuration, entries in _kinds(rows):
        own = _of(rows, size, configuration, entries)
        largest = {row["opening"]: row["moves"] for row in _of(rows, size, configuration, max(ENTRIES))}
        for number in range(MOVES):
            found = [row["moves"][number] for row in own]
            numbers: list[Cell] = [round(float(np.mean([each[name] for each in found])), 1) for name in _NUMBERS]
            known = float(np.mean([each["known"] / each["simulations"] for each in found]))
            parents = float(np.mean([each["parents"] for each in found]))
            compared = [(row, largest[row["opening"]]) for row in own if row["opening"] in largest]
            same = sum(row["moves"][number]["move"] == moves[number]["move"] for row, moves in compared)
            described: list[Cell] = [f"{size}x{size}", configuration, entries, number + 1, len(own)]
            yield [*described, *numbers, known, parents, f"{same} of {len(compared)}"]


def _kinds(rows: Sequence[Row]) -> list[tuple[int, str, int]]:
    return list(dict.fromkeys((row["size"], row["configuration"], row["entries"]) for row in rows))


def _of(rows: Sequence[Row], size: int, configuration: str, entries: int) -> list[Row]:
    wanted = size, configuration, entries
    return [row for row in rows if (row["size"], row["configuration"], row["entries"]) == wanted]


# --- what the text says -----------------------------------------------------------------------------------------------


def _parents(rows: Sequence[Row]) -> Iterator[Comparison]:
    """2.3.2: in the opening a position has around 1.85 parents. Judged on the first moves, with the largest table."""
    for size, configuration, entries in _kinds(rows):
        if entries == max(ENTRIES):
            found = [row["moves"][0]["parents"] for row in _of(rows, size, configuration, entries)]
            yield Comparison(
                quantity=f"parents of a position, {size}x{size}, {configuration}, first move",
                ours=mean_bounds(found, least=1.0, most=max(3.0, *found)),
                published=_PARENTS,
            )


def _fills(rows: Sequence[Row]) -> Claim:
    """2.3.2: tables of 5,000 to 50,000 entries are filled quickly, often within the first three moves."""
    full_of: dict[int, list[bool]] = {}
    for row in rows:
        if row["entries"] <= 50_000:
            full_of.setdefault(row["opening"], []).append(row["moves"][-1]["turned_away"] > 0)
    full = [float(all(found)) for found in full_of.values()]
    found = mean_bounds(full, least=0.0, most=1.0)
    most = Bounds(found.value - 0.5, found.low - 0.5, found.high - 0.5, found.trials)
    return Claim(
        statement="Tables of up to 50,000 entries are full within three moves, more often than not.",
        verdict=verdicts.difference(most),
        evidence=f"in {sum(full):.0f} of {len(full)} openings all of them were",
        refuted_by="an interval of the share that lies below one half",
    )


_NOTES = (
    f"Along an opening of {2 * MOVES} moves the program moves {MOVES} times, with {SIMULATIONS:,} simulations each, and"
    " keeps its table in between as the report's did. known_per_simulation: new nodes whose state the table knew;"
    " turned_away: states that found no room since the game began; parents: nodes that refer to an entry, on average;"
    " same_move: openings in which the move is the one of the largest table.",
    "The report prunes what is referred to less than twice between moves; so do we (threshold). It tried to age entries"
    ' and found that "a source for error": ageing is left out.',
)

TABLE_SIZE = TableSize(
    about=About(
        name="uct-dag/table-size",
        title=f"The size of the table of shared values at {SIMULATIONS:,} simulations (UCT-DAG report, 2.3.2)",
        question="How soon is a table full, how many parents has a position, and does the size change the move?",
        source="UCT-DAG report, 2.3.2: tables up to 50,000 are full within three moves; around 1.85 parents.",
        method=(
            f"no-group and man-group on 9x9 and 13x13, {MOVES} moves of a game with {SIMULATIONS:,} simulations each,"
            " tables of 5,000, 50,000 and 500,000 entries, light playouts; the opening is our engine's, the same for"
            f" all. Scale 1 is {OPENINGS} openings; scale changes their number, never the simulations."
        ),
        cost="135 s of processor time for each opening, measured.",
    )
)
