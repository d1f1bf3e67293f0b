"""Stored games as something to read: pages, tables, plots."""

from tesuji.experiments.report.report import MAX_GAMES_LISTED, Format, report_text, spec_toml, write_report

__all__ = ["MAX_GAMES_LISTED", "Format", "report_text", "spec_toml", "write_report"]
