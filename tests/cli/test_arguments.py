"""Arguments and what they mean."""

from __future__ import annotations

import click

from duet.arguments import run_options


def test_values_of_lists_are_completed() -> None:
    @click.command()
    @run_options
    def command(**_: object) -> None:
        pass

    (properties,) = (option for option in command.params if option.name == "properties")
    context = click.Context(command)
    found = [item.value for item in properties.shell_complete(context, "overflow,d")]
    assert found == ["overflow,division-by-zero", "overflow,data-race", "overflow,deadlock"]
