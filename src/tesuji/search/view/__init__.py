"""Results to look at: tables, charts, Graphviz, a page to browse; the names of moves."""
