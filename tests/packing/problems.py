"""Random problems of every sort, and an exhaustive packer for the smallest: plain and slow."""

from __future__ import annotations

from hypothesis import strategies as st

from tesuji.packing import Item, PackingProblem, Sheet

sides = st.integers(1, 9)
items = st.lists(
    st.builds(
        Item,
        width=sides,
        height=sides,
        count=st.integers(1, 3),
        may_rotate=st.sampled_from([None, True, False]),
        worth=st.one_of(st.none(), st.integers(0, 30)),
    ),
    min_size=1,
    max_size=7,
)


@st.composite
def problems(draw: st.DrawFn) -> PackingProblem:
    """A strip, a piece of limited height, or stock, with or without kerf and guillotine cuts."""
    options = {
        "rotate": draw(st.booleans()),
        "kerf": draw(st.sampled_from([0, 0, 1, "0.5"])),
        "guillotine": draw(st.booleans()),
        "side": draw(st.sampled_from(["left", "taller"])),
    }
    kind = draw(st.sampled_from(["strip", "piece", "stock"]))
    if kind == "strip":
        options |= {"width": draw(st.integers(9, 15))}
    elif kind == "piece":
        options |= {"width": draw(st.integers(5, 15)), "max_height": draw(st.integers(3, 15))}
    else:
        options |= {"sheets": [Sheet(width=12, height=10, count=3), Sheet(width=9, height=20, count=1)]}
    return PackingProblem(draw(items), **options)


def least_height(rectangles: list[tuple[int, int]], width: int, *, rotate: bool) -> int:
    """By trying every whole position of every rectangle, the height grown by one until all fit."""
    height = max(1, -(-sum(w * h for w, h in rectangles) // width))
    while not _fits(sorted(rectangles, key=lambda r: -r[0] * r[1]), width, height, rotate, []):
        height += 1
    return height


def _fits(left: list[tuple[int, int]], width: int, height: int, rotate: bool, boxes: list[tuple[int, ...]]) -> bool:
    if not left:
        return True
    w, h = left[0]
    for a, b in {(w, h), (h, w)} if rotate else {(w, h)}:
        for x in range(width - a + 1):
            for y in range(height - b + 1):
                if all(x >= r or x + a <= l or y >= t or y + b <= o for l, o, r, t in boxes):  # noqa: E741
                    boxes.append((x, y, x + a, y + b))
                    if _fits(left[1:], width, height, rotate, boxes):
                        return True
                    boxes.pop()
    return False
