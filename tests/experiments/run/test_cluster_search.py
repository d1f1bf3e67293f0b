"""One search over many machines: the arithmetic of the exchange, and a real cluster on this machine."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tesuji.experiments.run.cluster_search import ClusterSearch, Exchange
from tesuji.games import Connect4, Hex, TicTacToe
from tesuji.go import Board
from tesuji.search import RAVE, UCB1, Search, SearchConfig, Statistics

CONFIG = SearchConfig(selection=UCB1(c=0.2), amaf=RAVE(k=300.0))


def rows(*visits: int) -> Any:
    """Statistics of a node: moves 0, 1, ...; every visit was won, AMAF saw twice as much."""
    counts = np.array(visits, dtype=np.int64)
    return np.stack([np.arange(len(visits)), counts, counts, 2 * counts, 2 * counts, 0 * counts])


def visits(found: Statistics, path: tuple[int, ...] = ()) -> list[int]:
    return [int(count) for count in found[path][1]]


def test_exchange__nobody_is_told_what_he_found_himself() -> None:
    exchange = Exchange(2)
    exchange.report(0, {(): rows(3, 1)})
    exchange.report(1, {(): rows(0, 5)})
    assert visits(exchange.news_for(0)) == [0, 5]
    assert visits(exchange.news_for(1)) == [3, 1]
    assert visits(exchange.total()) == [3, 6]


def test_exchange__what_was_told_is_not_told_again_and_not_counted_twice() -> None:
    exchange = Exchange(2)
    exchange.report(0, {(): rows(3, 1)})
    exchange.report(1, {(): rows(0, 5)})
    exchange.news_for(0), exchange.news_for(1)
    exchange.report(0, {(): rows(3 + 2, 1 + 5 + 1)})  # 2 and 1 of its own since, 5 that it was told
    exchange.report(1, {(): rows(0 + 3, 5 + 1 + 4)})  # 4 of its own since
    assert visits(exchange.total()) == [5, 2 + 9]
    assert visits(exchange.news_for(0)) == [0, 4]
    assert visits(exchange.news_for(1)) == [2, 1]
    exchange.report(0, {(): rows(5, 2 + 9)})
    assert exchange.news_for(1) == {}


def test_exchange__only_nodes_that_a_root_has_are_told() -> None:
    exchange = Exchange(2)
    exchange.report(0, {(): rows(9, 1), (0,): rows(4, 4)})
    exchange.report(1, {(): rows(1, 1)})
    assert set(exchange.news_for(1)) == {()}
    exchange.report(1, {(): rows(1 + 9, 1 + 1), (0,): rows(2, 3)})
    assert visits(exchange.news_for(1), (0,)) == [4, 4]
    assert visits(exchange.total(), (0,)) == [6, 7]


def test_exchange__a_move_that_was_played_keeps_what_is_below_it() -> None:
    exchange = Exchange(2)
    exchange.report(0, {(): rows(9, 1), (0,): rows(4, 4), (1,): rows(1, 0), (0, 1): rows(3, 3)})
    exchange.advance(0)
    assert set(exchange.total()) == {(), (1,)}
    assert visits(exchange.total()) == [4, 4]
    assert visits(exchange.total(), (1,)) == [3, 3]


def test_exchange__proofs_add_up() -> None:
    exchange = Exchange(2)
    won = rows(1, 1)
    won[5] = [3, 0]
    exchange.report(0, {(): won})
    exchange.report(1, {(): rows(1, 1)})
    assert list(exchange.total()[()][5]) == [3, 0]


@pytest.mark.parametrize("game", [TicTacToe(), Connect4(), Hex(5), Board(5)], ids=lambda game: type(game).__name__)
def test_pickle__every_game_travels(game: Any) -> None:
    for move in (2, 3):
        game.play(move)
    copy = pickle.loads(pickle.dumps(game))
    assert list(copy.legal_moves()) == list(game.legal_moves())
    assert copy.to_play == game.to_play
    copy.play(4)
    game.play(4)
    assert list(copy.legal_moves()) == list(game.legal_moves())


def test_pickle__of_another_size_is_refused() -> None:
    game = TicTacToe.__new__(TicTacToe)
    with pytest.raises(ValueError, match="another version"):
        game.__setstate__(b"too short")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, worker_dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_cluster_search__finds_what_one_search_finds(client: Any) -> None:
    with ClusterSearch(Hex(5), CONFIG, client=client) as search:
        seen: list[int] = []
        result = search.run(simulations=4000, seed=3, on_progress=lambda so_far: seen.append(so_far.simulations))
        assert result.simulations == 4000
        assert int(result.visits.sum()) == 4000
        assert seen == sorted(seen)
        assert len(seen) == 10
        assert result.main_line[0] == result.best_move
        assert len(result.main_line) > 1
        assert result.provenance is not None
        alone = Search(Hex(5), CONFIG).run(simulations=4000, seed=3)
        assert abs(result.value - alone.value) < 0.15
        again = ClusterSearch(Hex(5), CONFIG, client=client).run(simulations=4000, seed=3)
        assert list(again.visits) == list(result.visits)


def test_cluster_search__keeps_what_it_knows_after_a_move(client: Any) -> None:
    with ClusterSearch(Connect4(), SearchConfig(), client=client) as search:
        before = search.run(simulations=3000)
        search.advance(before.best_move)
        after = search.run(simulations=500)
        assert int(after.visits.sum()) > 500
        assert after.simulations == 500


def test_cluster_search__ends_when_a_root_has_a_proof(client: Any) -> None:
    with ClusterSearch(TicTacToe(), SearchConfig(solver=True), client=client) as search:
        assert search.run(simulations=2_000_000).proof == "drawn"


def test_cluster_search__wrong_settings_are_named(client: Any) -> None:
    with pytest.raises(ValueError, match="graph='tree'"):
        ClusterSearch(Hex(5), SearchConfig(graph="dag"), client=client)
    with pytest.raises(ValueError, match="the cluster has 2 workers"):
        ClusterSearch(Hex(5), client=client, num_roots=3)
    with pytest.raises(ValueError, match="a run needs a limit"):
        ClusterSearch(Hex(5), client=client).run()


def test_cluster_search__goes_on_when_a_worker_dies(client: Any) -> None:
    """The last test of this module: it kills a worker."""
    with ClusterSearch(Hex(5), CONFIG, client=client) as search:
        search.run(simulations=1000)
        victim = next(iter(client.run(os.getpid).values()))

        def kill_once(_so_far: object) -> None:
            nonlocal victim
            if victim:
                os.kill(victim, signal.SIGKILL)
                victim = 0

        result = search.run(simulations=2000, on_progress=kill_once)
        assert search.num_roots == 1
        assert result.simulations > 1000
        assert int(result.visits.sum()) >= result.simulations
