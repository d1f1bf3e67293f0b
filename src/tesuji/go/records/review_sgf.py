"""A review as an SGF file: a copy of the game with a comment on every judged move, and everything that was there.

What each judged node gets, added to what it has:

    C           the verdict in words, after any comment that was there
    V           the expected score after the move (good for Black: positive), unless there is one
    DO, BM      doubtful: an inaccuracy; bad: a mistake (1) or a blunder (2), unless the move is annotated already
    a variation the best line, last of all variations, where another move was played
    TSJ         the judgement itself, as JSON: what a review goes on from

The root carries a summary (C) and what the review was made with (TSJR). Everything else stays as it was recorded.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from tesuji.go.records.review import MARKS, Judgement, PlayerSummary, summarised
from tesuji.go.records.sgf import GameRecord, SgfError, choose_game, load
from tesuji.go.records.sgf_tree import Properties, Tree, escaped, text, written
from tesuji.go.rules.vertex import to_sgf_point, to_vertex

__all__ = [
    "Header",
    "ReviewSettings",
    "annotated",
    "digest_of",
    "header_of",
    "judgements_in",
    "load_single_game",
    "score_text",
]

_HEADER, _JUDGEMENT = "TSJR", "TSJ"
_ANNOTATIONS = frozenset({"BM", "DO", "IT", "TE"})  # SGF allows one of them in a node
_ANNOTATION_OF = {"inaccuracy": ("DO", b""), "mistake": ("BM", b"1"), "blunder": ("BM", b"2")}
_LETTERS = {1: "B", 2: "W"}
_SIDES = {1: "Black", 2: "White"}


class ReviewSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What two parts of one review must have in common."""

    simulations: int | None
    seconds: float | None
    seed: int
    version: str

    def __str__(self) -> str:
        limits = [] if self.simulations is None else [f"{self.simulations:,} simulations"]
        limits += [] if self.seconds is None else [f"{self.seconds:g} s"]
        return f"{' or '.join(limits)} a position, seed {self.seed}"


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What a review says about itself.

    Attributes
    ----------
    game : str
        `digest_of` the file that was judged.
    settings : ReviewSettings
        How it was judged.
    provenance : dict
        Of its last part.
    """

    game: str
    settings: ReviewSettings
    provenance: dict[str, Any]


def digest_of(data: bytes) -> str:
    """What tells one game file from another."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def load_single_game(data: bytes, number: int | None = None) -> GameRecord:
    """Read the game to be judged: the only one, or that of a number.

    Raises
    ------
    SgfError
        If it is not a game of Go, there are several and no number, there is no move, or it is a review already.
    """
    chosen = choose_game(data, 1 if number is None else number)
    if number is None and chosen.count > 1:
        many = f"more than {chosen.count:,}" if chosen.has_more else f"{chosen.count:,}"
        raise SgfError(f"it holds several games, {many}: choose one with --game N")
    record = chosen.record
    if not record.moves:
        raise SgfError("it has no moves: there is nothing to judge")
    if _HEADER in record.nodes[0]:
        raise SgfError("it is a review that tesuji analyse has written: give the game that it was made from")
    return record


def header_of(data: bytes) -> Header | None:
    """What a file says about its review; None if it is not a review."""
    try:
        return msgspec.json.decode(text(load(data).nodes[0][_HEADER][0]), type=Header)
    except (SgfError, msgspec.MsgspecError, LookupError):
        return None


def judgements_in(data: bytes) -> list[Judgement]:
    """The judgements that a review holds, in order.

    Raises
    ------
    SgfError
        If one of them is damaged.
    """
    values = [value for node in load(data).nodes for value in node.get(_JUDGEMENT, ())]
    try:
        return [msgspec.json.decode(text(value), type=Judgement) for value in values]
    except msgspec.MsgspecError as error:
        raise SgfError(f"a judgement in the review cannot be read ({error}): begin anew with --force") from error


def annotated(record: GameRecord, judgements: Iterable[Judgement], header: Header) -> bytes:
    """Write the game with its judgements as SGF; the record is left as it is."""
    by_number = {judgement.number: judgement for judgement in judgements}
    nodes, branches = _main_line(record.tree)
    number = 0
    for index, node in enumerate(nodes):
        for _ in range(sum(name in _LETTERS.values() for name in node)):  # one, or two in files that bend the standard
            number += 1
            if number in by_number:
                _annotate(node, by_number[number], record)
                if index and not by_number[number].is_best:
                    branches[index].append(_variation(by_number[number], record))
    _comment(nodes[0], _summary_text(by_number, len(record.moves), header.settings))
    nodes[0][_HEADER] = [escaped(msgspec.json.encode(header).decode())]
    return written(_joined(nodes, branches))


def _main_line(tree: Tree) -> tuple[list[Properties], list[list[Tree]]]:
    """Copies of the nodes of the main line, and the variations that compete with each."""
    nodes: list[Properties] = []
    branches: list[list[Tree]] = []
    others: list[Tree] = []
    while True:
        nodes += [dict(node) for node in tree.sequence]
        branches += [others, *([] for _ in tree.sequence[1:])]
        if not tree.children:
            return nodes, branches
        others, tree = list(tree.children[1:]), tree.children[0]


def _joined(nodes: Sequence[Properties], branches: Sequence[Sequence[Tree]]) -> Tree:
    """A tree of a main line and its variations: the reverse of `_main_line`."""
    tree = Tree()
    pending: list[Properties] = []  # from the end
    for node, others in zip(reversed(nodes), reversed(branches), strict=True):
        pending.append(node)
        if others:
            tree.sequence, pending = pending[::-1], []
            above = Tree()
            above.children = [tree, *others]
            tree = above
    tree.sequence = pending[::-1]
    return tree


def _annotate(node: Properties, judgement: Judgement, record: GameRecord) -> None:
    _comment(node, _verdict_text(judgement, record))
    node.setdefault("V", [f"{judgement.score_for_black:.1f}".encode()])
    if judgement.mark in _ANNOTATION_OF and _ANNOTATIONS.isdisjoint(node):
        name, value = _ANNOTATION_OF[judgement.mark]
        node[name] = [value]
    data = escaped(msgspec.json.encode(judgement).decode())
    node[_JUDGEMENT] = [*node.get(_JUDGEMENT, ()), data]


def _variation(judgement: Judgement, record: GameRecord) -> Tree:
    """The best line as a variation, players in turn."""
    tree, color = Tree(), judgement.color
    for move in judgement.line:
        tree.sequence.append({_LETTERS[color]: [to_sgf_point(move, record.width, record.height).encode()]})
        color = color.opponent
    side = _SIDES[judgement.color]
    _comment(tree.sequence[0], f"Tesuji: the best move, {side} wins {100 * judgement.value_best:.1f} %.")
    return tree


def _verdict_text(judgement: Judgement, record: GameRecord) -> str:
    side = _SIDES[judgement.color]
    mark = "the engine's choice" if judgement.best is not None and judgement.is_best else judgement.mark
    cost = f", loses {100 * judgement.loss:.1f} %" if judgement.mark != "good" else ""
    others = f"before the move {100 * judgement.value_before:.1f} %"
    if not judgement.is_best:
        others += f", with the best move {100 * judgement.value_best:.1f} %"
    lines = [
        f"Tesuji: {mark}{cost}.",
        f"{side} wins {100 * judgement.value_after:.1f} % ({others}); "
        f"expected score {score_text(judgement.score_for_black)}.",
    ]
    if not judgement.is_best:
        moves = " ".join(to_vertex(move, record.width, record.height) for move in judgement.line)
        lines.append(f"{'Better' if judgement.mark != 'good' else 'Also'}: {moves}")
    return "\n".join(lines)


def score_text(score_for_black: float) -> str:
    """An expected score as people write it: ``B+3.5``, ``W+0.4``."""
    return f"{'B' if score_for_black >= 0 else 'W'}+{abs(score_for_black):.1f}"


def _summary_text(judgements: Mapping[int, Judgement], num_moves: int, settings: ReviewSettings) -> str:
    limits = ", ".join(f"{mark} from {100 * least:g} %" for mark, least in reversed(MARKS.items()))
    return "\n".join(
        [
            f"Tesuji {settings.version} judged {len(judgements)} of {num_moves} moves: {settings}.",
            f"Loss of win rate: {limits}.",
            *map(_player_text, summarised(judgements.values())),
        ]
    )


def _player_text(player: PlayerSummary) -> str:
    counts = f"{player.inaccuracies} inaccuracies, {player.mistakes} mistakes, {player.blunders} blunders"
    return (
        f"{_SIDES[player.color]}: {counts} in {player.moves} moves, {player.best_moves} as the engine would; "
        f"{100 * player.mean_loss:.1f} % lost a move."
    )


def _comment(node: Properties, comment: str) -> None:
    there = b"\n\n".join(node.get("C", ()))
    node["C"] = [there + (b"\n\n" if there else b"") + escaped(comment)]
