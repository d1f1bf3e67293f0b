"""What a result shows of a search: names, tables, charts, DOT; and when its graph is no longer there."""

from __future__ import annotations

import io
import pickle
import re
import sys

import numpy as np
import pytest
from rich.console import Console

from search.toy_games import Nim, RandomTree
from tesuji.games import Connect4, Hex, TicTacToe
from tesuji.go import Board, EngineConfig
from tesuji.search import PUCT, RAVE, UCB1, Search, SearchConfig, SearchResult
from tesuji.search.view.excerpt import excerpt_of
from tesuji.search.view.names import names_of


class NamedNim(Nim):
    def move_name(self, move: int) -> str:
        return f'take "{move + 1}"'


def result_of(game: object, simulations: int = 200, **config: object) -> SearchResult:
    return Search(game, SearchConfig(**config)).run(simulations=simulations, seed=1)  # type: ignore[arg-type]


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "move", "name", "first"),
    [
        (Connect4(), 3, "4", "Red"),
        (Hex(5), 7, "c2", "Red"),
        (TicTacToe(), 4, "b2", "X"),
        (Board(9), 40, "E5", "Black"),
        (Board(9), 81, "pass", "Black"),
        (EngineConfig().game_at(Board(9)), 40, "E5", "Black"),
        (Nim(5), 2, "2", "the first player"),
        (NamedNim(5), 2, 'take "3"', "the first player"),
    ],
)
def test_names__are_those_of_the_game(game: object, move: int, name: str, first: str) -> None:
    names = names_of(game)
    assert (names.move(move), names.players[0]) == (name, first)


def test_table__has_names_and_numbers_where_they_differ() -> None:
    table = result_of(Connect4()).table().splitlines()
    assert table[0].split() == ["move", "number", "visits", "value"]
    assert any(line.split()[:2] == ["4", "3"] for line in table)


def test_table__has_no_numbers_where_moves_are_numbers() -> None:
    assert result_of(Nim(5)).table().splitlines()[0].split() == ["move", "visits", "value"]


def test_table__has_amaf_and_priors_where_the_config_has_them() -> None:
    head = result_of(RandomTree(1), selection=PUCT(), amaf=RAVE()).table().splitlines()[0]
    assert head.split() == ["move", "visits", "value", "AMAF", "prior"]


def test_repr__names_the_best_move_and_its_number() -> None:
    shown = repr(result_of(Connect4()))
    assert re.match(r"<SearchResult: 200 simulations in .* s, best move \d \(number \d\), value 0\.", shown)


def test_repr_html__escapes_the_names_of_moves_and_counts_what_is_left_out() -> None:
    assert "take &quot;" in result_of(NamedNim(9))._repr_html_()
    assert "and 72 more moves" in result_of(Board(9))._repr_html_()  # 81 points and the pass, ten are shown


# --- the graph of a result --------------------------------------------------------------------------------------------


def test_to_dot__of_an_old_result_says_that_the_search_has_gone_on() -> None:
    search = Search(Connect4())
    old = search.run(simulations=100, seed=1)
    new = search.run(simulations=100)
    assert new.to_dot().startswith("digraph")
    with pytest.raises(ValueError, match="has gone on since this result.*search.result()"):
        old.to_dot()
    search.advance(3)
    with pytest.raises(ValueError, match="has gone on"):
        new.to_dot()
    assert search.result().to_dot().startswith("digraph")


def test_to_dot__works_while_the_search_runs_and_not_with_that_result_afterwards() -> None:
    seen: list[SearchResult] = []
    dots: list[str] = []

    def look(so_far: SearchResult) -> bool:
        seen.append(so_far)
        dots.append(so_far.to_dot(5))
        return False

    Search(Hex(11)).run(seconds=60, seed=1, on_progress=look, report_s=0.001)
    assert dots[0].startswith("digraph")
    with pytest.raises(ValueError, match="has gone on"):
        seen[0].to_dot()


def test_pickle__keeps_the_numbers_and_leaves_the_graph_behind() -> None:
    result = result_of(Connect4())
    twin = pickle.loads(pickle.dumps(result))
    assert np.array_equal(twin.visits, result.visits)
    assert twin.name(3) == "3"
    with pytest.raises(ValueError, match="came without its graph"):
        twin.to_dot()


def test_position__is_the_game_at_the_root() -> None:
    search = Search(Connect4())
    search.run(simulations=10, seed=1)
    search.advance(3)
    search.advance(2)
    expected = Connect4()
    expected.play(3)
    expected.play(2)
    assert search.position.key() == expected.key()
    assert search.game.key() == Connect4().key()


# --- DOT --------------------------------------------------------------------------------------------------------------


def test_to_dot__has_the_nodes_and_edges_of_the_graph_with_names_and_visits() -> None:
    result = result_of(TicTacToe(), simulations=40)
    text = result.to_dot(max_nodes=6)
    assert len(re.findall(r"^  n\d+ \[", text, re.MULTILINE)) == 6
    assert len(re.findall(r"^  n\d+ -> n\d+ \[", text, re.MULTILINE)) == 5
    best = int(np.argmax(result.visits))
    assert f'label="{result.name(int(result.moves[best]))}: {result.visits[best]}"' in text


def test_to_dot__quotes_what_dot_would_read() -> None:
    assert r'label="take \"1\"' in result_of(NamedNim(5)).to_dot()


def test_to_dot__a_transposition_is_one_node_with_two_parents() -> None:
    text = result_of(Nim(6), graph="dag").to_dot(max_nodes=100)
    targets = re.findall(r"-> (n\d+) ", text)
    assert len(targets) > len(set(targets))


# --- excerpts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("graph", ["tree", "dag"])
@pytest.mark.parametrize("max_nodes", [1, 2, 7, 50, 10**6])
def test_excerpt__is_connected_and_takes_the_most_visited(graph: str, max_nodes: int) -> None:
    search = Search(TicTacToe(), SearchConfig(graph=graph))  # type: ignore[arg-type]
    search.run(simulations=500, seed=1)
    columns = search.graph()
    excerpt = excerpt_of(columns, max_nodes)
    visits = columns["node_visits"]
    assert excerpt.nodes[0] == 0
    assert len(excerpt.nodes) <= max_nodes
    children = set(columns["edge_child"][excerpt.edges].tolist())
    assert children | {0} == set(excerpt.nodes.tolist())
    assert set(excerpt.parents.tolist()) <= set(excerpt.nodes.tolist())
    if graph == "tree":
        assert sorted(visits[excerpt.nodes], reverse=True) == sorted(visits, reverse=True)[: len(excerpt.nodes)]
        assert len(excerpt.nodes) == min(max_nodes, int((visits > 0).sum()))


def test_excerpt__edges_are_sorted_by_visits_within_their_node() -> None:
    search = Search(Connect4())
    search.run(simulations=2000, seed=1)
    excerpt = excerpt_of(search.graph(), 300)
    visits = excerpt.columns["edge_visits"][excerpt.edges]
    same_parent = excerpt.parents[1:] == excerpt.parents[:-1]
    assert (visits[1:][same_parent] <= visits[:-1][same_parent]).all()


@pytest.mark.parametrize("max_nodes", [0, -1, 2.5, True])
def test_excerpt__a_number_of_nodes_that_is_none_is_refused(max_nodes: object) -> None:
    with pytest.raises(ValueError, match="max_nodes is .*at least 1"):
        result_of(TicTacToe()).to_dot(max_nodes=max_nodes)  # type: ignore[arg-type]


# --- charts -----------------------------------------------------------------------------------------------------------


def test_plot__has_a_bar_and_a_name_for_every_move_and_writes_a_file(tmp_path) -> None:
    pytest.importorskip("matplotlib")
    result = result_of(Connect4(), amaf=RAVE())
    figure = result.plot(tmp_path / "chart.svg")
    visits, values = figure.axes
    assert [bar.get_width() for bar in visits.patches] == sorted(result.visits.tolist(), reverse=True)
    assert {label.get_text() for label in visits.get_yticklabels()} == set("1234567")
    assert [line.get_label() for line in values.get_lines()][1:] == ["value", "AMAF"]
    assert (tmp_path / "chart.svg").read_text(encoding="utf-8").count("<svg") == 1


def test_plot__says_what_is_proved_and_how_many_moves_are_missing() -> None:
    pytest.importorskip("matplotlib")
    proved = result_of(Nim(2), simulations=100, solver=True).plot()
    assert "won" in {text.get_text() for text in proved.axes[1].texts}
    short = result_of(Board(9)).plot(limit=5)
    assert short.get_supxlabel() == "and 77 more moves"


def test_plot__refuses_a_limit_that_is_none() -> None:
    with pytest.raises(ValueError, match="limit is 0; it must be a whole number, at least 1"):
        result_of(TicTacToe()).plot(limit=0)


@pytest.mark.parametrize(("library", "method"), [("matplotlib", "plot"), ("jinja2", "to_html")])
def test_missing_library__the_error_names_the_extra(library: str, method: str, tmp_path, monkeypatch) -> None:
    result = result_of(TicTacToe())
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=rf"need {library}, which is not installed: \S*pip install \S+\[plot\]"):
        getattr(result, method)(tmp_path / "file")
    assert not list(tmp_path.iterdir())


# --- watching ---------------------------------------------------------------------------------------------------------


def watched(is_terminal: bool) -> tuple[SearchResult, str]:
    text = io.StringIO()
    console = Console(file=text, force_terminal=is_terminal, width=100, color_system=None)
    result = Search(Hex(7), SearchConfig(selection=UCB1(c=0.2))).watch(simulations=2_000, seed=1, console=console)
    return result, text.getvalue()


def test_watch__gives_the_result_of_a_run_and_shows_its_table() -> None:
    result, text = watched(is_terminal=True)
    assert result.simulations == 2_000
    assert "Hex: 2,000 simulations" in text
    assert "main line: " + result.name(result.main_line[0]) in text


def test_watch__prints_the_end_once_in_a_pipe() -> None:
    result, text = watched(is_terminal=False)
    assert text.count("main line") == 1
    assert text.endswith("\n")
    assert "\x1b" not in text
    assert np.array_equal(result.visits, watched(is_terminal=True)[0].visits)
