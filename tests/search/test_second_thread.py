"""Everything that a `Search` can be asked, from a second thread while it runs in a tiny memory: refused or answered.

A crash of the interpreter fails the whole test run, so what is called here is called in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys, threading, tempfile, os
import numpy as np
from tesuji.games import Connect4
from tesuji.search import RAVE, Search, SearchConfig

graph, threads = sys.argv[1], int(sys.argv[2])
config = SearchConfig(graph=graph, threads=threads, memory_bytes=120_000, amaf=RAVE(), table_entries=500, maturity=3)
search = Search(Connect4(), config)
running = threading.Thread(target=lambda: search.run(seconds=1.5, seed=1))
folder = tempfile.mkdtemp()
calls = {
    "result": lambda: search.result(),
    "graph": lambda: search.graph(),
    "statistics": lambda: search.statistics(),
    "take_in": lambda: search.take_in({(): np.zeros((6, 0))}),
    "save": lambda: search.save(os.path.join(folder, "a.graph")),
    "save_table": lambda: search.save_table(os.path.join(folder, "a.table")),
    "drop_rare_entries": lambda: search.drop_rare_entries(),
    "advance": lambda: search.advance(3),
    "position": lambda: search.position,
    "biases": lambda: search.group_biases,
    "run": lambda: search.run(simulations=10),
}
answered = dict.fromkeys(calls, 0)
refused = dict.fromkeys(calls, 0)
running.start()
while running.is_alive():
    for name, call in calls.items():
        if not running.is_alive():
            break
        try:
            answer = call()
            answered[name] += 1
            if name == "graph" and len(answer["node_mover"]):  # nothing is there before the run begins
                first, number = answer["node_first_edge"], answer["node_num_edges"]
                assert (first + number <= len(answer["edge_move"])).all()
                ended = answer["node_visits"][0] - answer["edge_visits"][: number[0]].sum()
                assert 0 <= ended <= 3 or graph == "multipath", ended  # before it had edges, if it was advanced to
        except (RuntimeError, ValueError):
            refused[name] += 1
running.join()
print(sum(answered.values()), sum(refused.values()), answered["graph"], answered["result"])
"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("graph", ["tree", "dag", "shared-values", "shared-counts", "multipath"])
def test_second_thread__whatever_it_asks_nothing_breaks(graph: str, threads: int) -> None:
    if graph == "multipath" and threads > 1:
        pytest.skip("multipath has one thread")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, graph, str(threads)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    answered, refused, graphs, results = map(int, done.stdout.split())
    assert graphs > 0
    assert results > 0
    assert refused > 0
    assert answered > refused / 20
