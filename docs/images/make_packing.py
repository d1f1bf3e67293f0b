"""Draws docs/images/packing.svg, a picture in the README: 60 rectangles, cut from a square and packed again."""

from __future__ import annotations

import random
from pathlib import Path

from tesuji.packing import pack
from tesuji.packing.files import write_plan

SIDE, COUNT, SEED = 120, 60, 5


def pieces() -> list[tuple[int, int]]:
    """The square cut again and again, always the largest piece, across its longer side."""
    draw = random.Random(SEED)
    cut = [(SIDE, SIDE)]
    while len(cut) < COUNT:
        cut.sort(key=lambda piece: piece[0] * piece[1])
        width, height = cut.pop()
        longer = max(width, height)
        at = draw.randint(longer // 4, 3 * longer // 4)
        cut += [(at, height), (width - at, height)] if width >= height else [(width, at), (width, height - at)]
    draw.shuffle(cut)
    return cut


def main() -> None:
    """Pack the pieces on a strip as wide as the square was."""
    plan = pack(pieces(), width=SIDE, simulations=3_000_000, seconds=600, seed=1)
    write_plan(plan, Path(__file__).with_name("packing.svg"))
    print(plan)


if __name__ == "__main__":
    main()
