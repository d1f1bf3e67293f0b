"""Which experiments there are: a name, and where its definition lies.

To add one, write a module with an object that satisfies `harness.Experiment` and add a line here. A module is imported
when its experiment is asked for, so a long list costs nothing.
"""

from __future__ import annotations

from importlib import import_module

from tesuji.papers.harness import Experiment
from tesuji.words import meant

__all__ = ["experiment", "names"]

_ENTRIES = {
    "gnugo/levels": "tesuji.papers.gnugo_levels:LEVELS",
    "pividori-2015/rave": "tesuji.papers.pividori_matches:RAVE",
    "pividori-2015/knowledge": "tesuji.papers.pividori_matches:KNOWLEDGE",
    "pividori-2015/gnugo": "tesuji.papers.pividori_matches:GNUGO",
    "pividori-2015/exploration": "tesuji.papers.pividori_sweeps:EXPLORATION",
    "pividori-2015/simulations": "tesuji.papers.pividori_sweeps:NUM_SIMULATIONS",
    "uct-dag/fig-1.2": "tesuji.papers.uct_dag_alpha_beta:FIG_1_2",
    "uct-dag/fig-3.1": "tesuji.papers.uct_dag:FIG_3_1",
    "uct-dag/fig-3.2": "tesuji.papers.uct_dag:FIG_3_2",
    "uct-dag/fig-3.3": "tesuji.papers.uct_dag:FIG_3_3",
    "uct-dag/fig-3.4": "tesuji.papers.uct_dag:FIG_3_4",
    "uct-dag/fig-3.5": "tesuji.papers.uct_dag_groups:FIG_3_5",
    "uct-dag/fig-3.6": "tesuji.papers.uct_dag_groups:FIG_3_6",
    "uct-dag/fig-3.7": "tesuji.papers.uct_dag_groups:FIG_3_7",
    "uct-dag/fig-3.8": "tesuji.papers.uct_dag_groups:FIG_3_8",
    "uct-dag/fig-3.9": "tesuji.papers.uct_dag_groups:FIG_3_9",
    "uct-dag/fig-3.10": "tesuji.papers.uct_dag_groups:FIG_3_10",
    "uct-dag/fig-3.11": "tesuji.papers.uct_dag_groups:FIG_3_11",
    "uct-dag/fig-c.1": "tesuji.papers.uct_dag:FIG_C_1",
    "uct-dag/fig-c.2": "tesuji.papers.uct_dag:FIG_C_2",
    "uct-dag/fig-c.3": "tesuji.papers.uct_dag_groups:FIG_C_3",
    "uct-dag/fig-c.4": "tesuji.papers.uct_dag_groups:FIG_C_4",
    "uct-dag/fig-c.5": "tesuji.papers.uct_dag_groups:FIG_C_5",
    "uct-dag/fig-c.6": "tesuji.papers.uct_dag_groups:FIG_C_6",
    "uct-dag/fig-c.7": "tesuji.papers.uct_dag_groups:FIG_C_7",
    "uct-dag/fig-c.8": "tesuji.papers.uct_dag_groups:FIG_C_8",
    "uct-dag/modes": "tesuji.papers.uct_dag_modes:MODES",
    "uct-dag/maturity": "tesuji.papers.uct_dag_maturity:MATURITY",
    "uct-dag/fig-3.12": "tesuji.papers.uct_dag_go:FIG_3_12",
    "uct-dag/fig-3.13": "tesuji.papers.uct_dag_go:FIG_3_13",
    "uct-dag/fig-3.14": "tesuji.papers.uct_dag_go:FIG_3_14",
    "uct-dag/fig-d.1": "tesuji.papers.uct_dag_go:FIG_D_1",
    "uct-dag/fig-d.2": "tesuji.papers.uct_dag_go:FIG_D_2",
    "uct-dag/fig-d.3": "tesuji.papers.uct_dag_go:FIG_D_3",
    "uct-dag/table-size": "tesuji.papers.uct_dag_table:TABLE_SIZE",
    "uct-dag/go-9x9": "tesuji.papers.uct_dag_go:GO_9X9",
    "uct-dag/go-13x13": "tesuji.papers.uct_dag_go:GO_13X13",
    "uct-dag/go-head-to-head": "tesuji.papers.uct_dag_go:HEAD_TO_HEAD",
    "engine/ablation": "tesuji.papers.ablation:ABLATION",
    "basaldua/fig-3.2": "tesuji.papers.basaldua_qualities:FIG_3_2",
    "basaldua/fig-3.3": "tesuji.papers.basaldua_qualities:FIG_3_3",
    "basaldua/fig-3.5": "tesuji.papers.basaldua_masters:FIG_3_5",
    "basaldua/curve-6.1.3": "tesuji.papers.basaldua_masters:CURVE_6_1_3",
    "basaldua/table-3.3": "tesuji.papers.basaldua_openings:TABLE_3_3",
    "basaldua/table-3.4-5000": "tesuji.papers.basaldua_openings:AT_5000",
    "basaldua/table-3.4-20000": "tesuji.papers.basaldua_openings:AT_20000",
    "basaldua/table-3.4-50000": "tesuji.papers.basaldua_openings:AT_50000",
    "basaldua/fig-2.13": "tesuji.papers.basaldua_packing:FIG_2_13",
    "basaldua/7.2.6": "tesuji.papers.basaldua_packing:REVISITS",
    "basaldua/table-4.8": "tesuji.papers.basaldua_moves:TABLE_4_8",
    "basaldua/table-4.9-9x9": "tesuji.papers.basaldua_playouts:ON_9X9",
    "basaldua/table-4.9-9x9-32000": "tesuji.papers.basaldua_playouts:ON_9X9_32000",
    "basaldua/table-4.9-9x9-128000": "tesuji.papers.basaldua_playouts:ON_9X9_128000",
    "basaldua/table-4.9-13x13": "tesuji.papers.basaldua_playouts:ON_13X13",
    "basaldua/table-4.9-19x19": "tesuji.papers.basaldua_playouts:ON_19X19",
    "basaldua/table-4.10": "tesuji.papers.basaldua_playouts:TABLE_4_10",
    "basaldua/doubling": "tesuji.papers.basaldua_playouts:DOUBLING",
    "btt-go/table-2-9x9": "tesuji.papers.btt_go:TABLE_2_9X9",
    "btt-go/table-2-13x13": "tesuji.papers.btt_go:TABLE_2_13X13",
    "btt-go/table-2-19x19": "tesuji.papers.btt_go:TABLE_2_19X19",
    "btt-go/table-3-9x9": "tesuji.papers.btt_go:TABLE_3_9X9",
    "btt-go/table-3-13x13": "tesuji.papers.btt_go:TABLE_3_13X13",
    "btt-go/table-3-19x19": "tesuji.papers.btt_go:TABLE_3_19X19",
    "btt-go/table-4-9x9": "tesuji.papers.btt_go:TABLE_4_9X9",
    "btt-go/table-4-13x13": "tesuji.papers.btt_go:TABLE_4_13X13",
    "btt-go/table-4-19x19": "tesuji.papers.btt_go:TABLE_4_19X19",
    "btt-go/ablation": "tesuji.papers.btt_go_uses:ABLATION",
    "btt-go/playouts": "tesuji.papers.btt_go_playouts:PLAYOUTS",
    "wls/table-4.5": "tesuji.papers.wls_quality:TABLE_4_5",
    "wls/table-4.6": "tesuji.papers.wls_quality:TABLE_4_6",
    "wls/fig-4.11": "tesuji.papers.wls_settling:FIG_4_11",
    "genetics/worlds": "tesuji.papers.genetics_worlds:TABLES",
    "genetics/genomes": "tesuji.papers.genetics_worlds:GENOME_TABLES",
    "genetics/minute": "tesuji.papers.genetics_minute:MINUTE",
    "genetics/aims": "tesuji.papers.genetics_aims:AIMS",
    "huang-2003/fig-4": "tesuji.papers.huang_training:FIG_4",
    "huang-2003/tables": "tesuji.papers.huang_tables:TABLES",
    "huang-2003/table-1": "tesuji.papers.huang_tables:TABLE_1",
    "huang-2003/table-2": "tesuji.papers.huang_tables:TABLE_2",
    "huang-2003/table-3": "tesuji.papers.huang_tables:TABLE_3",
    "huang-2003/table-4": "tesuji.papers.huang_tables:TABLE_4",
    "huang-2003/table-5": "tesuji.papers.huang_tables:TABLE_5",
    "library/samegame": "tesuji.papers.library_samegame:SAMEGAME",
}


def names() -> list[str]:
    """All experiments, in the order in which they are listed."""
    return list(_ENTRIES)


def experiment(name: str) -> Experiment:
    """An experiment by its name.

    Raises
    ------
    ValueError
        For an unknown name.
    """
    if name not in _ENTRIES:
        near = meant(name, _ENTRIES, cutoff=0.4)
        hint = f"did you mean {near}?" if near else f"there are {', '.join(_ENTRIES)}"
        raise ValueError(f"{name!r} is not an experiment: {hint}")
    module, _, attribute = _ENTRIES[name].partition(":")
    found: Experiment = getattr(import_module(module), attribute)
    return found
