"""The subcommand `duet replay`, and the schedule files that it takes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from duet import lazy
from duet.options import ATTEMPTS, SECONDS, FrontendOptions

if TYPE_CHECKING:
    from duet import limits
    from duet.replay import confirm, isolate, recipe, replay, words
    from duet.report import files, text
    from duet.result import Run
else:
    limits = lazy.module("duet.limits")
    confirm = lazy.module("duet.replay.confirm")
    isolate = lazy.module("duet.replay.isolate")
    recipe = lazy.module("duet.replay.recipe")
    replay = lazy.module("duet.replay.replay")
    words = lazy.module("duet.replay.words")
    files = lazy.module("duet.report.files")
    text = lazy.module("duet.report.text")


def write_schedules(run: Run, options: FrontendOptions, folder: str) -> tuple[str, ...]:
    """Writes a schedule file for each check that has a schedule; their paths. *Raises*: UsageError."""
    names: Counter[str] = Counter()
    written: list[str] = []
    Path(folder).mkdir(parents=True, exist_ok=True)
    several = confirm.ambiguous(run.assertions)
    for assertion in run.assertions:
        if not assertion.schedule:
            continue
        check = assertion.check
        name = f"{Path(check.file).stem}-{check.line}-{check.property_name}"
        names[name] += 1
        number = f"-{names[name]}" if names[name] > 1 else ""
        written.append(str(Path(folder) / f"{name}{number}.json"))
        is_ambiguous = confirm.seen_as(assertion) in several
        files.write(written[-1], recipe.render(recipe.recipe_of(run, options, assertion, is_ambiguous)))
    return tuple(written)


@click.command(name="replay")
@click.argument("schedule", metavar="SCHEDULE.json")
@click.option(
    "--attempts",
    type=click.IntRange(min=1),
    default=ATTEMPTS,
    show_default=True,
    help="Runs at most: the first follows the schedule, later ones are guided by it.",
)
@click.option(
    "--timeout",
    "seconds",
    type=click.IntRange(min=1),
    default=SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="No run is begun after so many seconds.",
)
@click.option("--keep", metavar="DIR", help="Put the program there, with a script for gdb that stops at the failure.")
@click.option("--debug", is_flag=True, help="Show Python tracebacks.")
@click.pass_context
def command(context: click.Context, schedule: str, attempts: int, seconds: int, keep: str | None, debug: bool) -> None:
    """Compile and run the C program of a schedule that 'duet verify --schedules DIR' wrote.

    The program is run in a folder of its own, without network, under limits on time, memory, processes and files.

    Exit code: 0 the failure happened again, 1 it did not, 2 the program cannot be run, or the files are other ones.
    """
    outcome = limits.attempt(lambda: _replayed(schedule, attempts, seconds, keep))
    match outcome:
        case limits.Finished((told, has_failed)):
            if isolate.how() != isolate.ALONE:
                click.echo(text.diagnostic(f"the program was {isolate.how()}"), err=True)
            click.echo(told, nl=False)
            context.exit(0 if has_failed else 1)
        case limits.Failed(message, exit_code, _, trace):
            if debug:
                click.echo(trace, nl=False, err=True)
            click.echo(text.diagnostic(message), err=True)
            context.exit(exit_code)
        case limits.Exceeded(_, message):
            click.echo(text.diagnostic(message), err=True)
            context.exit(3)


def _replayed(path: str, attempts: int, seconds: int, keep: str | None) -> tuple[str, bool]:
    asked = recipe.read(path)
    found = replay.replay(asked, attempts, seconds, None if keep is None else Path(keep))
    return words.told(asked, found), found.has_failed
