"""Each of the other commands on a small file."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from command_runs import HEADER, Shell, rows, write_csv

import tsdt
from tsdt.cli import exits
from tsdt.cli.parser import COMMANDS, VIEWS
from tsdt.version import VERSION

ROOT = Path(__file__).parent.parent.parent


def test_predict_adds_columns_and_keeps_every_row(shell: Shell, model: str) -> None:
    lines = rows(50, seed=5)
    lines[7] = "1,red"
    data = write_csv(Path(shell.path("new.csv")), lines)
    out = shell.path("out.csv")
    assert shell("predict", model, data, "--output", out, "--proba").code == exits.OK
    written = list(csv.reader(io.StringIO(Path(out).read_text())))
    assert written[0] == [*HEADER.split(","), "prediction", "confidence", "share_no", "share_yes"]
    assert [",".join(row[:5]) for i, row in enumerate(written[1:]) if i != 7] == lines[:7] + lines[8:]
    assert written[8] == ["1", "red", "", "", "", ""]
    assert sum(row[4] == row[5] for row in written[1:]) >= 48


def test_predict_keeps_formats(shell: Shell, data: str, model: str) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.read_csv(data)
    frame.write_parquet(shell.path("d.parquet"))
    frame.write_ndjson(shell.path("d.jsonl"))
    shell("predict", model, shell.path("d.parquet"), "-o", shell.path("o.parquet"))
    shell("predict", model, shell.path("d.jsonl"), "-o", shell.path("o.jsonl"))
    shell("predict", model, data, "-o", shell.path("o.csv"))
    answers = [
        pl.read_parquet(shell.path("o.parquet"))["prediction"].to_list(),
        pl.read_ndjson(shell.path("o.jsonl"))["prediction"].to_list(),
        pl.read_csv(shell.path("o.csv"))["prediction"].to_list(),
    ]
    assert answers[0] == answers[1] == answers[2] and len(answers[0]) == 600
    twice = shell("predict", model, shell.path("o.csv"))
    assert twice.code == exits.DATA and "--column" in twice.err


@pytest.mark.parametrize("view", VIEWS)
def test_show_has_every_view(shell: Shell, model: str, view: str) -> None:
    done = shell("show", model, "--as", view)
    assert done.code == exits.OK and "colour" in done.out


def test_explain(shell: Shell, data: str, model: str) -> None:
    assert shell("explain", model, "colour=red", "age=60").out.startswith("yes, because")
    assert "because" in shell("explain", model, "--data", data, "--row", "3").out
    assert json.loads(shell("explain", model, "colour=green", "--json").out)["answer"] == "no"
    facts = json.loads(shell("explain", model, "colour=red", "age=60", "--json").out)
    assert [(step["column"], step["value"]) for step in facts["steps"]] == [("colour", "red"), ("age", 60.0)]
    (other,) = facts["alternatives"]
    assert other["answer"] == "no" and other["changes"][0]["column"] == "colour" and other["changes"][0]["to"]
    assert shell("explain", model, "shape=round").code == exits.USAGE
    assert shell("explain", model, "age=old").code == exits.USAGE
    assert "counted from 1" in shell("explain", model, "--data", data, "--row", "0").err


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql", "duckdb"])
def test_show_has_every_dialect(shell: Shell, model: str, dialect: str) -> None:
    assert shell("show", model, "--as", "sql", "--dialect", dialect).out.startswith("CASE")


def test_predict_keeps_every_digit_of_parquet(shell: Shell, data: str, model: str) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.read_csv(data).head(2).with_columns(income=pl.Series([1234567.89, 0.1 + 0.2]))
    frame.write_parquet(shell.path("exact.parquet"))
    done = shell("predict", model, shell.path("exact.parquet"))
    assert "1234567.89" in done.out and "0.30000000000000004" in done.out


@pytest.mark.parametrize("command", [["show", "MODEL"], ["predict", "MODEL", "DATA"]])
def test_a_file_that_cannot_be_written_is_named_as_given(
    shell: Shell, data: str, model: str, command: list[str]
) -> None:
    given = [{"MODEL": model, "DATA": data}.get(word, word) for word in command]
    done = shell(*given, "-o", shell.path("nowhere/out.txt"))
    assert done.code == exits.DATA and "nowhere/out.txt: no such file" in done.err and "saving" not in done.err


def test_predict_writes_what_the_name_says(shell: Shell, data: str, model: str) -> None:
    assert shell("predict", model, data, "-o", shell.path("answers.parquet")).code == exits.USAGE
    assert shell("predict", model, data, "-o", shell.path("answers.csv.gz")).code == exits.OK
    with gzip.open(shell.path("answers.csv.gz"), "rt") as file:
        assert file.readline().endswith("prediction,confidence\n")


def test_inspect(shell: Shell, model: str) -> None:
    done = shell("inspect", model)
    assert "600 learned" in done.out and "colour" in done.out and "history" in done.out
    facts = json.loads(shell("inspect", model, "--json").out)
    assert facts["samples"] == 600 and facts["proven"] and facts["target"] == "class"


def test_compare(shell: Shell, data: str, model: str) -> None:
    assert "ask and answer the same" in shell("compare", model, model).out
    shell("learn", data, "--target", "class", "--split-cost", "0.2", "--model", shell.path("small.tsdt"), "--quiet")
    done = shell("compare", shell.path("small.tsdt"), model, data)
    assert "it now asks" in done.out and re.search(r"agree on \d+ of the 600 rows", done.out)


def test_evaluate(shell: Shell, data: str, model: str) -> None:
    assert "class \\ answer" in shell("evaluate", model, data).out
    for how in (["--folds", "3"], ["--holdout", "0.25"], ["--prequential"]):
        facts = json.loads(shell("evaluate", data, "--target", "class", "--json", *how).out)
        assert facts["accuracy"] > 0.85 and sum(map(sum, facts["confusion"])) == facts["rows"]
    assert facts["rows"] == 500  # all but the first batch, before which nothing is known


def test_frontier(shell: Shell, data: str) -> None:
    done = shell("frontier", data, "--target", "class", "--lowest", "0.02")
    assert done.code == exits.OK and "leaves" in done.out


def test_demo_leaves_files_that_its_commands_read(shell: Shell) -> None:
    done = shell("demo", "--folder", shell.path("demo"))
    assert "100.0% on 10,000 robots" in done.out and (shell.folder / "demo" / "robots.svg").exists()
    commands = re.findall(r"^  tsdt (.*?)(?: \| head)? +#", done.out, flags=re.MULTILINE)
    assert len(commands) == 3
    for command in commands[:2]:
        assert shell(*command.split()).code == exits.OK


def test_completion_knows_every_command(shell: Shell) -> None:
    for name in ("bash", "zsh", "fish"):
        script = shell("completion", name).out
        assert all(command in script for command, *_ in COMMANDS) and "--split-cost" in script.replace(
            "-l split-cost", "--split-cost"
        )


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("tsdt le", "learn"),
        ("tsdt --v", "--version"),
        ("tsdt show m --as s", "svg sql"),
        ("tsdt learn --every", "--every"),
        ("tsdt learn da", ""),  # which leaves it to the names of files
        ("tsdt completion f", "fish"),
    ],
)
def test_bash_completes(shell: Shell, words: str, completed: str) -> None:
    typed = f"COMP_WORDS=({words}); COMP_CWORD={len(words.split()) - 1}"
    script = shell("completion", "bash").out + typed + '; _tsdt; echo "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == f"{completed}\n"


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize(
    ("words", "completed"),
    [("tsdt le", ["learn"]), ("tsdt show m --as s", ["sql", "svg"]), ("tsdt learn --every", ["--every"])],
)
def test_fish_completes(shell: Shell, words: str, completed: list[str]) -> None:
    script = shell("completion", "fish").out + f"complete -C {words!r}\n"
    done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, check=True)
    assert [line.partition("\t")[0] for line in done.stdout.splitlines()] == completed


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_takes_the_script_without_any_setting(shell: Shell) -> None:
    script = shell("completion", "zsh").out + 'print "found $_comps[tsdt]"\n'
    done = subprocess.run(["zsh", "-f", "-c", script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("found _bash_complete -o default -F _tsdt\n", "")


def test_the_version_is_that_of_the_package(shell: Shell) -> None:
    assert f'\nversion = "{VERSION}"\n' in (ROOT / "pyproject.toml").read_text()
    assert shell("--version").out == f"tsdt {VERSION}\n"


def test_the_documentation_names_every_command_option_and_exit_code() -> None:
    text = (ROOT / "docs" / "command-line.md").read_text()
    assert all(f"tsdt {command}" in text for command, *_ in COMMANDS)
    assert all(f"| {code} |" in text for code in exits.MEANINGS)


def test_a_model_with_classes_that_are_numbers_goes_on_with_text(shell: Shell) -> None:
    model = tsdt.TSDTClassifier(random_state=0).learn_many({"a": [0.5, 1.5] * 100}, [0, 1] * 100)
    model.save(shell.path("n.tsdt"))
    Path(shell.path("n.csv")).write_text("a,y\n" + "0.5,0\n1.5,1\n" * 100)
    assert shell("learn", shell.path("n.csv"), "--target", "y", "--model", shell.path("n.tsdt"), "--quiet").code == 0
    assert tsdt.load(shell.path("n.tsdt")).classes_.tolist() == [0, 1]
