"""A graph as one HTML page to browse: no other file, no network, and smooth with ten thousand nodes.

The page carries the numbers as JSON and makes rows for a node only when somebody opens it; beside them stands the
position of the row that somebody is on. What it looks like and how it is steered is in ``templates/graph.html``.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.search.config import SearchConfig
from tesuji.search.parameters import SEARCH_PARAMETERS, texts_of
from tesuji.search.view.excerpt import Excerpt, excerpt_of
from tesuji.search.view.names import GameNames
from tesuji.search.view.positions import drawings_of
from tesuji.search.view.table import headline
from tesuji.words import how_to_install

if TYPE_CHECKING:
    from jinja2 import Template

    from tesuji.search.result import SearchResult

__all__ = ["graph_numbers", "page_of"]


def page_of(result: SearchResult, max_nodes: int) -> str:
    """The page of a result's graph.

    Raises
    ------
    ValueError
        If the search has gone on since the result was made.
    ImportError
        If jinja2 is not installed.
    """
    template = _template()
    excerpt = excerpt_of(result.origin.graph(), max_nodes)
    drawings = drawings_of(result.origin.position, excerpt)
    return template.render(
        title=result.names.title,
        headline=headline(result),
        best=result.name(result.best_move),
        players=result.names.players,
        to_play=result.names.players[int(excerpt.columns["node_mover"][0])],
        main_line=result.names.line(result.main_line, 20),
        num_shown=len(excerpt.nodes),
        num_nodes=excerpt.num_nodes_in_graph,
        drawing=drawings.root,
        settings=_settings(result),
        has_amaf=bool(len(excerpt.columns["edge_amaf_visits"])),
        has_prior=bool(len(excerpt.columns["edge_prior"])),
        data=_script_safe({**graph_numbers(excerpt, result.names), "drawings": msgspec.to_builtins(drawings)}),
    )


def _template() -> Template:
    try:
        import jinja2
    except ImportError as error:
        raise ImportError(f"pages need jinja2, which is not installed: {how_to_install('plot')}") from error
    source = resources.files("tesuji.search.view").joinpath("templates/graph.html").read_text(encoding="utf-8")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return environment.from_string(source)


def graph_numbers(excerpt: Excerpt, names: GameNames) -> dict[str, Any]:
    """The excerpt under its own numbering: node 0 is the root, the edges of a node lie together.

    Means are the first player's, in thousandths; -1 where there is none.
    """
    columns = excerpt.columns
    rank = {int(node): index for index, node in enumerate(excerpt.nodes)}
    number_of_edges = np.bincount([rank[int(parent)] for parent in excerpt.parents], minlength=len(excerpt.nodes))
    choices = excerpt.choices
    shown_choices = np.unique(choices)
    return {
        "players": names.players,
        "names": [names.choice(int(choice)) for choice in shown_choices],
        "mover": columns["node_mover"][excerpt.nodes].tolist(),
        "first": np.concatenate([[0], np.cumsum(number_of_edges)]).tolist(),
        **_sums(excerpt, number_of_edges),
        "move": np.searchsorted(shown_choices, choices).tolist(),
        "edgeVisits": columns["edge_visits"][excerpt.edges].tolist(),
        "mean": _means(columns, excerpt.edges).tolist(),
        "proof": columns["edge_proof"][excerpt.edges].tolist(),
        "child": [rank[int(child)] for child in columns["edge_child"][excerpt.edges]],
        "amaf": _thousandths(columns, "edge_amaf_value", "edge_amaf_visits", excerpt.edges).tolist(),
        "prior": np.rint(1000 * columns["edge_prior"][excerpt.edges]).astype(int).tolist()
        if len(columns["edge_prior"])
        else [],
    }


def _sums(excerpt: Excerpt, number_of_edges: NDArray[np.int64]) -> dict[str, list[int]]:
    """How many visits the moves of each node have, and how many moves and visits the page does not show."""
    columns = excerpt.columns
    sums = np.concatenate([[0], np.cumsum(columns["edge_visits"])])
    first = columns["node_first_edge"][excerpt.nodes].astype(np.int64)
    last = first + columns["node_num_edges"][excerpt.nodes]
    shown = np.concatenate([[0], np.cumsum(columns["edge_visits"][excerpt.edges])])
    ends = np.cumsum(number_of_edges)
    return {
        "walks": (sums[last] - sums[first]).tolist(),
        "moreMoves": (last - first - number_of_edges).tolist(),
        "moreVisits": (sums[last] - sums[first] - (shown[ends] - shown[ends - number_of_edges])).tolist(),
    }


def _means(columns: Mapping[str, NDArray[Any]], edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of each edge, as the search takes it: in a DAG the child's, which all its parents share."""
    children, visits = columns["edge_child"][edges], columns["edge_visits"][edges]
    shared = columns["node_visits"][children] >= visits
    sums = np.where(shared, columns["node_value"][children], columns["edge_value"][edges])
    counts = np.where(shared, columns["node_visits"][children], visits)
    return np.rint(1000 * sums / np.maximum(counts, 1)).astype(np.int64)


def _thousandths(
    columns: Mapping[str, NDArray[Any]], sums: str, counts: str, edges: NDArray[np.int64]
) -> NDArray[np.int64]:
    if not len(columns[counts]):
        return np.zeros(0, dtype=np.int64)
    number = columns[counts][edges]
    means = np.rint(1000 * columns[sums][edges] / np.maximum(number, 1)).astype(np.int64)
    return np.where(number > 0, means, -1)


def _settings(result: SearchResult) -> list[tuple[str, str]]:
    """What the search was run with, for the foot of the page."""
    made = result.provenance
    by = f"Tesuji {made.version}, {made.date}, " if made else ""
    given = texts_of(result.origin.config or SearchConfig(), SEARCH_PARAMETERS)
    default = texts_of(SearchConfig(), SEARCH_PARAMETERS)
    differences = ", ".join(f"{name} {text}" for name, text in given.items() if text != default.get(name))
    return [("made by", f"{by}seed {result.seed}"), ("config", differences or "as it is by default")]


def _script_safe(numbers: dict[str, Any]) -> str:
    """JSON that cannot end the script element it stands in."""
    return msgspec.json.encode(numbers).decode().replace("<", "\\u003c").replace("&", "\\u0026")
