"""Parameters: every field of the engine's config has a flat name, a meaning, and a way there and back."""

from __future__ import annotations

import contextlib
import itertools
import re
from pathlib import Path

import msgspec
import pytest

from tesuji.go import EngineConfig
from tesuji.go.engine.config_file import read, written
from tesuji.go.engine.parameters import ENGINE_PARAMETERS, GO_ONLY, applied_to_engine, values_of
from tesuji.go.engine.position_memory import PositionMemory
from tesuji.go.engine.presets import ENGINE_PRESETS
from tesuji.go.knowledge.groups import ROWS, GoGroups
from tesuji.go.knowledge.playouts import POLICIES, PlayoutPolicy
from tesuji.go.knowledge.priors import PriorWeights
from tesuji.search import (
    BAST,
    PUCT,
    RAVE,
    EpsilonGreedy,
    Grouping,
    HorizonPrior,
    LearnedBiases,
    ProgressiveBias,
    SearchConfig,
    UCB1Tuned,
    Widening,
)
from tesuji.search.parameters import Parameter, ParameterError, Value

ALL_ROWS = GoGroups(tuple(row() for row in ROWS.values()))
BIASES = dict.fromkeys(("else", *ROWS), 0.75)

# Configs in which, together, every parameter has a meaning ------------------------------------------------------------

CONFIGS: dict[str, EngineConfig] = {
    **ENGINE_PRESETS,
    **{name: EngineConfig(playouts=policy) for name, policy in POLICIES.items()},
    "rave": EngineConfig(search=SearchConfig(amaf=RAVE()), seconds=2.5, seed=7),
    "tuned": EngineConfig(search=SearchConfig(selection=UCB1Tuned(c=0.3), widening=Widening(minimum=3))),
    "greedy": EngineConfig(search=SearchConfig(selection=EpsilonGreedy(epsilon=0.25), prior=ProgressiveBias())),
    "bast": EngineConfig(search=SearchConfig(selection=BAST()), priors=None),
    "puct": EngineConfig(search=SearchConfig(selection=PUCT(), prior=HorizonPrior(), memory_bytes=12_345_678)),
    "unused weights": EngineConfig(search=SearchConfig(prior=None), priors=PriorWeights()),
    "other order": EngineConfig(playouts=PlayoutPolicy(rules=(("capture", 0.5), ("defend", 0.25)))),
    "groups": EngineConfig(search=SearchConfig(), groups=Grouping(find=ALL_ROWS)),
    "known": EngineConfig(known=PositionMemory(megabytes=1)),
    "biases": EngineConfig(search=SearchConfig(), groups=Grouping(find=ALL_ROWS, overlap=False, biases=BIASES)),
    "learned": EngineConfig(search=SearchConfig(), groups=Grouping(find=ALL_ROWS, biases=LearnedBiases(start=BIASES))),
    "opening": EngineConfig(opening_file="a.player"),
    "odd names": EngineConfig(playouts=PlayoutPolicy(patterns='a "quoted"\\ \t\u00e4 file')),
}


def other_values(parameter: Parameter, value: Value) -> list[Value]:
    """Values that the parameter may have instead of this one."""
    if parameter.choices:
        return [choice for choice in parameter.choices if choice != value]
    if isinstance(value, bool):
        return [not value]
    if parameter.kind is str:
        lists = {"rule_order": "pattern capture", "groups": "chains border", "human_rank": "3k"}
        return [lists.get(parameter.name, "other.txt")]
    if value == "none":
        return [parameter.kind(3)]
    if parameter.name in ("learning_context_size", "learning_neighbours"):
        return [size for size in (12, 24) if size != value]
    assert isinstance(value, int | float)
    return [value + 1, value - 1] if parameter.kind is int else [share for share in (0.5, 0.25) if share != value]


def changed_in(name: str) -> tuple[EngineConfig, Value, EngineConfig]:
    """A config in which a parameter has a meaning, another value for it, and the config with that."""
    parameter = ENGINE_PARAMETERS[name]
    for base in CONFIGS.values():
        before = parameter.read(base)
        for value in () if before is None else other_values(parameter, before):
            with contextlib.suppress(ValueError):  # not every value goes with every config
                return base, value, applied_to_engine({name: value}, base)
    raise AssertionError(f"no config of this file lets {name} change; add one")


@pytest.mark.parametrize("name", ENGINE_PARAMETERS)
def test_parameter__what_is_written_is_read(name: str) -> None:
    base, value, changed = changed_in(name)
    parameter = ENGINE_PARAMETERS[name]
    assert parameter.read(changed) == value
    assert changed != base
    assert parameter.parsed(parameter.text(value)) == value


@pytest.mark.parametrize("name", ENGINE_PARAMETERS)
def test_parameter__has_a_meaning_in_one_line(name: str) -> None:
    meaning = ENGINE_PARAMETERS[name].meaning
    assert meaning
    assert "\n" not in meaning
    assert not meaning.endswith(".")


def test_parameters__every_field_of_every_struct_has_one() -> None:
    """A field of a type that has no flat form would be missing."""
    values = {name: parameter.meaning for name, parameter in ENGINE_PARAMETERS.items()}
    structs = {EngineConfig: "", SearchConfig: "", PlayoutPolicy: "", PriorWeights: "prior_"}
    elsewhere = {"search", "playouts", "priors", "rules", "memory_bytes"}
    elsewhere |= {"evaluation", "one_player"}  # an evaluator is a function; an engine plays games of two
    for struct, prefix in structs.items():
        for field in struct.__struct_fields__:
            name = prefix + field.rstrip("_")
            assert field in elsewhere or any(known == name or known.startswith(f"{name}_") for known in values), name


def test_parameters__a_new_field_appears_by_itself() -> None:
    from tesuji.search.parameters import described

    class Grown(PriorWeights, frozen=True, kw_only=True):
        """Weights with more.

        Attributes
        ----------
        ladder_breaker, other : float
            For breaking a ladder. It is new.
        steps : tuple of two floats
            Near and far.
        """

        ladder_breaker: float = 3.0
        steps: tuple[float, float] = (1.0, 2.0)

    found = {each.name: each for each in described(Grown, group="priors", prefix="prior_")}
    assert found["prior_ladder_breaker"].meaning == "For breaking a ladder"
    assert found["prior_ladder_breaker"].read(Grown()) == 3.0
    assert [found[f"prior_steps_{i}"].read(Grown()) for i in range(2)] == [1.0, 2.0]


def test_names__are_those_that_experiments_were_stored_with() -> None:
    stored = "simulations seconds selection exploration amaf rave_k rave_bias widening maturity final_move memory_mb"
    assert set(stored.split()) <= set(ENGINE_PARAMETERS)
    assert {"p_nakade", "p_capture_last", "prior_visits", "prior_pass", "margin_weight", "playouts"} <= GO_ONLY


# Several at once ------------------------------------------------------------------------------------------------------


def test_applied__a_rule_changes_its_probability_comes_in_or_goes_out() -> None:
    settings: dict[str, Value] = {"playouts": "mogo", "p_pattern": 0.5, "p_nakade": 0.25, "p_capture": 0}
    config = applied_to_engine(settings, EngineConfig())
    assert config.playouts.rules == (("defend", 1.0), ("nakade", 0.25), ("pattern", 0.5))
    assert applied_to_engine({"rule_order": "capture nakade"}, config).playouts.rules == (
        ("capture", 1.0),
        ("nakade", 0.25),
    )


def test_applied__priors_change_come_and_go() -> None:
    without = applied_to_engine({"prior_visits": 0}, EngineConfig())
    assert (without.priors, without.search.prior) == (None, None)
    assert applied_to_engine({"prior": "none"}, EngineConfig()) == without
    again = applied_to_engine({"prior_visits": 12}, without)
    assert again.priors == PriorWeights()
    assert values_of(again)["prior_visits"] == 12.0
    assert values_of(applied_to_engine({"prior_pass": 0.5}, without))["prior_pass"] == 0.5


def test_applied__a_limit_set_alone_is_the_only_one() -> None:
    base = EngineConfig(simulations=100, seconds=1.0)
    assert applied_to_engine({"seconds": 5}, base) == EngineConfig(simulations=None, seconds=5.0)
    assert applied_to_engine({"simulations": 5}, base) == EngineConfig(simulations=5)
    both: dict[str, Value] = {"simulations": 5, "seconds": 3.0}
    assert applied_to_engine(both, base) == EngineConfig(simulations=5, seconds=3.0)


def test_applied__what_only_fits_together_is_checked_together() -> None:
    """One after the other, the first change alone would be refused."""
    base = EngineConfig(search=SearchConfig(selection=UCB1Tuned()), priors=None)
    changed = applied_to_engine({"graph": "dag", "selection": "ucb1"}, base)
    assert changed.search.graph == "dag"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"p_nakad": 1.0}, r"there is no parameter 'p_nakad'; did you mean p_nakade\?$"),
        ({"zzz": 1.0}, r"no parameter 'zzz'; known are amaf, amaf_share, .*bias... \(\d+\), .*widening... \("),
        ({"playouts": "mogu"}, r"playouts is 'mogu'; did you mean mogo\? it must be one of default, uniform"),
        ({"p_nakade": 1.5}, r"p_nakade: the probability of 'nakade' is 1.5; it must lie in 0..1"),
        ({"p_nakade": -0.5}, r"is -0.5; it must lie in 0..1"),
        ({"p_nakade": float("nan")}, r"is nan; it must lie in 0..1"),
        ({"p_nakade": "often"}, r"p_nakade is 'often'; it must be a number \(Probability"),
        ({"prior_pass": "x"}, r"prior_pass is 'x'; it must be a number"),
        ({"margin_weight": 2}, r"margin_weight is 2.0; it must lie in 0..1"),
        ({"simulations": 0}, r"simulations is 0; it must lie in 1..2147483647"),
        ({"simulations": 1.5}, r"simulations is 1.5; it must be a whole number or none"),
        ({"simulations": "none"}, r"the engine needs a limit"),
        ({"rave_k": 5.0}, r"rave_k has no meaning here; add amaf=rave, or leave it out"),
        ({"rule_order": "capture fly"}, r"rule_order has 'fly', which is not a rule; choose from capture-last, defend"),
        ({"rule_order": "capture capture"}, r"rule_order has a rule twice; name each once"),
        ({"exploration": -1.0, "maturity": 3}, r"exploration: c is -1.0; it must be 0 or a positive number"),
        ({"threads": [1]}, r"threads is \[1\]; it must be a whole number"),
    ],
)
def test_applied__wrong_values_are_named(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message) as error:
        applied_to_engine(settings, EngineConfig())
    assert error.value.name in settings


@pytest.mark.parametrize("word", ["-1", "nan", "inf", "x", ""])
def test_applied__the_weight_of_passing_is_neither_negative_nor_another_word(word: str) -> None:
    with pytest.raises(ValueError, match=r"prior_pass.* must"):
        applied_to_engine({"prior_pass": ENGINE_PARAMETERS["prior_pass"].parsed(word)}, EngineConfig())


# Files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CONFIGS)
def test_file__says_the_whole_config_whatever_it_begins_with(name: str, tmp_path: Path) -> None:
    path = tmp_path / "engine.toml"
    path.write_text(written(CONFIGS[name]), encoding="utf-8")
    assert all(read(path, preset) == CONFIGS[name] for preset in ENGINE_PRESETS)


@pytest.mark.parametrize("name", ENGINE_PARAMETERS)
def test_file__every_parameter_survives_it(name: str, tmp_path: Path) -> None:
    _, _, changed = changed_in(name)
    path = tmp_path / "engine.toml"
    path.write_text(written(changed), encoding="utf-8")
    assert read(path) == changed


def test_file__has_a_comment_before_every_value() -> None:
    lines = written(EngineConfig()).splitlines()
    values = [i for i, line in enumerate(lines) if re.match(r"\w+ = ", line)]
    assert len(values) == len(values_of(EngineConfig()))
    assert all(lines[i - 1].startswith("# ") for i in values)
    groups = [ENGINE_PARAMETERS[lines[i].split()[0]].group for i in values]
    assert [group for group, _ in itertools.groupby(groups)] == [
        "engine",
        "search",
        "playouts",
        "priors",
        "groups",
        "known positions",
        "M-eval",
    ]


def test_file__may_say_only_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "engine.toml"
    path.write_text('preset = "uct"\nexploration = 1\n', encoding="utf-8")
    expected = applied_to_engine({"exploration": 1.0}, ENGINE_PRESETS["uct"])
    assert read(path) == expected
    assert read(path, "uct-rave") == msgspec.structs.replace(
        ENGINE_PRESETS["uct-rave"], search=read(path, "uct-rave").search
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("simulations = 5\n\np_nakade = -1\n", r"^engine.toml, line 3: p_nakade: the probability of 'nakade' is -1.0"),
        ("p_nakade = nan\n", r"^engine.toml, line 1: .* is nan; it must lie in 0..1"),
        ("p_nakade = 'x'\n", r"^engine.toml, line 1: p_nakade is 'x'; it must be a number"),
        ("# first\np_nakad = 1\n", r"^engine.toml, line 2: there is no parameter 'p_nakad'; did you mean p_nakade\?"),
        ("preset = 'quick'\n", r"^engine.toml, line 1: .*there is no preset 'quick'; choose from default, fast"),
        ("preset = 3\n", r"^engine.toml, line 1: preset is 3; it must be the name of one"),
        ("\n[search]\nmaturity = 1\n", r"^engine.toml, line 2: \[search\] is a table; a config has none"),
        ("simulations = \n", r"^engine.toml: Invalid value \(at line 1"),
        ("simulations = 5\nsimulations = 6\n", r"^engine.toml: Cannot overwrite a value \(at line 2"),
        ("graph = 'shared-values'\nparallel = 'roots'\n", r"^engine.toml: graph 'shared-values' has one table"),
    ],
)
def test_file__errors_name_the_file_the_line_and_the_rule(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "engine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read(path)


def test_file__bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    path = tmp_path / "engine.toml"
    path.write_bytes(b"simulations = 5\n\xff")
    with pytest.raises(ValueError, match=r"engine.toml: byte 16 is not UTF-8"):
        read(path)
