"""How a command ends: the exit codes, and the error that carries one. docs/command-line.md lists them."""

from __future__ import annotations

OK = 0
UNEXPECTED = 1
USAGE = 2
DATA = 3
MODEL = 4
NOT_SAVED = 5
INTERRUPTED = 130
TERMINATED = 143

BY_CTRL_C, BY_SIGTERM = "Ctrl-C", "SIGTERM"
ENDED_BY = {BY_CTRL_C: INTERRUPTED, BY_SIGTERM: TERMINATED}
"""The exit codes of what ends a command from outside, where nothing could be finished."""

MEANINGS = {
    OK: "all went well; also after Ctrl-C or SIGTERM, when what was learned has been saved",
    UNEXPECTED: "something unexpected; --debug shows where",
    USAGE: "the command line cannot be understood",
    DATA: "the data cannot be read or used, or the answer not written; with --strict also a bad row",
    MODEL: "the model file is absent, damaged or not a model",
    NOT_SAVED: "what was learned could not be saved where it should be; the message says where it is",
    INTERRUPTED: "Ctrl-C before anything was finished",
    TERMINATED: "SIGTERM before anything was finished",
}


class CommandError(Exception):
    """An end in one line for the person at the keyboard, with its exit code."""

    def __init__(self, message: str, code: int = DATA) -> None:
        super().__init__(message)
        self.code = code
