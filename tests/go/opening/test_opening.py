"""Openings that are learnt: tasks, experts, trained players in the engine, in GTP and in matches."""

import sys

import numpy as np
import pytest

from tesuji.experiments.players.expert import GtpExpert, open_expert
from tesuji.go import Board, Engine, EngineConfig
from tesuji.go.engine.expert import SearchExpert
from tesuji.go.opening import FeatureSet, OpeningPlayer, OpeningTask, PlayoutExpert
from tesuji.go.opening.evaluator import OpeningEvaluator
from tesuji.go.opening.task import points_off_board
from tesuji.learning.td import OutcomeError, PlayerFileError, Training, TrainingConfig, save_player, train
from tesuji.search.evaluator import LeafBatch


class Centre:
    """An expert that likes stones near the centre, so that there is something to learn at once."""

    name = "centre"

    def score(self, board, seed):
        del seed
        rows, columns = np.indices(board.grid.shape)
        worth = 4 - np.maximum(abs(rows - board.height // 2), abs(columns - board.width // 2))
        return float((worth * (board.grid == 1)).sum() - (worth * (board.grid == 2)).sum())


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A player on 5x5 that was trained for a second."""
    task = OpeningTask(FeatureSet(letters="ACD"), Centre(), size=5, moves_per_side=4)
    training = Training.begin(task, TrainingConfig(test_every=150, test_games=40))
    train(task, training, 150)
    path = save_player(tmp_path_factory.mktemp("players") / "small.player", task, training, task.settings)
    return path, training


def test_training__learns_what_the_expert_likes(trained):
    _, training = trained
    assert training.curve[-1].rate > max(0.75, training.curve[0].rate)


def test_task__an_opening_has_so_many_moves_a_side_and_no_pass():
    task = OpeningTask(FeatureSet(letters="A"), PlayoutExpert(5))
    board, rng = task.begin(), np.random.default_rng(1)
    while not task.is_done(board):
        board.play(int(rng.choice(task.moves(board))))
    assert board.num_moves == 20
    assert all(move != board.pass_move for _, move in board.moves)
    assert (board.width, board.komi, task.unit) == (9, 5.5, 81.0)


def test_task__ends_early_where_no_point_is_left():
    task = OpeningTask(FeatureSet(letters="A"), PlayoutExpert(5), size=2, moves_per_side=100)
    board, rng = task.begin(), np.random.default_rng(1)
    while not task.is_done(board):
        board.play(int(rng.choice(task.moves(board))))
    assert board.num_moves < 200


# --- experts ----------------------------------------------------------------------------------------------------------

WHITE_WALL = """
X X O O O
. X O . O
X X O O O
. X O . O
X X O O O"""


@pytest.mark.parametrize("expert", [PlayoutExpert(20), SearchExpert(4)])
def test_expert__counts_a_finished_board(expert):
    board = Board.from_text(WHITE_WALL, komi=5.5)
    assert expert.score(board, 1) == 10 - 15 - 5.5


def test_expert__the_same_seed_gives_the_same_score():
    board, rng = Board(9, komi=5.5), np.random.default_rng(3)
    for _ in range(20):
        board.play(int(rng.choice(board.legal_moves()[:-1])))
    for expert in (PlayoutExpert(20), SearchExpert(4)):
        assert expert.score(board, 7) == expert.score(board, 7)


GTP = """
import sys
for line in sys.stdin:
    number, command, *rest = line.split()
    if command == "genmove" and {crashes}:
        sys.exit(3)
    print(f"={{number}} " + dict(genmove="pass", final_score="W+12.5").get(command, ""), "\\n", flush=True)
    if command == "quit":
        break
"""


def program(tmp_path, crashes="False"):
    script = tmp_path / "program.py"
    script.write_text(GTP.format(crashes=crashes))
    return GtpExpert("program", f"{sys.executable} {script}")


def test_gtp_expert__plays_both_sides_and_says_the_score(tmp_path):
    with program(tmp_path) as expert:
        board = Board(9, komi=5.5)
        board.play("E5")
        assert [expert.score(board, seed) for seed in (1, 2)] == [-12.5, -12.5]


def test_gtp_expert__that_crashes_is_an_error_that_training_repeats(tmp_path):
    with program(tmp_path, crashes="True") as expert, pytest.raises(OutcomeError, match="exit status 3"):
        expert.score(Board(9), 1)


@pytest.mark.slow
def test_gtp_expert__gnu_go_finishes_an_opening():
    board = Board(9, komi=5.5)
    for vertex in ("E5", "C3", "G7", "C7", "G3"):
        board.play(vertex)
    with open_expert("gnugo:0") as expert:
        assert abs(expert.score(board, 1)) <= 81 + 5.5


@pytest.mark.parametrize("name", ["", "tesuji", "tesuji:", "tesuji:x", "gnugo:11", "playouts:0", "nobody:3"])
def test_expert__that_is_none_is_refused(name):
    with pytest.raises(ValueError, match=r"expert|level|must lie"):
        open_expert(name)


def test_expert__by_name():
    assert [open_expert(name).name for name in ("tesuji:16", "playouts:100", "gnugo:8")] == [
        "tesuji:16", "playouts:100", "gnugo:8",
    ]  # fmt: skip


# --- trained players --------------------------------------------------------------------------------------------------


def test_player__plays_its_opening_by_itself_and_then_the_engine(trained):
    path, _ = trained
    engine = Engine(EngineConfig(simulations=10, opening_file=str(path), opening_plays=True, seed=1))
    board = Board(5, komi=5.5)
    for turn in range(10):
        choice = engine.choose(board)
        assert (choice.simulations == 0) == (turn < 8)
        if turn < 8:
            assert choice.move == OpeningPlayer.load(path).best(board)[0]
        board.play(choice.move)


def test_player__of_another_size_says_nothing(trained):
    path, _ = trained
    with_player = Engine(EngineConfig(simulations=20, opening_file=str(path), opening_plays=True, seed=1))
    without = Engine(EngineConfig(simulations=20, seed=1))
    assert with_player.choose(Board(9)) == without.choose(Board(9))


def test_engine__asks_the_player_in_the_opening_only(trained):
    path, _ = trained
    config = EngineConfig(simulations=20, opening_file=str(path), opening_weight=0.5, seed=1)
    board = Board(5, komi=5.5)
    assert config.search_at(board).config.evaluation.weight == 0.5
    for _ in range(8):
        board.play(Engine(config).choose(board).move)
    assert config.search_at(board).config == config.search


def test_engine__with_a_player_repeats_itself(trained):
    path, _ = trained
    config = EngineConfig(simulations=60, opening_file=str(path), opening_weight=0.5, seed=1)
    first, second = (Engine(config).analyse(Board(5, komi=5.5)) for _ in range(2))
    assert [(m.move, m.visits, m.winrate) for m in first.moves] == [(m.move, m.visits, m.winrate) for m in second.moves]


def test_engine__a_whole_game_with_a_player_stays_legal(trained):
    path, _ = trained
    engine = Engine(EngineConfig(simulations=12, opening_file=str(path), opening_weight=0.4, seed=1, resign_below=0.0))
    board = Board(5, komi=5.5)
    for _ in range(40):
        if board.is_over:
            break
        board.play(engine.choose(board).move)
    assert board.num_moves > 8


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"opening_weight": 1.5}, "opening_weight is 1.5"),
        ({"opening_plays": True}, "give an opening_file"),
    ],
)
def test_config__that_makes_no_sense_is_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        EngineConfig(**settings)


def test_engine__a_file_that_is_no_player_is_refused_when_it_is_set(tmp_path):
    file = tmp_path / "x.player"
    with pytest.raises(PlayerFileError, match="tesuji learn opening"):
        Engine(EngineConfig(opening_file=str(file)))
    file.write_text("no player")
    with pytest.raises(PlayerFileError, match=r"x\.player is not a trained player"):
        Engine(EngineConfig(opening_file=str(file)))


# --- what the search is told ------------------------------------------------------------------------------------------


def planes_of(board):
    """A board as the core shows it to an evaluator."""
    seen = []

    def look(batch):
        seen.append(batch.states[0].copy())
        return [0.5] * len(batch)

    from tesuji.search import Search

    Search(board, evaluator=look).run(simulations=1, seed=1)
    return seen[0]


def random_game(moves, seed):
    board, rng = Board(5, komi=5.5), np.random.default_rng(seed)
    for _ in range(moves):
        points = board.legal_moves()[:-1]
        if not len(points):
            break
        board.play(int(rng.choice(points)))
    return board


@pytest.mark.parametrize("seed", range(12))
def test_evaluator__knows_captures_and_komi_from_the_stones(trained, seed):
    """What it infers at a leaf is what the board of that leaf says, captures included."""
    path, _ = trained
    player, root = OpeningPlayer.load(path), random_game(seed, seed)
    leaf = root.copy()
    rng = np.random.default_rng(seed)
    for _ in range(seed):
        points = leaf.legal_moves()[:-1]
        if len(points):
            leaf.play(int(rng.choice(points)))
    evaluator = OpeningEvaluator(player, root, 0.5, None)
    position, _, inputs = evaluator._leaf(planes_of(leaf), leaf.to_play)
    assert position.grid.tolist() == leaf.grid.tolist()
    own = points_off_board(leaf, leaf.native_to_play)
    assert inputs[-1][-1] == pytest.approx(-own / 10)


def test_evaluator__values_are_blacks_and_priors_prefer_what_the_player_prefers(trained):
    path, _ = trained
    player, board = OpeningPlayer.load(path), Board(5, komi=5.5)
    evaluator = OpeningEvaluator(player, board, 1.0, None)
    values, priors = evaluator(LeafBatch(planes_of(board)[None], np.array([0], np.int8)))
    moves, outputs = player.values(board)
    assert priors.shape == (1, 26)
    assert priors[0].argmax() == moves[outputs.argmax()]
    assert priors[0].max() == 1
    board.play("C3")
    black_view = evaluator(LeafBatch(planes_of(board)[None], np.array([1], np.int8)))[0][0]
    after = outputs[moves.tolist().index(12)]
    assert black_view == pytest.approx(float(player.win_rates(after)), abs=1e-5)
    assert 0 <= values[0] <= 1
