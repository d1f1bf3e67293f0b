"""``tesuji diagram``: a position for a paper or a book. Words to calls.

The drawings are `tesuji.go.view.printed` and, for other games, `tesuji.search.view.printed`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from tesuji.cli.command import UserError, WithExamples

if TYPE_CHECKING:
    from tesuji.go.rules.board import Board
    from tesuji.search.view.shapes import Drawing

__all__ = ["diagram"]

_SGF_MARKS = {"TR": "triangle", "SQ": "square", "CR": "circle", "MA": "cross"}


@click.command(
    cls=WithExamples,
    short_help="Draw a position for a paper: SVG, PDF or PNG.",
    examples=[
        ("tesuji diagram game.sgf --out end.pdf", "how the game ended, sharp at any size"),
        ("tesuji diagram game.sgf --move 60 --numbers 31-60 --out fig2.svg", "moves 31 to 60 with their numbers"),
        ("tesuji diagram game.sgf --part A19:K10 --mark D16=triangle --label C14=A --out corner.png", "a corner"),
        ("tesuji diagram hex.txt --numbers 1-12 --out fig3.pdf", "another game, as tesuji play --save keeps it"),
    ],
)
@click.argument("game", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="GAME.SGF|GAME.TXT")
@click.option(
    "--out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Ends in .svg, .pdf or .png.",
)
@click.option(
    "--move",
    "number",
    metavar="N",
    type=click.IntRange(min=0),
    show_default="the last",
    help="The position after this.",
)
@click.option("--numbers", metavar="A-B", help="Number the moves from A to B, as books do.")
@click.option("--part", metavar="C3:K10", help="Only the part between two corners.")
@click.option(
    "--mark", "marks", multiple=True, metavar="D4=triangle", help="triangle, square, circle or cross on a point."
)
@click.option("--label", "labels", multiple=True, metavar="D4=A", help="A letter or a short text on a point.")
@click.option("--coordinates/--no-coordinates", default=True, show_default=True, help="Letters and numbers around it.")
@click.option(
    "--style",
    type=click.Choice(["print", "wood"]),
    default="print",
    show_default=True,
    help="Black on white, or on wood.",
)
@click.option(
    "--cell",
    "cell_cm",
    type=click.FloatRange(0.05, 10),
    default=0.5,
    show_default=True,
    metavar="CM",
    help="Size of a cell on paper.",
)
@click.option("--dpi", type=click.IntRange(30, 2400), default=300, show_default=True, help="Of a PNG.")
def diagram(
    game: Path,
    out: Path,
    number: int | None,
    numbers: str | None,
    part: str | None,
    marks: tuple[str, ...],
    labels: tuple[str, ...],
    coordinates: bool,
    style: Any,
    cell_cm: float,
    dpi: int,
) -> None:
    """Draw a position of a recorded game as papers and books print it: Go from SGF, other games from a list of moves.

    Marks and labels of the record are drawn too. What a numbered diagram cannot show, such as a move on a point that
    has a number already, is printed for the caption.
    """
    from tesuji.search.view.shapes import write_drawing

    wish: dict[str, Any] = {"coordinates": coordinates, "style": style, "cell_cm": cell_cm}
    wish["numbers"] = None if numbers is None else _range(numbers)
    if _is_moves_file(game):
        if part is not None:
            raise UserError("--part is for go; leave it out for another game")
        drawing, notes = _of_moves(game, number, marks, labels, wish), ""
    else:
        drawing, notes = _of_record(game, number, part, marks, labels, wish)
    write_drawing(drawing, out, dpi=dpi)
    click.echo(str(out))
    if notes:
        click.echo(f"For the caption: {notes}.")


def _is_moves_file(path: Path) -> bool:
    """Whether it begins as `tesuji play --save` writes another game than Go; an SGF has a bracket first."""
    with path.open("rb") as file:
        head = file.read(200)
    return path.suffix.lower() == ".txt" and b"(;" not in head


def _of_moves(
    path: Path, number: int | None, marks: tuple[str, ...], labels: tuple[str, ...], wish: dict[str, Any]
) -> Drawing:
    from tesuji.games.moves_file import game_of_moves
    from tesuji.search.view.printed import PrintedGame, drawing_of

    try:
        start, moves = game_of_moves(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not text: byte {error.start} is not UTF-8") from error
    except ValueError as error:
        raise UserError(f"{path}: {error}") from error
    if number is not None and number > len(moves):
        raise UserError(f"{path} has {len(moves)} moves: --move {number} is past its end")
    found = {cell: _mark(word) for cell, word in map(_pair, marks)}
    return drawing_of(
        PrintedGame(start=start, moves=moves[:number], marks=found, labels=dict(map(_pair, labels)), **wish)
    )


def _of_record(
    path: Path,
    number: int | None,
    part: str | None,
    marks: tuple[str, ...],
    labels: tuple[str, ...],
    wish: dict[str, Any],
) -> tuple[Drawing, str]:
    from tesuji.go.records.sgf import load
    from tesuji.go.view.printed import PrintedDiagram, drawing_of

    try:
        record = load(path)
    except ValueError as error:
        raise UserError(f"{path}: {error}") from error
    if number is not None and number > len(record.moves):
        raise UserError(f"{path} has {len(record.moves)} moves: --move {number} is past its end")
    board = record.replay(number)
    diagram = PrintedDiagram(
        board=board,
        part=None if part is None else _part(board, part),
        marks={**_recorded(record, board, number), **{point: _mark(word) for point, word in _by_point(board, marks)}},
        labels={**_recorded_labels(record, board, number), **dict(_by_point(board, labels))},
        **wish,
    )
    return drawing_of(diagram), diagram.notes


def _part(board: Board, text: str) -> tuple[int, int, int, int]:
    first, colon, second = text.partition(":")
    if not colon:
        raise UserError(f"--part {text!r} has no two corners; write it as in --part C3:K10")
    (top, left), (bottom, right) = (divmod(board.point(corner), board.width) for corner in (first, second))
    return min(left, right), min(top, bottom), max(left, right), max(top, bottom)


def _by_point(board: Board, words: tuple[str, ...]) -> list[tuple[int, str]]:
    found = []
    for word in words:
        vertex, text = _pair(word)
        point = board.point(vertex)
        if point == board.pass_move:
            raise UserError(f"{word!r}: a pass is not a point of the board")
        found.append((point, text))
    return found


def _pair(word: str) -> tuple[str, str]:
    place, equals, text = word.partition("=")
    if not equals or not text:
        raise UserError(f"{word!r} does not say what is where; write it as in D4=triangle or D4=A")
    return place, text


def _mark(word: str) -> Any:
    from tesuji.search.view.shapes import Mark

    if word not in get_args(Mark):
        raise UserError(f"there is no mark {word[:40]!r}; choose from {', '.join(get_args(Mark))}")
    return word


def _range(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)(?:-(\d+))?", text.strip())
    if not found:
        raise UserError(f"--numbers {text!r} is not a range of moves; write it as in --numbers 31-60")
    return int(found[1]), int(found[2] or found[1])


def _node_at(record: Any, number: int | None) -> Any:
    """The node of the last move that is played."""
    played, node = 0, record.nodes[0]
    for one in record.nodes:
        moves = sum(name in ("B", "W") for name in one)
        if number is not None and played + moves > number:
            break
        played, node = played + moves, one
    return node


def _points(record: Any, board: Board, number: int | None, name: str) -> list[tuple[int, str]]:
    from tesuji.go.records.sgf_tree import text
    from tesuji.go.rules.vertex import parse_sgf_point

    found = []
    for value in _node_at(record, number).get(name, ()):
        place, _, words = text(value).partition(":")
        try:
            found.append((parse_sgf_point(place, board.width, board.height), words[:4]))
        except ValueError:
            continue
    return [(point, words) for point, words in found if point < board.num_points]


def _recorded(record: Any, board: Board, number: int | None) -> dict[int, Any]:
    return {point: mark for name, mark in _SGF_MARKS.items() for point, _ in _points(record, board, number, name)}


def _recorded_labels(record: Any, board: Board, number: int | None) -> dict[int, str]:
    return {point: words for point, words in _points(record, board, number, "LB") if words}
