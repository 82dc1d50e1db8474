"""Scripts that complete commands, options, their choices and files, for bash, zsh and fish."""

from __future__ import annotations

import argparse
from collections.abc import Callable

Option = tuple[list[str], list[str], str]
"""The ways to write an option, its choices, and what it does."""


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _summaries(parser: argparse.ArgumentParser) -> dict[str, str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return {choice.dest: choice.help or "" for choice in action._choices_actions}
    return {}


def _options(parser: argparse.ArgumentParser) -> list[Option]:
    return [
        (list(action.option_strings), [str(choice) for choice in action.choices or ()], action.help or "")
        for action in parser._actions
        if action.option_strings and action.help != argparse.SUPPRESS
    ]


def bash(parser: argparse.ArgumentParser) -> str:
    """For bash."""
    commands = _commands(parser)
    lines = ["_tsdt() {", '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"']
    lines += [f'  local words="{" ".join(commands)} --help --version"', '  case "${COMP_WORDS[1]}:$before" in']
    lines += _bash_choices(commands)
    lines += ["  esac", '  if [ "$COMP_CWORD" -gt 1 ]; then', '    case "${COMP_WORDS[1]}:$word" in']
    lines.append('      completion:*) words="bash zsh fish --help" ;;')
    for name, sub in commands.items():
        written = " ".join(way for ways, _, _ in _options(sub) for way in ways)
        lines.append(f'      {name}:-*) words="{written}" ;;')
    lines.append('      *) words="" ;;')  # files
    lines += ["    esac", "  fi", '  COMPREPLY=($(compgen -W "$words" -- "$word"))', "}"]
    return "\n".join([*lines, "complete -o default -F _tsdt tsdt"]) + "\n"


def _bash_choices(commands: dict[str, argparse.ArgumentParser]) -> list[str]:
    lines = []
    for name, sub in commands.items():
        for ways, choices, _ in _options(sub):
            if choices:
                places = "|".join(f"{name}:{way}" for way in ways)
                reply = f'COMPREPLY=($(compgen -W "{" ".join(choices)}" -- "$word"))'
                lines.append(f"    {places}) {reply}; return ;;")
    return lines


def zsh(parser: argparse.ArgumentParser) -> str:
    """For zsh, by way of its understanding of bash's completion."""
    ready = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }\n"
    return ready + "autoload -U +X bashcompinit && bashcompinit\n" + bash(parser)


def fish(parser: argparse.ArgumentParser) -> str:
    """For fish."""
    summaries, lines = (
        _summaries(parser),
        ["complete -c tsdt -n __fish_use_subcommand -l version -d 'show the version'"],
    )
    for name, sub in _commands(parser).items():
        lines.append(f"complete -c tsdt -n __fish_use_subcommand -f -a {name} -d {_quoted(summaries[name])}")
        for ways, choices, words in _options(sub):
            marks = " ".join(f"-l {way[2:]}" if way.startswith("--") else f"-s {way[1:]}" for way in ways)
            among = f" -x -a {_quoted(' '.join(choices))}" if choices else ""
            seen = f"'__fish_seen_subcommand_from {name}'"
            lines.append(f"complete -c tsdt -n {seen} {marks}{among} -d {_quoted(words)}")
    lines.append("complete -c tsdt -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SCRIPTS: dict[str, Callable[[argparse.ArgumentParser], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""The scripts by shell."""
