"""The subcommand `duet batch`."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from duet import lazy
from duet.arguments import Names, examples
from duet.options import (
    ASSUMPTIONS,
    DATA_MODELS,
    DOMAINS,
    ENGINES,
    NO_ASSUMPTIONS,
    NUMERICS,
    PROPERTIES,
    UNKNOWN_FUNCTIONS,
)
from duet.report.text import visible

if TYPE_CHECKING:
    import psutil

    from duet.batch import baseline as baselines
    from duet.batch import page
    from duet.batch import resume as resuming
    from duet.batch import run as runs
    from duet.batch import suite as suites
    from duet.batch import verdict as verdicts
    from duet.batch.settings import Setting
    from duet.batch.task import Suite
    from duet.batch.verdict import Row
else:
    psutil = lazy.module("psutil")
    baselines = lazy.module("duet.batch.baseline")
    page = lazy.module("duet.batch.page")
    resuming = lazy.module("duet.batch.resume")
    runs = lazy.module("duet.batch.run")
    suites = lazy.module("duet.batch.suite")
    verdicts = lazy.module("duet.batch.verdict")

DEFAULT_TIMEOUT = 900.0
DEFAULT_DIRECTORY = "duet-results"
MOST_NEW = 20  # open checks that are told


@click.command(
    name="batch",
    epilog=examples(
        "duet batch src -j 4 --timeout 60 -o results",
        "duet batch build/compile_commands.json --system-headers",
        "duet batch src -o results --resume",
    ),
)
@click.argument("path", metavar="SUITE")
@click.option("-j", "jobs", type=click.IntRange(min=1), metavar="N", help="Tasks at the same time [default: CPUs].")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help=f"Hard time limit of each task [default: {DEFAULT_TIMEOUT:g}].",
)
@click.option(
    "--memory",
    type=click.IntRange(min=1),
    metavar="MIB",
    help="Hard memory limit of each task [default: an equal share of this machine's].",
)
@click.option("--resume", is_flag=True, help="Keep the results in the output directory that still hold.")
@click.option("-o", "directory", default=DEFAULT_DIRECTORY, show_default=True, metavar="DIR", help="Where results go.")
@click.option(
    "--baseline",
    metavar="PREVIOUS",
    help="Compare with an earlier batch (its directory), or with a JSON report: only new open checks count.",
)
@click.option("--scheduler", default="", metavar="ADDRESS", help="Run on the Dask cluster there.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 also when some checks are not proved.")
@click.option("--domain", type=click.Choice(DOMAINS))
@click.option("--engine", type=click.Choice(ENGINES), help="Datalog engine.")
@click.option("--numeric", type=click.Choice(NUMERICS), help="Numeric library.")
@click.option("--refine/--no-refine", default=None, help="Refine data flows after the fixpoint.")
@click.option("--verify/--no-verify", default=None, help="Look into checks that stay open for a few seconds.")
@click.option(
    "--run",
    "wants_runs",
    is_flag=True,
    help="Compile and run programs to decide what stays open: only code that you trust.",
)
@click.option("--model", type=click.Choice(["linux"]), help="The world around the code: a kernel driver.")
@click.option("--kernel", metavar="DIR", help="The kernel's own headers, or 'bundled', with --model linux.")
@click.option("--descriptors", type=click.Choice(["shared", "private"]), help="Whether threads share an open file.")
@click.option("--unknown-functions", type=click.Choice(UNKNOWN_FUNCTIONS), help="What functions not there use.")
@click.option(
    "--assume",
    type=Names((*ASSUMPTIONS, NO_ASSUMPTIONS)),
    metavar="NAME,...",
    help="What to take for true, as in 'analyze'.",
)
@click.option("--properties", type=Names(PROPERTIES), metavar="P,Q", help="What to check.")
@click.option("--parameterized", is_flag=True, default=None, help="Any number of instances of every thread.")
@click.option("--entries", type=Names(), metavar="all|F,G", help="Functions that run as threads.")
@click.option("--init", metavar="F", help="Function that runs first, with --entries.")
@click.option("-I", "include", multiple=True, metavar="DIR", help="Directory to search for headers.")
@click.option("-D", "define", multiple=True, metavar="NAME[=VAL]", help="Macro to define.")
@click.option("--system-headers", is_flag=True, default=None, help="The headers of this machine, not the bundled ones.")
@click.option("--data-model", type=click.Choice(DATA_MODELS), help="Sizes of integers and pointers.")
@click.option("--std", help="C standard.")
@click.option("--debug", is_flag=True, help="Show Python tracebacks.")
@click.pass_context
def batch(
    context: click.Context,
    /,
    path: str,
    jobs: int | None,
    resume: bool,
    directory: str,
    baseline: str | None,
    scheduler: str,
    exit_zero: bool,
    wants_runs: bool,
    debug: bool,
    **options: Any,
) -> None:
    """Analyse every task of a SUITE: a directory, a .toml set, an SV-COMP task definition (.yml), or the files of a
    compile_commands.json, each by itself.

    The options from --domain on are those of 'duet analyze'; they win over those of the suite.

    Exit code, the worst of the tasks: 0 all proved or unreachable, 1 not all, 2 bad usage or input, 3 time or memory
    limit, 4 internal error or a wrong proof; 130 interrupted. With --baseline, 1 only where an open check is new.
    """
    del debug  # looked at by whoever catches the exception
    given: dict[str, Setting] = {name: value for name, value in options.items() if value not in (None, ())}
    jobs = jobs or _cpus()
    limits: dict[str, Setting] = {"timeout": DEFAULT_TIMEOUT}
    if not scheduler:
        limits["memory"] = _share(jobs)
    if wants_runs:
        given["verify"] = True
    suite = suites.load(path, limits, given)
    earlier = baselines.read(baseline) if baseline is not None else None
    suite = replace(suite, tasks=tuple(replace(task, runs=wants_runs) for task in suite.tasks))
    try:
        rows = runs.run(suite, runs.Plan(directory, jobs, resume, scheduler, earlier))
    except KeyboardInterrupt:
        click.echo(f"interrupted; the results so far are in {directory}, --resume goes on", err=True)
        raise
    click.echo(_summary(suite, rows, directory), nl=False)
    code = verdicts.exit_code(rows)
    context.exit(0 if exit_zero and code == 1 else code)


def _cpus() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _share(jobs: int) -> int:
    """The memory of this machine that each of the jobs may use, in MiB."""
    return max(1, int(psutil.virtual_memory().total // 2**20 // jobs))


def _summary(suite: Suite, rows: tuple[Row, ...], directory: str) -> str:
    """The result of the suite in a few lines."""
    sums = page.totals(suite, rows)
    whole = sums.counts["total"]
    number = {verdict: sum(row.verdict is verdict for row in rows) for verdict in verdicts.Verdict}
    told = ", ".join(f"{count} {verdict}" for verdict, count in number.items() if count)
    lines = [
        f"{visible(suite.title)}: {len(rows)} tasks: {told}",
        f"checks: {whole}, safe: {sums.safe}{f' ({page.share(sums.safe, whole)})' if whole else ''}, "
        f"{sums.seconds:.1f} s of analysis",
    ]
    if sums.published.get("checks"):
        proved = [
            f"{count} proved with {name} ({page.share(count, sums.published['checks'])})"
            for name, count in sums.published.items()
            if name != "checks"
        ]
        lines.append(f"published ({suite.published}): {sums.published['checks']} checks, {', '.join(proved)}")
    lines += _news(rows)
    lines.append(f"results: {os.path.join(directory, resuming.PAGE)}")
    return "".join(f"{line}\n" for line in lines)


def _news(rows: tuple[Row, ...]) -> list[str]:
    """What is new against an earlier batch, a line for each open check up to some."""
    compared = [(row.task.name, row.since) for row in rows if row.since is not None]
    if not compared:
        return []
    new = [(name, one) for name, since in compared for one in since.new]
    same, fixed = (sum(numbers) for numbers in zip(*((s.same, len(s.fixed)) for _, s in compared), strict=True))
    told = [
        visible(f"new: {one.file}:{one.line}: {one.property_name} '{one.expression}' in {one.function} ({name})")
        for name, one in new[:MOST_NEW]
    ]
    more = [f"new: {len(new) - MOST_NEW} more"] if len(new) > MOST_NEW else []
    return [*told, *more, f"against the baseline: {len(new)} open checks are new, {fixed} fixed, {same} the same"]
