"""Every field of an `EngineConfig` under a flat name, for files, the command line, GTP's ``param`` and the laboratory.

The names are the fields' own; those of `PriorWeights` begin with ``prior_``, those of `Learning` with ``learning_``,
those of the search are the search's (`tesuji.search.parameters`). Beside the fields: ``playouts=fuego`` takes a policy
of `tesuji.go.knowledge.playouts` as a whole; ``rule_order`` lists its rules and ``p_nakade=0.5`` sets the probability
of one (0 takes it out; a rule that the policy does not have comes in at its place in
`tesuji.go.knowledge.playouts.RULES`); ``prior_visits=0`` does without priors. ``known=64`` gives it a memory of
positions of 64 MB. Those of groups of moves are in `tesuji.go.engine.group_parameters`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from tesuji.go.engine.config import EngineConfig
from tesuji.go.engine.group_parameters import group_parameters
from tesuji.go.engine.position_memory import PositionMemory
from tesuji.go.knowledge.learning import Learning
from tesuji.go.knowledge.m_eval import MEvalSettings
from tesuji.go.knowledge.playouts import POLICIES, RULES, PlayoutPolicy
from tesuji.go.knowledge.priors import PriorWeights
from tesuji.search import VirtualVisits
from tesuji.search.parameters import (
    SEARCH_PARAMETERS,
    Draft,
    FieldPlace,
    Parameter,
    ParameterError,
    Value,
    applied,
    described,
    search_parameters,
    table_of,
)

__all__ = ["ENGINE_PARAMETERS", "GO_ONLY", "applied_later", "applied_to_engine", "values_of"]

_LIMITS = ("simulations", "seconds")


class _PolicyPlace(msgspec.Struct, frozen=True):
    """The whole policy, by name."""

    def read(self, config: msgspec.Struct) -> Value | None:
        """The name of the policy; None if it is none of those that have one."""
        assert isinstance(config, EngineConfig)
        return next((name for name, policy in POLICIES.items() if policy == config.playouts), None)

    def write(self, draft: Draft, value: Value) -> None:
        """Take the policy of that name."""
        draft.fields["playouts"] = Draft(POLICIES[str(value)])


class _OrderPlace(msgspec.Struct, frozen=True):
    """The rules of the policy, in their order."""

    def read(self, config: msgspec.Struct) -> Value | None:
        """Their names, with spaces between."""
        assert isinstance(config, EngineConfig)
        return " ".join(rule for rule, _ in config.playouts.rules)

    def write(self, draft: Draft, value: Value) -> None:
        """Take these rules; one that was not there is always tried."""
        fields, order = draft.fields["playouts"].fields, str(value).split()
        for rule in order:
            if rule not in RULES:
                raise ParameterError(
                    "rule_order", f"rule_order has {rule[:40]!r}, which is not a rule; choose from {', '.join(RULES)}"
                )
        if len(set(order)) < len(order):
            raise ParameterError("rule_order", "rule_order has a rule twice; name each once")
        before = dict(fields["rules"])
        fields["rules"] = tuple((rule, before.get(rule, 1.0)) for rule in order)


class _RulePlace(msgspec.Struct, frozen=True):
    """The probability of one rule."""

    rule: str

    def read(self, config: msgspec.Struct) -> Value | None:
        """The probability; 0 if the policy does not have the rule."""
        assert isinstance(config, EngineConfig)
        return dict(config.playouts.rules).get(self.rule, 0.0)

    def write(self, draft: Draft, value: Value) -> None:
        """Change it, take the rule out, or bring it in."""
        fields = draft.fields["playouts"].fields
        rules = [(rule, value if rule == self.rule else p) for rule, p in fields["rules"]]
        if all(rule != self.rule for rule, _ in rules):
            rank = RULES.index(self.rule)
            at = next((i for i, (rule, _) in enumerate(rules) if rule in RULES[rank:]), len(rules))
            rules.insert(at, (self.rule, value))
        fields["rules"] = tuple((rule, p) for rule, p in rules if p != 0 or rule != self.rule)


class _VisitsPlace(msgspec.Struct, frozen=True):
    """``search.prior.visits``, where 0 stands for no prior at all."""

    inner: FieldPlace

    def read(self, config: msgspec.Struct) -> Value | None:
        """The visits; 0 without a prior, None with another kind of prior."""
        assert isinstance(config, EngineConfig)
        return 0.0 if config.search.prior is None else self.inner.read(config)

    def write(self, draft: Draft, value: Value) -> None:
        """Set the visits, or take the prior out."""
        search = draft.fields["search"].fields
        if value == 0:
            search["prior"] = None
            return
        if search["prior"] is None:
            search["prior"] = Draft(VirtualVisits())
        self.inner.write(draft, value)


class _WeightPlace(msgspec.Struct, frozen=True):
    """A weight of the priors, which comes in with the others if there were none."""

    inner: FieldPlace

    def read(self, config: msgspec.Struct) -> Value | None:
        """The weight; None without priors."""
        return self.inner.read(config)

    def write(self, draft: Draft, value: Value) -> None:
        """Set the weight."""
        if draft.fields["priors"] is None:
            draft.fields["priors"] = Draft(PriorWeights())
        self.inner.write(draft, value)


def _engine_parameters() -> Iterator[Parameter]:
    yield from described(
        EngineConfig, group="engine", without=("search", "playouts", "priors", "groups", "known", "m_eval")
    )
    for parameter in search_parameters(("search",)):
        if parameter.name == "prior_visits" and isinstance(parameter.place, FieldPlace):
            yield msgspec.structs.replace(parameter, place=_VisitsPlace(parameter.place))
        else:
            yield parameter
    yield from _playout_parameters()
    for parameter in described(PriorWeights, group="priors", path=("priors",), prefix="prior_"):
        assert isinstance(parameter.place, FieldPlace)
        yield msgspec.structs.replace(parameter, place=_WeightPlace(parameter.place))
    yield from group_parameters()
    yield from described(
        PositionMemory, group="known positions", path=("known",), prefix="known_", names={("megabytes",): "known"}
    )
    yield from described(MEvalSettings, group="M-eval", path=("m_eval",), prefix="m_eval_", names={("file",): "m_eval"})


def _playout_parameters() -> Iterator[Parameter]:
    def made(name: str, meaning: str, place: _PolicyPlace | _OrderPlace | _RulePlace) -> Parameter:
        kind = float if isinstance(place, _RulePlace) else str
        choices = tuple(POLICIES) if isinstance(place, _PolicyPlace) else ()
        return Parameter(name=name, kind=kind, group="playouts", meaning=meaning, place=place, choices=choices)

    yield made("playouts", "A whole policy by name, which the others then change", _PolicyPlace())
    yield made("rule_order", "The rules that are tried at a move, first to last, with spaces between", _OrderPlace())
    for rule in RULES:
        meaning = f"Probability of trying the rule {rule} at a move, 0..1; 0 takes it out"
        yield made(f"p_{rule.replace('-', '_')}", meaning, _RulePlace(rule))
    yield from described(PlayoutPolicy, group="playouts", path=("playouts",), without=("rules", "learning"))
    yield from described(Learning, group="playouts", path=("playouts", "learning"), prefix="learning_")


_FILES = (
    "patterns",
    "prior_strengths",
    "prior_urgency",
    "opening_file",
    "book",
    "known_file",
    "network",
    "table_file",
    "m_eval",
)


def _marked(parameter: Parameter) -> Parameter:
    return msgspec.structs.replace(parameter, is_file=True) if parameter.name in _FILES else parameter


ENGINE_PARAMETERS = table_of(map(_marked, _engine_parameters()))
"""All of them by name, in an order in which they can be written."""
GO_ONLY = frozenset(
    name
    for name in ENGINE_PARAMETERS
    if name.partition("_")[0] == "prior" or name not in (*SEARCH_PARAMETERS, *_LIMITS)
)
"""Those that a search of another game does not have; the limits are any player's."""


def values_of(config: EngineConfig) -> dict[str, Value]:
    """The parameters that have a meaning in a config, with their values."""
    read = {name: parameter.read(config) for name, parameter in ENGINE_PARAMETERS.items()}
    return {name: value for name, value in read.items() if value is not None}


def applied_to_engine(settings: Mapping[str, object], base: EngineConfig) -> EngineConfig:
    """A config with parameters replaced.

    A limit that is set alone is the only limit: ``seconds=5`` takes the simulations out. Weights of priors come and go
    with the search's prior, unless one is set.

    Parameters
    ----------
    settings : mapping of str to value
        Names of `ENGINE_PARAMETERS` to values.
    base : EngineConfig
        What the others stay at.

    Raises
    ------
    ParameterError
        For an unknown name or a wrong value.
    """
    changed = dict(settings)
    given = [name for name in _LIMITS if name in settings and settings[name] != "none"]
    if len(given) == 1:
        changed |= {name: "none" for name in _LIMITS if name not in settings}
    has_weight = any(ENGINE_PARAMETERS[name].group == "priors" for name in settings if name in ENGINE_PARAMETERS)
    if not has_weight and settings.keys() & {"prior", "prior_visits"}:
        has_prior = settings.get("prior", "") != "none" and settings.get("prior_visits", 1) != 0
        base = msgspec.structs.replace(base, **_matching_priors(base, has_prior=has_prior))
    return applied(base, changed, ENGINE_PARAMETERS)


def applied_later(settings: Mapping[str, object], base: EngineConfig) -> EngineConfig:
    """The same for a program that is running and is told by others: parameters that name files stay as they are.

    Raises
    ------
    ParameterError
        For those, too.
    """
    for name, value in settings.items():
        parameter = ENGINE_PARAMETERS.get(name)
        if parameter is not None and parameter.is_file and str(value) != str(parameter.read(base)):
            raise ParameterError(
                name, f"{name} names a file; give it when Tesuji starts: --{name.replace('_', '-')} FILE"
            )
    return applied_to_engine(settings, base)


def _matching_priors(base: EngineConfig, *, has_prior: bool) -> dict[str, object]:
    """The fields of a config without priors, or with some; neither contradicts itself."""
    if has_prior:
        return {"priors": base.priors or PriorWeights()}
    return {"priors": None, "search": msgspec.structs.replace(base.search, prior=None, width=None)}
