"""What the engine knows of Go before it searches: playouts, patterns, features, priors, groups of moves."""

from tesuji.go.knowledge.game import GoGame

__all__ = ["GoGame"]
