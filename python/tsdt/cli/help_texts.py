"""What --help says: for each command what it does, and examples to copy."""

from __future__ import annotations

TOP = """\
Small, optimal decision trees that keep learning while the data flow.

tsdt reads rows, one column of which is the class, and looks for the tree with the highest
accuracy - split_cost * splits. It says how far from the best tree its own can be at most."""

TOP_EXAMPLES = """\
a first session:
  tsdt demo                                             # see it learn, one minute
  tsdt learn data.csv --target class --model m.tsdt     # learn your table
  tsdt show m.tsdt                                      # look at the tree
  tsdt predict m.tsdt new.csv > answered.csv            # use it

'tsdt COMMAND --help' explains a command with examples. Documentation: docs/command-line.md."""

_LEARN = """\
Learn a tree. A file is read whole and searched until the tree is proven to be the best, or --time-limit;
a pipe is learned in one pass, each row once, the last --window rows counting. One that ends before these have
come is a table in the end.

Ctrl-C or SIGTERM end it well: the best tree so far is shown and saved. A row that cannot be used is counted
and shown, and does not end a stream."""

_LEARN_EXAMPLES = """\
  tsdt learn data.csv --target class                     learn a table and show the tree
  tsdt learn data.csv --target class --model m.tsdt      save it; the same again goes on searching
  tsdt learn data.csv --target class --split-cost 0.002  allow a larger tree
  zcat logs.gz | tsdt learn - --target status            learn a stream
  producer | tsdt learn - --target class --checkpoint m.tsdt --every 10s
                                                         endless; after a crash the same command goes on
  tsdt learn data.csv --target class --json | tail -1 | jq .value
                                                         for programs"""

_PREDICT = """\
Add predictions to rows: the columns 'prediction' and 'confidence', the share of that class among the samples
of its leaf. The rows come out as they went in, in the same order and format, while they are read. A row that
cannot be used keeps its place, with nothing in the added columns."""

_PREDICT_EXAMPLES = """\
  tsdt predict m.tsdt new.csv > answered.csv
  tail -f live.csv | tsdt predict m.tsdt -
  tsdt predict m.tsdt new.parquet --output answered.parquet
  tsdt predict m.tsdt new.csv --proba                    one more column for each class"""

_EVALUATE = """\
How often a model is right. With a saved model: on the rows given, which it should not have learned from.
With data alone: models are learned from one part of the rows and tested on the other."""

_EVALUATE_EXAMPLES = """\
  tsdt evaluate m.tsdt test.csv                          a saved model on other rows
  tsdt evaluate data.csv --target class                  cross-validation with 5 folds
  tsdt evaluate data.csv --target class --holdout 0.3    learn from 70%, test on 30%
  tsdt evaluate - --target class --prequential < data.csv
                                                         as a stream: predict each row, then learn it"""

_SHOW = "The tree of a model, in any of its views."

_SHOW_EXAMPLES = """\
  tsdt show m.tsdt                                       in the terminal
  tsdt show m.tsdt --as rules                            one sentence for each leaf
  tsdt show m.tsdt --as svg -o tree.svg                  a picture
  tsdt show m.tsdt --as html -o tree.html                a page to send to someone
  tsdt show m.tsdt --as sql --dialect duckdb             one CASE expression
  tsdt show m.tsdt --as python > tree.py                 a function without imports"""

_EXPLAIN = "Why a row gets its answer, step by step, and what would have to change for another one."

_EXPLAIN_EXAMPLES = """\
  tsdt explain m.tsdt outlook=sunny humidity=80
  tsdt explain m.tsdt --data new.csv --row 12"""

_FRONTIER = """\
The best tree of each size worth having, with the prices of a split for which it is the best one: a table to
choose --split-cost by."""

_FRONTIER_EXAMPLES = """\
  tsdt frontier data.csv --target class
  tsdt frontier data.csv --target class --as svg -o frontier.svg"""

_INSPECT = (
    "What a model file holds: its tree in numbers, its columns, its parameters, its history; and whether it is whole."
)

_INSPECT_EXAMPLES = """\
  tsdt inspect m.tsdt
  tsdt inspect m.tsdt --json | jq .samples"""

_COMPARE = "What changed between two trees, in words: split by split from the root, and where given on rows."

_COMPARE_EXAMPLES = """\
  tsdt compare monday.tsdt friday.tsdt
  tsdt compare a.tsdt b.tsdt data.csv                    also counts where they agree"""

_DEMO = "The first minute: a stream is learned before your eyes, and files are left to try the other commands on."

_COMPLETION = "Completion for your shell: commands, options and files."

_COMPLETION_EXAMPLES = """\
  eval "$(tsdt completion bash)"                         in ~/.bashrc
  eval "$(tsdt completion zsh)"                          in ~/.zshrc, after compinit
  tsdt completion fish > ~/.config/fish/completions/tsdt.fish"""

COMMANDS = {
    "learn": (_LEARN, _LEARN_EXAMPLES),
    "predict": (_PREDICT, _PREDICT_EXAMPLES),
    "evaluate": (_EVALUATE, _EVALUATE_EXAMPLES),
    "show": (_SHOW, _SHOW_EXAMPLES),
    "explain": (_EXPLAIN, _EXPLAIN_EXAMPLES),
    "frontier": (_FRONTIER, _FRONTIER_EXAMPLES),
    "inspect": (_INSPECT, _INSPECT_EXAMPLES),
    "compare": (_COMPARE, _COMPARE_EXAMPLES),
    "demo": (_DEMO, "  tsdt demo"),
    "completion": (_COMPLETION, _COMPLETION_EXAMPLES),
}
"""For each command its description and its examples."""

USAGE = {
    "learn": "tsdt learn DATA --target COLUMN [--model FILE] [options]",
    "predict": "tsdt predict MODEL DATA [options]",
    "evaluate": "tsdt evaluate MODEL DATA [options]\n       tsdt evaluate DATA --target COLUMN [options]",
    "show": "tsdt show MODEL [--as VIEW] [options]",
    "explain": "tsdt explain MODEL NAME=VALUE ...\n       tsdt explain MODEL --data DATA --row N",
    "frontier": "tsdt frontier DATA --target COLUMN [options]",
    "inspect": "tsdt inspect MODEL [--json]",
    "compare": "tsdt compare A B [DATA] [options]",
    "demo": "tsdt demo [--folder DIR]",
    "completion": "tsdt completion bash|zsh|fish",
}
"""For each command how it is written."""
