"""The commands that a regression suite may send: those that set positions up and ask about them.

A suite is data from somewhere, and GTP has commands that write files (``printsgf``, ``gomill-savesgf``) or do anything
(``gogui-...``, ``shell``). A suite that names a command not listed here is refused before an engine starts; whoever has
read it may allow more. ``loadsgf`` reads games below the suite's root and nowhere else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from tesuji.experiments.suites.suite import Suite
from tesuji.go.rules.vertex import quoted

__all__ = ["ALLOWED", "check_commands"]

_GTP = """
    protocol_version name version known_command list_commands boardsize query_boardsize rectangular_boardsize
    clear_board komi get_komi fixed_handicap place_free_handicap set_free_handicap get_handicap play black white
    playwhite playblack undo gg-undo genmove genmove_black genmove_white reg_genmove loadsgf final_score final_status
    final_status_list showboard time_settings time_left kgs-rules kgs-time_settings kata-set-rules kata-get-rules
    set_random_seed get_random_seed clear_cache level
"""
_READING = """
    gg_genmove restricted_genmove estimate_score new_score experimental_score color what_color countlib findlib
    accuratelib accurate_approxlib is_legal all_legal captures last_move move_history list_stones worm_stones worm_data
    worm_cutstone dragon_data dragon_status dragon_stones same_dragon attack attack_either defend
    defend_both does_attack does_defend ladder_attack connect disconnect block_off break_in combination_attack
    combination_defend owl_attack owl_defend owl_threaten_attack owl_threaten_defense owl_does_attack owl_does_defend
    owl_connection_defends owl_analyze_semeai analyze_semeai analyze_semeai_after_move tactical_analyze_semeai
    unconditional_status eval_eye trymove tryko popgo increase_depths decrease_depths is_surrounded does_surround
    surround_map initial_influence move_influence followup_influence move_probabilities move_uncertainty move_reasons
    all_move_values top_moves top_moves_black top_moves_white cputime orientation query_orientation
    reset_reading_node_counter get_reading_node_counter reset_owl_node_counter get_owl_node_counter
    reset_life_node_counter get_life_node_counter reset_trymove_counter get_trymove_counter
    reset_connection_node_counter get_connection_node_counter
"""
ALLOWED = frozenset((_GTP + _READING).split())
"""Of the protocol itself, and what GNU Go's suites ask."""


def check_commands(suites: Sequence[Suite], more: Collection[str] = ()) -> None:
    """Refuse suites with a command that is not allowed, or a game outside their root.

    Parameters
    ----------
    suites
        As they were read.
    more
        Commands that are allowed as well.

    Raises
    ------
    ValueError
        That names the suite, the test and the command.
    """
    for suite in suites:
        for test_id, command in _commands(suite):
            word, *arguments = command.split()
            where = f"{suite.name}, test {test_id}"
            if word not in ALLOWED and word not in more:
                raise ValueError(
                    f"{where}: a suite may not send {quoted(word)}, which may write files; if you trust the suite, "
                    f"allow it: --allow {word if word.isprintable() else 'COMMAND'}"
                )
            if word == "loadsgf" and arguments and suite.root is not None:
                _check_inside(suite.root, arguments[0], where)


def _commands(suite: Suite) -> Iterator[tuple[str, str]]:
    for test in suite.tests:
        for command in (*test.setup, *test.closing, test.command):
            if command.strip():
                yield test.id, command


def _check_inside(root: Path, name: str, where: str) -> None:
    folder = root.resolve()
    if folder not in (folder / name).resolve().parents:
        raise ValueError(f"{where}: {quoted(name)} is not below the folder of the games; loadsgf reads nothing else")
