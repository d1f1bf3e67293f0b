"""The store: nothing lost, nothing doubled, nothing corrupted, one writer."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import msgspec
import pytest

from experiments.fakes import record
from tesuji.experiments.records import Reason
from tesuji.experiments.run.store import Store, StoreFull, StoreLocked, differences

SPEC = b'{"games":100,"players":[{"name":"alice"},{"name":"bob"}]}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.db"


def python(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Run a piece of code in a process of its own."""
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


# --- what goes in comes out -------------------------------------------------------------------------------------------


def test_add__a_game_comes_back_as_it_was(path: Path) -> None:
    game = record(7, detail="of note", opinions={"gnugo": "B+1.5"}, parameters={"c": 0.5, "mode": "x"})
    with Store.open(path, spec_json=SPEC) as store:
        assert store.add(game)
        assert store.game(7) == msgspec.structs.replace(game, num_moves=2)
        assert list(store.games(with_moves=True)) == [store.game(7)]


def test_games__without_moves_are_the_same_but_for_moves_and_sgf(path: Path) -> None:
    with Store.open(path, spec_json=SPEC) as store:
        store.add(record(0))
        (bare,) = store.games()
    assert bare == record(0, moves=(), sgf="", num_moves=2)


def test_games__come_in_the_order_of_their_indices(path: Path) -> None:
    with Store.open(path, spec_json=SPEC) as store:
        for index in (5, 2, 9, 0):
            store.add(record(index))
        assert [game.index for game in store.games()] == [0, 2, 5, 9]
        assert [game.index for game in store.games(with_moves=True)] == [0, 2, 5, 9]
        assert store.done() == {0, 2, 5, 9}
        assert len(store) == 4


def test_add__a_second_game_of_an_index_is_dropped(path: Path) -> None:
    with Store.open(path, spec_json=SPEC) as store:
        assert store.add(record(1))
        assert not store.add(record(1, score="B+R", sgf="(;)"))
        assert len(store) == 1
        assert (store.game(1).score, store.game(1).sgf) == (record(1).score, record(1).sgf)


def test_add__a_void_game_is_an_attempt_and_no_game(path: Path) -> None:
    void = record(3, winner="none", reason=Reason.VOID, score="Void")
    with Store.open(path, spec_json=SPEC) as store:
        store.add(void)
        store.add(void)
        assert store.done() == set()
        assert store.attempts() == [void, void]
        assert store.add(record(3))
        assert store.done() == {3}


def test_game__a_missing_one_is_a_key_error(path: Path) -> None:
    with Store.open(path, spec_json=SPEC) as store, pytest.raises(KeyError):
        store.game(4)


def test_runs__are_kept_in_order(path: Path) -> None:
    with Store.open(path, spec_json=SPEC) as store:
        store.add_run({"version": "1"})
    with Store.open(path, spec_json=SPEC) as store:
        store.add_run({"version": "2"})
        assert [run["version"] for run in store.runs()] == ["1", "2"]


# --- which file it is -------------------------------------------------------------------------------------------------


def test_open__the_same_spec_resumes_however_it_is_written(path: Path) -> None:
    with Store.open(path, spec_json=SPEC) as store:
        store.add(record(0))
    again = b'{ "players": [{"name": "alice"}, {"name": "bob"}], "games": 100 }'
    with Store.open(path, spec_json=again) as store:
        assert store.done() == {0}
        assert store.spec == SPEC


def test_open__another_spec_is_refused_and_the_difference_named(path: Path) -> None:
    with Store.open(path, spec_json=SPEC) as store:
        store.add(record(0))
    other = SPEC.replace(b"100", b"200").replace(b"bob", b"bert")
    with pytest.raises(ValueError, match="another experiment") as caught:
        Store.open(path, spec_json=other)
    assert "games is 100 there and 200 here" in str(caught.value)
    assert 'players[1].name is "bob" there and "bert" here' in str(caught.value)
    Store.open(path, spec_json=SPEC).close()  # the refusal left no lock and no trace


def test_open__a_store_without_games_takes_another_spec(path: Path) -> None:
    with Store.open(path, spec_json=SPEC) as store:
        store.add(record(0, winner="none", reason=Reason.VOID))
    with Store.open(path, spec_json=b'{"games":7}') as store:
        assert store.spec == b'{"games":7}'
        assert store.attempts() == []


def test_differences__missing_fields_and_lists_of_other_lengths_are_named() -> None:
    assert differences({"a": 1}, {"b": [1]}) == ["a is 1 there and not given here", "b is not given there and [1] here"]
    assert differences({"a": [1, 2]}, {"a": [1]}) == ["a is [1,2] there and [1] here"]
    assert differences({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}) == ["a[1].b is 2 there and 3 here"]
    assert differences({"a": 1}, {"a": 1}) == []


def test_open__a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_text("dear diary, " * 100)
    for how in (lambda: Store.open(path, spec_json=SPEC), lambda: Store.read(path)):
        with pytest.raises(ValueError, match="not a store of games"):
            how()
    assert path.read_text() == "dear diary, " * 100


def test_open__the_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE diary (day TEXT)")
    connection.close()
    before = path.read_bytes()
    for how in (lambda: Store.open(path, spec_json=SPEC), lambda: Store.read(path)):
        with pytest.raises(ValueError, match="another program"):
            how()
    assert path.read_bytes() == before


def test_open__a_newer_version_is_refused(path: Path) -> None:
    Store.open(path, spec_json=SPEC).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(ValueError, match="version 99"):
        Store.open(path, spec_json=SPEC)
    with pytest.raises(ValueError, match="version 99"):
        Store.read(path)


def test_open__a_missing_file_or_folder_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Store.read(tmp_path / "none.db")
    with pytest.raises(FileNotFoundError):
        Store.open(tmp_path / "none.db", spec_json=SPEC, create=False)
    with pytest.raises(OSError, match="none"):
        Store.open(tmp_path / "none" / "results.db", spec_json=SPEC)


def test_open__an_empty_file_left_by_a_killed_process_is_a_new_store(path: Path) -> None:
    path.touch()
    with Store.open(path, spec_json=SPEC) as store:
        assert store.spec == SPEC


# --- one writer, many readers -----------------------------------------------------------------------------------------


def test_open__a_second_writer_is_refused_at_once_and_told_whose_it_is(path: Path) -> None:
    with Store.open(path, spec_json=SPEC) as store:
        store.add(record(0))
        link = path.with_name("link.db")
        link.symlink_to(path)
        for name in (path, link):
            with pytest.raises(StoreLocked, match=f"process {os.getpid()}"):
                Store.open(name, spec_json=SPEC)
        store.add(record(1))
    with Store.open(path, spec_json=SPEC) as store:
        assert store.done() == {0, 1}
    assert not path.with_name("results.db.lock").exists()


def test_read__sees_games_while_another_writes(path: Path) -> None:
    with Store.open(path, spec_json=SPEC) as writer:
        writer.add(record(0))
        with Store.read(path) as reader:
            assert reader.done() == {0}
            writer.add(record(1))
            assert reader.done() == {0, 1}
            with pytest.raises(OSError, match="readonly"):
                reader.add(record(2))


def test_read__works_from_a_folder_that_cannot_be_written(path: Path) -> None:
    with Store.open(path, spec_json=SPEC) as store:
        store.add(record(0))
    path.parent.chmod(0o500)
    try:
        with Store.read(path) as store:
            assert store.done() == {0}
    finally:
        path.parent.chmod(0o700)


WRITE_UNTIL_KILLED = """
    import sys
    from experiments.fakes import record
    from tesuji.experiments.run.store import Store
    store = Store.open(sys.argv[1], spec_json=sys.argv[2].encode())
    for index in range(1_000_000):
        store.add(record(index, sgf="x" * 5000))
        print(index, flush=True)
"""


def test_kill_9__leaves_every_added_game_and_no_lock(path: Path) -> None:
    writer = python(WRITE_UNTIL_KILLED, path, SPEC.decode())
    assert writer.stdout
    said = [int(writer.stdout.readline()) for _ in range(20)]
    with pytest.raises(StoreLocked, match=str(writer.pid)):
        Store.open(path, spec_json=SPEC)
    writer.send_signal(signal.SIGKILL)
    said += [int(line) for line in writer.communicate()[0].splitlines()]
    with Store.open(path, spec_json=SPEC) as store:
        done = store.done()
        assert set(said) <= done
        assert done == set(range(len(done)))
        assert len(done) - len(said) <= 1
        assert sum(1 for _ in store.games(with_moves=True)) == len(done)
    assert check_integrity(path) == "ok"


# --- a full disk ------------------------------------------------------------------------------------------------------


def check_integrity(path: Path) -> str:
    connection = sqlite3.connect(path)
    (said,) = connection.execute("PRAGMA integrity_check").fetchone()
    connection.close()
    return str(said)


def test_add__a_full_database_is_said_so_and_the_games_before_are_safe(path: Path) -> None:
    with Store.open(path, spec_json=SPEC) as store:
        store._connection.execute("PRAGMA max_page_count = 40")
        games = (store.add(record(index, sgf="x" * 3000)) for index in range(1000))
        with pytest.raises(StoreFull, match="make room and repeat") as caught:
            sum(games)
        kept = store.done()
    assert caught.value.filename == str(path)
    assert kept == set(range(len(kept)))
    assert len(kept) > 5
    assert check_integrity(path) == "ok"
    with Store.open(path, spec_json=SPEC) as store:
        assert store.done() == kept
        assert store.add(record(len(kept)))


FILL_THE_DISK = """
    import resource, sys
    from experiments.fakes import record
    from tesuji.experiments.run.store import Store
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    store = Store.open(sys.argv[1], spec_json=sys.argv[2].encode())
    try:
        for index in range(1000):
            store.add(record(index, sgf="x" * 3000))
            print(index, flush=True)
    except OSError as error:
        sys.exit(f"{type(error).__name__} {error.strerror}")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file sizes are POSIX")
def test_add__a_file_that_may_not_grow_is_said_so_and_the_games_before_are_safe(path: Path) -> None:
    out, err = (writer := python(FILL_THE_DISK, path, SPEC.decode())).communicate(timeout=600)
    assert writer.returncode == 1, err
    assert err.startswith("StoreFull there is no room")
    said = {int(line) for line in out.splitlines()}
    with Store.open(path, spec_json=SPEC) as store:
        assert store.done() == said
        assert len(said) > 5
        assert store.add(record(len(said)))
    assert check_integrity(path) == "ok"
