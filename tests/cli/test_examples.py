"""What `--help` shows as examples: commands, arguments and options that there are."""

from __future__ import annotations

import shlex

import click
import pytest

from duet.cli import cli

COMMANDS = {name: command for name, command in cli.commands.items() if command.epilog}
EXAMPLES = [
    line.strip() for command in COMMANDS.values() for line in (command.epilog or "").splitlines() if " duet " in line
]


def test_commands_that_take_programs_have_examples() -> None:
    assert {"analyze", "batch", "check", "explain", "show", "verify"} == COMMANDS.keys()
    for name, command in COMMANDS.items():
        assert f"duet {name}" in command.get_help(click.Context(command, info_name=name))


@pytest.mark.parametrize("line", EXAMPLES)
def test_an_example_can_be_typed(line: str) -> None:
    _, name, *arguments = shlex.split(line)
    command = cli.commands[name]
    given = command.make_context(name, arguments, parent=click.Context(cli, info_name="duet"))
    assert given.params
