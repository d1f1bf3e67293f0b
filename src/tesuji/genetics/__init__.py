"""Panels of SNPs: the few genetic markers that best tell groups of individuals apart.

::

    source = open_genotypes("data.bed")
    labels = match_labels(source.samples, read_labels("groups.tsv", "region"))
    panel = choose_panel(source, labels, Plan(size=12, seconds=60))
    panel.inner_accuracy, panel.held_out_accuracy, [snp.id for snp in panel.snps]

How it works: ``docs/algorithms/snp-panels.md``. Step by step: ``docs/howto/ancestry-panel.md``. It knows nothing of Go.
"""

from tesuji.genetics.algorithms import ALGORITHMS, MCTS, Algorithm, Backward, Forward, GrQS, TopN
from tesuji.genetics.choosing import Plan, choose_panel
from tesuji.genetics.constraints import Spacing
from tesuji.genetics.draws import Drawing
from tesuji.genetics.estimators import GenotypeClassifier, PanelSelector
from tesuji.genetics.evaluation import Evaluation, evaluate
from tesuji.genetics.genotypes import MISSING, Genotypes, Snp, Source
from tesuji.genetics.labels import Labels, match_labels, read_labels
from tesuji.genetics.model import Assignment, GroupModel
from tesuji.genetics.panel import Panel, PanelSnp, match_panel, read_panel
from tesuji.genetics.problem import Judging, Problem
from tesuji.genetics.quality import Quality
from tesuji.genetics.reader import open_genotypes
from tesuji.genetics.scan import Candidates, find_candidates, scan
from tesuji.genetics.searching import FoundPanel, PanelSearch, find_panels
from tesuji.genetics.statistics import Weights

__all__ = [
    "ALGORITHMS",
    "MCTS",
    "MISSING",
    "Algorithm",
    "Assignment",
    "Backward",
    "Candidates",
    "Drawing",
    "Evaluation",
    "Forward",
    "FoundPanel",
    "GenotypeClassifier",
    "Genotypes",
    "GrQS",
    "GroupModel",
    "Judging",
    "Labels",
    "Panel",
    "PanelSearch",
    "PanelSelector",
    "PanelSnp",
    "Plan",
    "Problem",
    "Quality",
    "Snp",
    "Source",
    "Spacing",
    "TopN",
    "Weights",
    "choose_panel",
    "evaluate",
    "find_candidates",
    "find_panels",
    "match_labels",
    "match_panel",
    "open_genotypes",
    "read_labels",
    "read_panel",
    "scan",
]
