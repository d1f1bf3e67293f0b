"""Search a Hex position and look at what the search thinks: a chart, a page to browse, a graph for Graphviz.

python examples/look_inside.py [folder]
"""

from __future__ import annotations

import sys
from pathlib import Path

from tesuji.games import Hex
from tesuji.search import RAVE, UCB1, Search, SearchConfig


def main(folder: Path) -> None:
    """Write ``moves.png``, ``graph.html`` and ``graph.dot`` into a folder."""
    search = Search(Hex(7), SearchConfig(selection=UCB1(c=0.0), amaf=RAVE(k=300), solver=True))
    result = search.run(simulations=20_000, seed=1)
    print(result)
    print("main line:", result.names.line(result.main_line))
    result.plot(folder / "moves.png")
    result.to_html(folder / "graph.html")
    (folder / "graph.dot").write_text(result.to_dot(max_nodes=40), encoding="utf-8")
    print("wrote moves.png, graph.html and graph.dot; open graph.html in a browser")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
