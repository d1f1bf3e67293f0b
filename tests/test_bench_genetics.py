"""The benchmark of genetics measures what it says; how fast it is, is not a test."""

from __future__ import annotations

import json

from click.testing import CliRunner

from tesuji.cli import main


def test_every_number_is_there():
    result = CliRunner().invoke(main, ["bench", "genetics", "--snps", "2000", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["scan_snps"] == 2000
    assert all(value > 0 for value in found.values())
    from tesuji.bench.genetics import GeneticsReport, to_text

    assert "wanted: 20x faster" in to_text(GeneticsReport(**found))
