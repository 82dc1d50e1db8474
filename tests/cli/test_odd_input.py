"""Input as the world has it: closed, cut short, nested, wrongly named. Each is said in one line that names the file."""

from __future__ import annotations

import gzip
import json
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command_runs import COMMAND, HEADER, Shell, rows, start, write_csv

from tsdt.cli import exits
from tsdt.files import open_saved


def test_a_packed_file_that_was_cut_is_named_and_a_stream_keeps_what_came(shell: Shell) -> None:
    path, model = Path(shell.path("cut.csv.gz")), shell.path("m.tsdt")
    whole = gzip.compress("\n".join([HEADER, *rows(5000)]).encode())
    path.write_bytes(whole[: len(whole) // 2])
    table = shell("learn", str(path), "--target", "class")
    assert table.code == exits.DATA and "cut.csv.gz cannot be read any further" in table.err
    stream = shell("learn", str(path), "--target", "class", "--stream", "--model", model)
    assert stream.code == exits.DATA and "Saved in" in stream.out
    *progress, error = stream.err.splitlines()
    assert "cannot be read any further" in error
    assert all(re.match(r" *\d+ s  [\d,]+ samples  ", line) for line in progress)  # where it takes more than a second
    assert 1000 < open_saved(model).notes["samples"] < 5000


def test_a_packed_file_that_is_none(shell: Shell, data: str) -> None:
    Path(data).rename(shell.path("d.csv.gz"))
    done = shell("learn", shell.path("d.csv.gz"), "--target", "class")
    assert done.code == exits.DATA and "d.csv.gz cannot be read" in done.err


def test_standard_input_that_is_closed() -> None:
    command = f"'{COMMAND[0]}' -m tsdt learn - --target class <&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == exits.DATA and done.stderr == "tsdt learn: standard input cannot be read: it is closed\n"


def test_columns_of_lists_are_named_with_the_remedy(shell: Shell) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"a": [1, 2] * 60, "b": [[1], [2, 3]] * 60, "class": ["y", "n"] * 60})
    frame.write_parquet(shell.path("d.parquet"))
    done = shell("learn", shell.path("d.parquet"), "--target", "class")
    assert done.code == exits.DATA and "column 'b' holds" in done.err and "--ignore b" in done.err
    assert shell("learn", shell.path("d.parquet"), "--target", "class", "--ignore", "b").code == exits.OK


def test_dates_mean_the_same_in_parquet_and_csv(shell: Shell) -> None:
    pl = pytest.importorskip("polars")
    days = pl.Series(["2024-01-01", "2024-01-02"] * 60).str.to_date()
    frame = pl.DataFrame({"day": days, "class": ["y", "n"] * 60})
    frame.write_parquet(shell.path("d.parquet"))
    frame.write_csv(shell.path("d.csv"))
    shell("learn", shell.path("d.parquet"), "--target", "class", "--model", shell.path("m.tsdt"))
    facts = json.loads(shell("evaluate", shell.path("m.tsdt"), shell.path("d.csv"), "--json").out)
    assert facts["accuracy"] == 1.0


def test_a_parquet_file_that_is_none(shell: Shell, data: str) -> None:
    pytest.importorskip("pyarrow")
    done = shell("learn", data, "--format", "parquet", "--target", "class")
    assert done.code == exits.DATA and "data.csv: this is not a whole Parquet file" in done.err


@pytest.mark.parametrize("text", ["", "[1]\n"])
def test_json_lines_without_objects(shell: Shell, text: str) -> None:
    Path(shell.path("d.jsonl")).write_text(text)
    done = shell("learn", shell.path("d.jsonl"), "--target", "class")
    assert done.code == exits.DATA and "d.jsonl:" in done.err


def test_one_odd_value_among_numbers_is_told(shell: Shell) -> None:
    lines = rows(600)
    lines[20] = "old" + lines[20][lines[20].index(",") :]
    data = write_csv(Path(shell.path("d.csv")), lines)
    told = shell("learn", data, "--target", "class")
    assert told.code == exits.OK and "'old' among its numbers makes column age text" in told.err
    done = shell("learn", data, "--target", "class", "--numeric", "age")
    assert "among its numbers" not in done.err and "left out line 22: age is 'old'" in done.err
    assert "among its numbers" not in shell("learn", data, "--target", "class", "--text", "age").err


def test_nothing_is_written_over_what_is_read(shell: Shell, data: str, model: str) -> None:
    before = Path(data).read_bytes(), Path(model).read_bytes()
    for command in (
        ["learn", data, "--target", "class", "--rejects", data],
        ["predict", model, data, "-o", data],
        ["predict", model, data, "-o", model],
        ["show", model, "-o", model],
        ["evaluate", model, data, "--rejects", data],
        ["frontier", data, "--target", "class", "-o", data],
    ):
        done = shell(*command)
        assert done.code == exits.USAGE and "name another file" in done.err
    assert (Path(data).read_bytes(), Path(model).read_bytes()) == before


def test_what_no_one_can_read_is_not_sent_to_the_terminal(shell: Shell) -> None:
    Path(shell.path("d.csv")).write_bytes(b"a\x1b[31m,b\n1,2\n")
    done = shell("learn", shell.path("d.csv"), "--target", "class")
    assert done.code == exits.DATA and "\x1b" not in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["learn", "DATA", "--target", "class", "--seed", "-1"], "--seed: '-1' is no seed"),
        (["learn", "DATA", "--target", "class", "--window", "1.5"], "--window: '1.5' is no whole number"),
        (["learn", "DATA", "--target", "class", "--effort", "x"], "--effort: 'x' is no number"),
        (["learn", "DATA", "--target", "class", "--nonsense"], "--nonsense"),
        (["learn", "DATA", "--target", "class", "--model", ""], "--model m.tsdt"),
        (["learn"], "DATA"),
        (["lern"], "'lern'"),
        (["evaluate", "DATA", "--target", "class", "--folds", "x"], "--folds: 'x' is no number"),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_what_cannot_be_understood_is_one_line(
    shell: Shell, data: str, arguments: list[str], words: str, as_json: bool
) -> None:
    given = [data if argument == "DATA" else argument for argument in arguments]
    done = shell(*given, *(["--json"] if as_json else []))
    assert done.code == exits.USAGE and words in done.err and done.err.count("\n") == 1
    if as_json:
        told = json.loads(done.out)
        assert told["event"] == "error" and words in told["error"] and told["code"] == exits.USAGE


def test_programs_get_an_object_for_every_error(shell: Shell, model: str) -> None:
    for arguments in (["learn", "none.csv"], ["inspect", "none.tsdt"], ["evaluate", model, "none.csv"]):
        done = shell(*arguments, "--json")
        assert json.loads(done.out)["code"] == done.code > 0


@pytest.mark.parametrize(("form", "pause"), [("csv", 0.1), ("csv", 0.3), ("csv", 0.8), ("csv", 3.0), ("jsonl", 3.0)])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, exits.TERMINATED), (signal.SIGINT, exits.INTERRUPTED)])
def test_a_signal_before_any_row_ends_it_with_a_word(pause: float, form: str, number: int, code: int) -> None:
    process = start("learn", "-", "--target", "class", "--format", form)
    time.sleep(pause)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    if err or pause >= 3.0:  # before Python itself has started there is no one to say anything
        name = b"SIGTERM" if number == signal.SIGTERM else b"Ctrl-C"
        assert (process.returncode, out) == (code, b"") and err.count(b"\n") == 1 and b"ended by " + name in err


def test_ctrl_c_while_a_table_is_read_learns_no_part_of_it(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "large.csv", rows(20_000) * 40)
    process = start("learn", path, "--target", "class", "--model", str(tmp_path / "m.tsdt"))
    time.sleep(1.2)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    if b"Learned" not in out:  # it may have been searching already, which ends well
        assert process.returncode == exits.INTERRUPTED and not (tmp_path / "m.tsdt").exists()
