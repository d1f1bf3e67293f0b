"""The Go engine: `Engine` and its `EngineConfig`, its clocks, its manners, its parameters and presets."""

from tesuji.go.engine.config import EngineConfig
from tesuji.go.engine.engine import Analysis, Candidate, Choice, Engine

__all__ = ["Analysis", "Candidate", "Choice", "Engine", "EngineConfig"]
