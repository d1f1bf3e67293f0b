"""Speed of the board: what a light playout costs.

It is measured twice, because machines are noisy: playouts per second on the clock (best of a few short runs), and
instructions per playout by callgrind, which repeat exactly and can therefore be checked against committed values.
Both run the native program ``tesuji-bench-board``, built with ``-march=x86-64-v3``, so that the figures of two machines
compare.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import msgspec

from tesuji.bench import BenchError
from tesuji.bench.callgrind import count_instructions, execute, has_valgrind

__all__ = [
    "SIZES",
    "VARIANTS",
    "BoardRow",
    "Comparison",
    "committed_path",
    "compare_rows",
    "measure_board",
    "num_steps",
    "read_rows",
    "update_rows",
]

Variant = Literal["light", "hashed", "tactical", "contexts"]

SIZES = (9, 13, 19)
VARIANTS: tuple[Variant, ...] = ("light", "hashed", "tactical", "contexts")

MAX_GROWTH = 0.05
"""Share by which instructions may grow over the committed value before the check fails."""

_TIMED_RUNS = 3
_TIMED_PLAYOUTS = {9: 40_000, 13: 20_000, 19: 8_000}  # about a fifth of a second a run
_COUNTED_PLAYOUTS = {9: 2_000, 13: 1_000, 19: 500}  # mean length known to half a percent, seconds under valgrind
_SEED = 1


class BoardRow(msgspec.Struct, frozen=True, kw_only=True):
    """What one size and variant of the playout costs."""

    size: int
    """Lines of the (square) board."""
    variant: Variant
    """light: stones only; hashed: with Zobrist keys and 3x3 codes; tactical: with what atari tests need, too; contexts:
    light, and the contexts of 40 neighbours of all points are kept."""
    instructions: int | None
    """Per playout, by callgrind; None without valgrind."""
    moves: float
    """Mean moves of a playout, the two passes included."""
    playouts_per_s: float | None
    """On the clock of this machine, one thread, best run; None in committed rows."""
    compiler: str
    flags: str


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A measured row beside the committed one."""

    row: BoardRow
    committed: int | None
    """Committed instructions per playout; None when there is no row for this compiler, flags, size and variant."""

    @property
    def growth(self) -> float | None:
        """How much more than committed, as a share; negative when it became faster."""
        if self.committed is None or self.row.instructions is None:
            return None
        return self.row.instructions / self.committed - 1.0

    @property
    def failed(self) -> bool:
        """Whether it grew by more than is allowed."""
        if self.committed is None or self.row.instructions is None:
            return False
        return self.row.instructions > self.committed * (1 + MAX_GROWTH)


class _Run(msgspec.Struct, frozen=True):
    """The line that ``tesuji-bench-board`` prints."""

    size: int
    variant: Variant
    playouts: int
    seconds: float
    moves: float
    black_wins: float
    compiler: str
    flags: str


def measure_board(
    *,
    sizes: Sequence[int] = SIZES,
    variants: Sequence[Variant] = VARIANTS,
    playouts: int | None = None,
    on_step: Callable[[int], None] = lambda _done: None,
) -> list[BoardRow]:
    """Measure light playouts from the empty board.

    Parameters
    ----------
    sizes, variants
        What to measure.
    playouts
        N of every run; callgrind sees N and 2N. None: enough for half a percent at each size.
    on_step
        Called with the number of runs that are done, of `num_steps`.
    """
    program = _program()
    cases = [(size, variant) for size in sizes for variant in variants]
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        on_step(done)

    timed = []
    for size, variant in cases:
        timed.append(_best_run(program, size, variant, playouts or _TIMED_PLAYOUTS.get(size, 8_000)))
        step()
    counts: list[int | None] = [None] * len(cases)
    if has_valgrind():
        # Callgrind counts, it does not time, so two at once do not disturb each other.
        with ThreadPoolExecutor(max_workers=2) as pool:
            num_playouts = [playouts or _COUNTED_PLAYOUTS.get(size, 500) for size, _ in cases]
            pairs = [
                tuple(pool.submit(_count, program, size, variant, times * n) for times in (1, 2))
                for (size, variant), n in zip(cases, num_playouts, strict=True)
            ]
            for index, (once, twice) in enumerate(pairs):
                counts[index] = round((twice.result() - once.result()) / num_playouts[index])
                step()
    return [_row(run, count) for run, count in zip(timed, counts, strict=True)]


def num_steps(sizes: Sequence[int] = SIZES, variants: Sequence[Variant] = VARIANTS) -> int:
    """Return how many runs `measure_board` reports."""
    return len(sizes) * len(variants) * (2 if has_valgrind() else 1)


def committed_path() -> Path:
    """Return where the committed rows lie: ``bench/board.json`` of the checkout, else of the current directory."""
    root = Path(__file__).resolve().parents[3]
    return (root if (root / "pyproject.toml").is_file() else Path()) / "bench" / "board.json"


def read_rows(path: Path) -> list[BoardRow]:
    """Read rows from a JSON file; a missing file has none."""
    if not path.exists():
        return []
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[BoardRow])
    except msgspec.DecodeError as error:
        raise BenchError(f"{path} is not a list of benchmark rows ({error}): restore it from git") from error


def update_rows(path: Path, rows: Sequence[BoardRow]) -> None:
    """Write rows to a JSON file: those of other compilers and flags stay, the clock of this machine is left out."""
    merged = {_identity(row): row for row in read_rows(path)}
    merged |= {_identity(row): msgspec.structs.replace(row, playouts_per_s=None) for row in rows}
    path.parent.mkdir(parents=True, exist_ok=True)
    ordered = [merged[key] for key in sorted(merged)]
    path.write_text(
        "[\n" + ",\n".join(json.dumps(msgspec.to_builtins(row)) for row in ordered) + "\n]\n", encoding="utf-8"
    )


def compare_rows(rows: Sequence[BoardRow], committed: Sequence[BoardRow]) -> list[Comparison]:
    """Set each row beside the committed one of the same compiler, flags, size and variant."""
    known = {_identity(row): row.instructions for row in committed}
    return [Comparison(row=row, committed=known.get(_identity(row))) for row in rows]


def _identity(row: BoardRow) -> tuple[str, str, int, int]:
    return row.compiler, row.flags, row.size, VARIANTS.index(row.variant)


def _row(run: _Run, instructions: int | None) -> BoardRow:
    return BoardRow(
        size=run.size,
        variant=run.variant,
        instructions=instructions,
        moves=round(run.moves, 2),
        playouts_per_s=round(run.playouts / max(run.seconds, 1e-9), 1),
        compiler=run.compiler,
        flags=run.flags,
    )


def _program() -> Path:
    """Return the path of the native benchmark, which is installed beside the extension module."""
    core = importlib.util.find_spec("tesuji._core")
    name = "tesuji-bench-board.exe" if sys.platform == "win32" else "tesuji-bench-board"
    path = Path(core.origin if core and core.origin else __file__).parent / "_bin" / name
    if not path.is_file():
        raise BenchError(
            "tesuji-bench-board is not installed: it is built for x86-64 only; build the package again there"
        )
    return path


def _command(program: Path, size: int, variant: Variant, playouts: int) -> list[str]:
    options = {"--size": size, "--variant": variant, "--playouts": playouts, "--seed": _SEED}
    return [str(program), *(str(word) for pair in options.items() for word in pair)]


def _best_run(program: Path, size: int, variant: Variant, playouts: int) -> _Run:
    runs = [_time(program, size, variant, playouts) for _ in range(_TIMED_RUNS)]
    return min(runs, key=lambda run: run.seconds)


def _time(program: Path, size: int, variant: Variant, playouts: int) -> _Run:
    output = execute(_command(program, size, variant, playouts)).stdout
    try:
        return msgspec.json.decode(output, type=_Run)
    except msgspec.DecodeError as error:
        raise BenchError(
            f"tesuji-bench-board printed something unexpected ({error}): build the package again"
        ) from error


def _count(program: Path, size: int, variant: Variant, playouts: int) -> int:
    return count_instructions(_command(program, size, variant, playouts))
