"""`tsdt learn`: tables, streams, going on, bad rows, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from command_runs import HEADER, Shell, rows, write_csv

import tsdt
from tsdt.cli import exits
from tsdt.cli.display import Silent
from tsdt.cli.saving import Saver
from tsdt.files import open_saved, to_bytes


def test_a_table_is_learned_and_proven(shell: Shell, data: str) -> None:
    done = shell("learn", data, "--target", "class", "--model", shell.path("m.tsdt"))
    assert done.code == exits.OK
    for words in ("colour", "Learned 600 samples", "Proven", "Saved in"):
        assert words in done.out
    assert tsdt.load(shell.path("m.tsdt")).certificate_.proven


def test_the_same_table_again_adds_no_samples(shell: Shell, data: str, model: str) -> None:
    done = shell("learn", data, "--model", model)
    assert done.code == exits.OK and "in the model already" in done.err and "No new samples after 600" in done.out
    assert open_saved(model).notes["samples"] == 600


def test_other_rows_are_more_samples(shell: Shell, model: str) -> None:
    more = write_csv(Path(shell.path("more.csv")), rows(300, seed=1))
    done = shell("learn", more, "--model", model)
    assert "Going on from" in done.err and "after 600 samples" in done.err
    assert open_saved(model).notes["samples"] == 900


def test_a_stream_of_a_file_goes_on_where_it_stopped(shell: Shell) -> None:
    path, model = Path(shell.path("log.csv")), shell.path("m.tsdt")
    write_csv(path, rows(500))
    shell("learn", str(path), "--target", "class", "--checkpoint", model)
    write_csv(path, rows(800))  # the same 500 and 300 more
    assert "at line 502" in shell("learn", str(path), "--checkpoint", model).err
    shell("learn", str(path), "--target", "class", "--stream", "--model", shell.path("whole.tsdt"))
    assert to_bytes(tsdt.load(model)) == to_bytes(tsdt.load(shell.path("whole.tsdt")))


def test_a_stream_says_how_many_rows_wait_for_a_batch(shell: Shell) -> None:
    data = write_csv(Path(shell.path("d.csv")), rows(301))
    assert "The last sample waits for a whole batch of 100" in shell("learn", data, "--target", "class", "--stream").out
    done = shell("learn", data, "--target", "class", "--stream", "--json")
    assert json.loads(done.out.splitlines()[-1])["waiting"] == 1


def test_columns_of_few_whole_numbers_are_named(shell: Shell, data: str) -> None:
    words = "1 column of few whole numbers is taken as categories: --numeric size makes it numbers."
    assert words in shell("learn", data, "--target", "class").out
    model = shell.path("m.tsdt")
    assert words not in shell("learn", data, "--target", "class", "--numeric", "size", "--model", model).out
    kinds = {column.name: column.kind for column in tsdt.load(model).schema_.columns}
    assert kinds["size"] == "numeric"
    changed = shell("learn", data, "--model", model, "--text", "size")
    assert changed.code == exits.USAGE and "has learned size as numeric" in changed.err


def test_bad_rows_are_counted_shown_and_kept(shell: Shell) -> None:
    lines = rows(1500)
    lines[1100], lines[1200] = "old,red,1,a,yes", "1,red"
    data = write_csv(Path(shell.path("d.csv")), lines)
    done = shell("learn", data, "--target", "class", "--rejects", shell.path("bad.csv"), "--json")
    result = json.loads(done.out.splitlines()[-1])
    assert result["event"] == "done" and result["bad_rows"] == 2 and result["samples"] == 1498
    assert (
        done.out.count("left out line 1102: age is 'old'") == 1 and done.out.count("left out line 1202: 2 fields") == 1
    )
    assert done.err == ""  # what programs read is said once
    kept = Path(shell.path("bad.csv")).read_text().splitlines()
    assert len(kept) == 3 and kept[1].startswith("1102,")
    strict = shell("learn", data, "--target", "class", "--strict")
    assert strict.code == exits.DATA and "line 1102" in strict.err


def test_json_lines_and_parquet_learn_the_same(shell: Shell, data: str) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.read_csv(data)
    frame.write_parquet(shell.path("d.parquet"))
    frame.write_ndjson(shell.path("d.jsonl"))
    trees = []
    for name in ("data.csv", "d.parquet", "d.jsonl"):
        done = shell("learn", shell.path(name), "--target", "class", "--model", shell.path(f"{name}.tsdt"), "--quiet")
        assert (done.code, done.out, done.err) == (exits.OK, "", "")
        trees.append(str(tsdt.load(shell.path(f"{name}.tsdt")).tree_))
    assert trees[0] == trees[1] == trees[2]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["learn", "none.csv", "--target", "class"], exits.DATA, "none.csv cannot be read"),
        (["learn", "DATA"], exits.USAGE, "which column is the class"),
        (["learn", "DATA", "--target", "klass"], exits.DATA, "there is no column 'klass'"),
        (["learn", "DATA", "--target", "class", "--split-cost", "7"], exits.USAGE, "split_cost is 7"),
        (["learn", "DATA", "--target", "class", "--every", "5s"], exits.USAGE, "--checkpoint"),
        (["learn", "DATA", "--target", "class", "--model", "nowhere/m.tsdt"], exits.USAGE, "no folder"),
        (["learn", "DATA", "--model", "MODEL", "--split-cost", "0.5"], exits.USAGE, "goes on with split_cost auto"),
        (["learn", "DATA", "--model", "DATA"], exits.MODEL, "is no model of tsdt"),
        (["learn", "EMPTY", "--target", "class"], exits.DATA, "empty"),
        (["learn", "HEADER", "--target", "class"], exits.DATA, "no row that can be used"),
        (["show", "none.tsdt"], exits.MODEL, "there is no model none.tsdt"),
        (["predict", "MODEL", "HEADER2"], exits.DATA, "lacks"),
    ],
)
def test_errors_are_one_line_with_a_code(
    shell: Shell, data: str, model: str, arguments: list[str], code: int, words: str
) -> None:
    files = {"EMPTY": "", "HEADER": HEADER + "\n", "HEADER2": "x,y\n1,2\n"}
    for name, text in files.items():
        Path(shell.path(name)).write_text(text)
    places = {"DATA": data, "MODEL": model} | {name: shell.path(name) for name in files}
    done = shell(*[places.get(argument, argument) for argument in arguments])
    assert done.code == code and words in done.err and done.err.count("\n") == 1
    assert "Traceback" not in done.err


def test_debug_shows_the_traceback(shell: Shell) -> None:
    assert "Traceback" in shell("learn", "none.csv", "--debug").err


class Warnings(Silent):
    def __init__(self) -> None:
        self.said: list[str] = []

    def warn(self, message: str) -> None:
        self.said.append(message)

    say = warn


def test_a_folder_that_vanishes_and_comes_back(tmp_path: Path) -> None:
    model = tsdt.TSDTClassifier(random_state=0).learn_many({"a": np.arange(200) % 2}, np.arange(200) % 2)
    folder, display = tmp_path / "gone", Warnings()
    saver = Saver(str(folder / "m.tsdt"), 0.01, display)
    assert not saver.save(model, {}) and not saver.save(model, {})
    folder.mkdir()
    assert saver.save(model, {}) and tsdt.load(folder / "m.tsdt").n_iter_ == model.n_iter_
    assert len(display.said) == 2 and "tried again" in display.said[0] and "saved again" in display.said[1]


def test_a_full_disk_at_the_end_sends_the_model_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tsdt.TSDTClassifier(random_state=0).learn_many({"a": np.arange(200) % 2}, np.arange(200) % 2)
    monkeypatch.chdir(tmp_path)
    saver = Saver("/dev/full/m.tsdt", None, Warnings())
    with pytest.raises(exits.CommandError, match="rescued") as error:
        saver.save_last(model, {}, wait=lambda seconds: None)
    assert error.value.code == exits.NOT_SAVED and tsdt.load(tmp_path / "m.tsdt.rescued").n_iter_ == model.n_iter_
    with pytest.raises(exits.CommandError, match="rescued-2"):
        saver.save_last(model, {}, wait=lambda seconds: None)


def test_columns_that_were_ignored_stay_ignored(shell: Shell, data: str) -> None:
    model = shell.path("m.tsdt")
    assert shell("learn", data, "--target", "class", "--ignore", "age", "--model", model, "--quiet").code == exits.OK
    more = shell.path("more.csv")
    Path(more).write_text("\n".join(Path(data).read_text().splitlines()[:301]) + "\n")
    assert shell("learn", more, "--model", model, "--quiet").code == exits.OK
    assert "age" not in [str(name) for name in tsdt.load(model).feature_names_in_]
