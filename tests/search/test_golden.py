"""Whole graphs against stored ones: what every change of behaviour must own up to. Rewritten by scripts/golden only."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from search.golden import FOLDER, SEARCHES, graph_of
from tesuji.search.config import Amaf, GraphMode, Prior, Selection


@pytest.mark.parametrize("name", SEARCHES)
def test_golden__the_entire_graph_is_the_stored_one(name: str) -> None:
    stored, graph = json.loads((FOLDER / f"{name}.json").read_text()), graph_of(name)
    assert graph.keys() == stored.keys()
    for column, numbers in graph.items():
        assert numbers == stored[column], f"{column} of {name}; if that is meant, run scripts/golden"


def test_golden__there_is_a_file_for_each_search_and_no_other() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(SEARCHES)
    assert len(SEARCHES) >= 6


def test_golden__the_searches_leave_no_column_empty_among_them() -> None:
    graphs = [json.loads((FOLDER / f"{name}.json").read_text()) for name in SEARCHES]
    for column in ("edge_amaf_visits", "edge_prior", "edge_proof", "node_proof"):
        assert any(any(graph[column]) for graph in graphs), column
    assert any(graph["config"].get("graph") == "dag" for graph in graphs)
    assert any(1 in graph["node_mover"] and 0 in graph["node_mover"] for graph in graphs)


def test_golden__every_way_to_select_to_share_and_to_begin_is_among_them() -> None:
    configs = [golden.config for golden in SEARCHES.values()]
    assert {type(config.selection) for config in configs} == set(get_args(Selection))
    assert {type(config.amaf) for config in configs} == {*get_args(Amaf), type(None)}
    assert {type(config.prior) for config in configs} == {*get_args(Prior), type(None)}
    assert {config.graph for config in configs} == set(get_args(GraphMode))
    assert {config.graph for config, golden in zip(configs, SEARCHES.values(), strict=True) if golden.grouping} == {
        "tree",
        "dag",
    }
    problems = [golden for golden in SEARCHES.values() if hasattr(golden.make(), "goal")]
    assert {golden.config.one_player.revisit for golden in problems} == {"close", "penalty"}
