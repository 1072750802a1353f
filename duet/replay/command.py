"""The subcommand `duet replay`, and the schedule files that it takes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from duet import limits
from duet.options import FrontendOptions
from duet.replay import isolate
from duet.replay.confirm import ambiguous, seen_as
from duet.replay.recipe import read, recipe_of, render
from duet.replay.replay import ATTEMPTS, SECONDS, replay
from duet.replay.words import told
from duet.report import files
from duet.report.text import diagnostic
from duet.result import Run


def write_schedules(run: Run, options: FrontendOptions, folder: str) -> tuple[str, ...]:
    """Writes a schedule file for each check that has a schedule; their paths. *Raises*: UsageError."""
    names: Counter[str] = Counter()
    written: list[str] = []
    Path(folder).mkdir(parents=True, exist_ok=True)
    several = ambiguous(run.assertions)
    for assertion in run.assertions:
        if not assertion.schedule:
            continue
        check = assertion.check
        name = f"{Path(check.file).stem}-{check.line}-{check.property_name}"
        names[name] += 1
        number = f"-{names[name]}" if names[name] > 1 else ""
        written.append(str(Path(folder) / f"{name}{number}.json"))
        files.write(written[-1], render(recipe_of(run, options, assertion, seen_as(assertion) in several)))
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
        case limits.Finished((text, has_failed)):
            if isolate.how() != isolate.ALONE:
                click.echo(diagnostic(f"the program was {isolate.how()}"), err=True)
            click.echo(text, nl=False)
            context.exit(0 if has_failed else 1)
        case limits.Failed(message, exit_code, _, trace):
            if debug:
                click.echo(trace, nl=False, err=True)
            click.echo(diagnostic(message), err=True)
            context.exit(exit_code)
        case limits.Exceeded(_, message):
            click.echo(diagnostic(message), err=True)
            context.exit(3)


def _replayed(path: str, attempts: int, seconds: int, keep: str | None) -> tuple[str, bool]:
    recipe = read(path)
    found = replay(recipe, attempts, seconds, None if keep is None else Path(keep))
    return told(recipe, found), found.has_failed
