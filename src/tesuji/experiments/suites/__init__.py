"""Regression suites: read from their files, put to an engine, counted."""

from tesuji.experiments.suites.suite import Expectation, Suite, open_suites, parse_jsonl, parse_tst

__all__ = ["Expectation", "Suite", "open_suites", "parse_jsonl", "parse_tst"]
