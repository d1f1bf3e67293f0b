"""Settings of the Go engine beside those of its search: its playouts and its priors.

``playouts=fuego`` takes a policy of `tesuji.go.playouts`; ``p_nakade=0.5`` sets the probability of one of its rules (0
takes the rule out, and a rule that the policy does not have comes in at its place in `tesuji.go.playouts.RULES`);
``prior_capture=20`` sets a weight of `tesuji.go.priors.PriorWeights`, ``prior_visits=0`` does without priors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from tesuji.experiments.records import Setting
from tesuji.go.engine import EngineConfig
from tesuji.go.playouts import POLICIES, RULES, PlayoutPolicy
from tesuji.go.priors import PriorWeights
from tesuji.search import VirtualVisits

__all__ = ["GO_SETTINGS", "GoSetting", "applied_to_engine"]


class GoSetting(NamedTuple):
    """A setting of the Go engine: its type and what it sets."""

    kind: type[Setting]
    field: str


_POLICY_FIELDS: dict[str, type[Setting]] = {
    "self_atari": str,
    "self_atari_probability": float,
    "reads_ladders": bool,
    "mends_eyes": bool,
    "fill_board_tries": int,
    "list_limit": int,
    "length_coefficient": float,
    "mercy": float,
    "amaf_share": float,
    "margin_weight": float,
    "pattern_urgency": float,
}
_WEIGHTS = [name for name in PriorWeights.__struct_fields__ if name != "distance"]
_PROBABILITIES = {f"p_{rule.replace('-', '_')}": rule for rule in RULES}

GO_SETTINGS: dict[str, GoSetting] = {
    "resign_below": GoSetting(float, "EngineConfig.resign_below: the win rate below which it resigns (Go)"),
    "keeps_graph": GoSetting(bool, "EngineConfig.keeps_graph: go on from what it knew at the last move (Go)"),
    "playouts": GoSetting(str, f"EngineConfig.playouts: {', '.join(POLICIES)} (Go)"),
    **{name: GoSetting(kind, f"PlayoutPolicy.{name} (Go)") for name, kind in _POLICY_FIELDS.items()},
    **{name: GoSetting(float, f"the probability of the rule {rule} (Go)") for name, rule in _PROBABILITIES.items()},
    "prior_visits": GoSetting(float, "VirtualVisits.visits; 0: no priors (Go)"),
    **{f"prior_{name.rstrip('_')}": GoSetting(float, f"PriorWeights.{name} (Go)") for name in _WEIGHTS},
}


def applied_to_engine(settings: Mapping[str, Setting], base: EngineConfig) -> EngineConfig:
    """An engine config with the fields replaced that settings name; the search's own are left to `settings.applied`.

    Raises
    ------
    ValueError
        If a value is out of range or a policy does not exist.
    """
    changes: dict[str, Any] = {"playouts": _policy(settings, base.playouts)}
    changes |= {name: settings[name] for name in ("resign_below", "keeps_graph") if name in settings}
    weights = {
        name: settings[f"prior_{name.rstrip('_')}"] for name in _WEIGHTS if f"prior_{name.rstrip('_')}" in settings
    }
    if weights:
        changes["priors"] = msgspec.structs.replace(base.priors or PriorWeights(), **weights)
    if "prior_visits" in settings:
        visits = float(settings["prior_visits"])
        prior = VirtualVisits(visits=visits) if visits else None
        changes["search"] = msgspec.structs.replace(base.search, prior=prior)
        changes.setdefault("priors", (base.priors or PriorWeights()) if visits else None)
    return msgspec.structs.replace(base, **changes)


def _policy(settings: Mapping[str, Setting], policy: PlayoutPolicy) -> PlayoutPolicy:
    if "playouts" in settings:
        name = str(settings["playouts"])
        if name not in POLICIES:
            raise ValueError(f"there is no playout policy {name[:40]!r}; known are {', '.join(sorted(POLICIES))}")
        policy = POLICIES[name]
    fields: dict[str, Any] = {name: settings[name] for name in _POLICY_FIELDS if name in settings}
    rules = dict(policy.rules)
    for name, rule in _PROBABILITIES.items():
        if name in settings:
            rules[rule] = float(settings[name])
    order = [rule for rule, _ in policy.rules]
    for rule in rules:
        if rule not in order:  # where the list of all rules has it
            later = [known for known in order if RULES.index(known) > RULES.index(rule)]
            order.insert(order.index(later[0]) if later else len(order), rule)
    fields["rules"] = tuple((rule, rules[rule]) for rule in order if rules[rule] != 0)
    return msgspec.structs.replace(policy, **fields)
