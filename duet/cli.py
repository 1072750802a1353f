"""The command line: arguments to options, results to reports and exit codes."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click.core import ParameterSource

from duet import __version__, lazy, terminal
from duet.arguments import (
    analysis,
    analysis_options,
    compiled,
    debug_option,
    examples,
    explain_options,
    frontend,
    frontend_options,
    input_files,
    run_options,
    whole_module,
)
from duet.batch.command import batch
from duet.compiler import Compiling
from duet.errors import UsageError
from duet.options import AnalysisOptions
from duet.replay.command import command as replay_command
from duet.replay.command import write_schedules
from duet.result import Run

if TYPE_CHECKING:
    from duet import competition, configuration, doctor, limits, pipeline, progress, stages
    from duet.certificate import report as proofs
    from duet.report import baseline, explained, files, github, html, json, sarif, text, witness
    from duet.witness import command as correctness
else:
    competition = lazy.module("duet.competition")
    configuration = lazy.module("duet.configuration")
    doctor = lazy.module("duet.doctor")
    limits = lazy.module("duet.limits")
    pipeline = lazy.module("duet.pipeline")
    progress = lazy.module("duet.progress")
    stages = lazy.module("duet.stages")
    proofs = lazy.module("duet.certificate.report")
    baseline = lazy.module("duet.report.baseline")
    explained = lazy.module("duet.report.explained")
    files = lazy.module("duet.report.files")
    github = lazy.module("duet.report.github")
    html = lazy.module("duet.report.html")
    json = lazy.module("duet.report.json")
    sarif = lazy.module("duet.report.sarif")
    text = lazy.module("duet.report.text")
    witness = lazy.module("duet.report.witness")
    correctness = lazy.module("duet.witness.command")

BUG = (
    "this is a bug in duet; please report it with the input, the command line and the output of "
    "'duet doctor --report' (--debug shows where it happened)"
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="duet")
@click.option("--config", metavar="PATH", help="The configuration [default: the nearest duet.toml].")
@click.pass_context
def cli(context: click.Context, config: str | None) -> None:
    """Verify concurrent C programs with any number of threads."""
    configuration.load(context, config)


@cli.command()
def init() -> None:
    """Write a commented duet.toml for this directory: what is analysed here, and how."""
    try:
        with open(configuration.NAME, "x", encoding="utf-8") as file:
            file.write(configuration.draft(Path.cwd()))
    except FileExistsError:
        raise UsageError(f"{configuration.NAME} is there already") from None
    except OSError as error:
        raise UsageError(f"cannot write {configuration.NAME}: {error.strerror}") from error
    click.echo(f"wrote {configuration.NAME}; 'duet analyze' takes it from here on")


@cli.command(
    cls=Compiling,
    epilog=examples(
        "duet analyze server.c",
        "duet analyze queue.c --entries push,pop --parameterized",
        "duet analyze --compile-commands build --system-headers",
        "duet analyze server.c --properties data-race,deadlock --html report.html",
        "duet analyze server.c --baseline last-week.json --format github",
        "duet analyze --system-headers -Wall -O2 -std=gnu99 -pthread server.c",
    ),
)
@run_options
@click.option("--verify/--no-verify", default=True, show_default=True,
              help="Look into checks that stay open for a few seconds, as 'duet verify' does for longer.")  # fmt: skip
@click.pass_context
def analyze(context: click.Context, /, **given: Any) -> None:
    """Prove or list the checks in C files (or in one .plip or .bp file).

    Exit code: 0 all proved or unreachable, 1 not all, 2 bad usage or input, 3 time or memory limit, 4 internal error.
    """
    _run(context, given | {"verify": given["verify"] or given["runs"]}, is_thorough=given["runs"])


@cli.command(
    cls=Compiling,
    epilog=examples(
        "duet verify server.c --timeout 300",
        "duet verify server.c --schedules found",
        "duet verify program.c --prp unreach-call.prp --witness program.yml",
    ),
)
@run_options
@click.pass_context
def verify(context: click.Context, /, **given: Any) -> None:
    """Decide the checks in C files: as 'duet analyze', and then by schedules that fail, and by proofs with cubes.

    Exit code: as of 'duet analyze'.
    """
    _run(context, given | {"verify": True}, is_thorough=True)


@cli.command(
    cls=Compiling, epilog=examples("duet explain server.c:120", "duet explain server.c:120 --properties data-race")
)
@explain_options
@click.pass_context
def explain(context: click.Context, /, place: str, **given: Any) -> None:
    """Print all that is known of the checks in one line: what must hold, what is known, what is missing, and why.

    Races and deadlocks are told in the lines of all of their accesses.

    FILE is analysed, or the files that are named besides, where it is one of several. Exit code: as of 'duet analyze',
    for the checks of the line.
    """
    file, line = explained.place(place)
    others = {
        f"--format {given['form']}": given["form"] not in ("text", "json"),
        "-o": given["output"],
        "--html": given["page"],
    }
    others |= {"--certificate": given["certificate"], "--baseline": given["baseline"]}
    if wrong := [option for option, value in others.items() if value]:
        raise UsageError(f"'duet explain' prints text or JSON: {', '.join(wrong)} is for 'duet analyze'")
    given = configuration.with_files(context, given)
    if not given["paths"] and not given["compile_commands"]:
        given["paths"] = (file,)
    ending = _ending(_job(context, given | {"verify": True}, is_thorough=False))
    if ending.failure:
        _complain(ending.failure, given["debug"])
        context.exit(ending.exit_code)
    indices = explained.at(ending.run, file, line)
    is_text = given["form"] == "text"
    told = explained.render(ending.run, indices, given["verbose"]) if is_text else json.render(ending.run, indices)
    click.echo(told, nl=False)
    chosen = replace(ending.run, assertions=tuple(ending.run.assertions[index] for index in indices))
    context.exit(0 if given["exit_zero"] and chosen.exit_code == 1 else chosen.exit_code)


def _run(context: click.Context, given: dict[str, Any], is_thorough: bool) -> None:
    """One run with its reports; ends with its exit code."""
    form, page = given["form"], given["page"]
    before = baseline.read(given["baseline"]) if given["baseline"] else None
    for path in (given["output"], page, given["certificate"], given["witness"]):
        if path is not None:
            files.check_writable(path)
    asked = competition.read(given["prp"]) if given["prp"] else None
    job = _job(context, given | ({"properties": asked.checks} if asked else {}), is_thorough)
    ending = _ending(replace(job, has_derivations=form in ("json", "html") or page is not None))
    run = ending.run
    if before is not None and not ending.failure:
        run = replace(run, comparison=baseline.compare(run, before))
    if ending.failure:
        _complain(ending.failure, given["debug"])
    if form in ("json", "sarif") or not ending.failure:
        _deliver(run, given, context.obj.path if context.obj else "")
    if page is not None and not ending.failure:
        files.write(page, html.render(run))
    if given["schedules"] is not None and not ending.failure:
        write_schedules(run, job.frontend, given["schedules"])
    if given["witness"] is not None and not ending.failure:
        _write_witness(given["witness"], given["witness_version"], run, job)
    if asked is not None:
        click.echo(f"SV-COMP result: {competition.result(run, asked)}", err=form != "text" and given["output"] is None)
    code = ending.exit_code if ending.failure else run.exit_code
    context.exit(0 if given["exit_zero"] and code == 1 else code)


def _write_witness(path: str, version: str, run: Run, job: pipeline.Job) -> None:
    """A witness of a check that fails, or else of all that holds."""
    refuted = witness.first_refuted(run)
    if refuted is not None:
        files.write(path, witness.render(run, refuted))
    elif not correctness.write(path, run, job, version):
        click.echo(
            text.diagnostic(f"no witness is written to {path}: nothing is refuted, and not all is proved"), err=True
        )


def _job(context: click.Context, given: dict[str, Any], is_thorough: bool) -> pipeline.Job:
    """What the command line and the configuration ask for."""
    given = configuration.with_files(context, given)
    paths, units = input_files(given["paths"], given["compile_commands"], given["only"])
    told = {unit.path for unit in units}
    units = (*units, *compiled(tuple(path for path in paths if path not in told), given))
    paths, configured = whole_module(paths, frontend(given, paths, units), given["alone"])
    limits_given = analysis(given, given["timeout"], given["memory"])
    is_watched = terminal.wants_progress(sys.stderr, os.environ)
    return pipeline.Job(
        paths, configured, limits_given, given["certificate"], is_thorough, given["runs"], is_watched=is_watched
    )


def _ending(job: pipeline.Job) -> pipeline.Ending:
    """A run and how it ended, with progress on a terminal while it lasts."""
    try:
        with progress.shown(terminal.wants_progress(sys.stderr, os.environ)) as told:
            return pipeline.run(job, is_interruptible=True, heard=told.heard)
    except KeyboardInterrupt:
        click.echo("duet: interrupted before any check was found", err=True)
        raise


@cli.command(
    name="check",
    epilog=examples(
        "duet check proof.json server.c",
        "duet check server.yml server.c --timeout 300",
    ),
)
@click.argument("certificate", metavar="PROOF")
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@frontend_options
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
              help="How long the check of a witness may take.")  # fmt: skip
@debug_option
@click.pass_context
def check_command(
    context: click.Context, /, certificate: str, paths: tuple[str, ...], form: str, debug: bool, **given: Any
) -> None:
    """Check a PROOF: a certificate, without the analysis that made it, or a correctness witness (.yml).

    A certificate tells how its program is read, for a witness the options do.

    Exit code: 0 it proves what it claims, 1 it does not, 2 it is not about these files, or is none.
    """
    if certificate.endswith((".yml", ".yaml")):
        _check_witness(context, certificate, paths, form, debug, given)
    asked = [name for name in given if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if asked:
        raise UsageError("a certificate tells how its program is read: no options of the front end")
    outcome = limits.attempt(lambda: pipeline.certify(certificate, paths))
    match outcome:
        case limits.Finished((proof, found)):
            render = proofs.json_report if form == "json" else proofs.text_report
            click.echo(render(certificate, proof, found), nl=False)
            context.exit(0 if found.holds else 1)
        case limits.Failed():
            _complain(outcome, debug)
            context.exit(outcome.exit_code)
        case limits.Exceeded(_, message):
            click.echo(text.diagnostic(message), err=True)
            context.exit(3)


def _check_witness(
    context: click.Context, path: str, paths: tuple[str, ...], form: str, debug: bool, given: dict[str, Any]
) -> NoReturn:
    """Ends with the exit code of a witness."""
    if given["properties"] is not None:
        raise UsageError("what is checked stands in the witness: no --properties")
    options = AnalysisOptions(verify=True, timeout=given["timeout"])
    found = correctness.judged(path, pipeline.Job(paths, frontend(given, paths), options, is_thorough=True))
    endings = (found.plain, found.examined.ending)
    for ending in endings:
        if ending.failure is not None:
            _complain(ending.failure, debug)
            context.exit(ending.exit_code)
    report = correctness.json_report(found) if form == "json" else correctness.text_report(found)
    click.echo(report, nl=False)
    limit = 3 if any(ending.exit_code == 3 for ending in endings) else 1
    context.exit(0 if found.is_confirmed else limit)


_SHOWN = ("tree", "form", "points-to", "plip", "cfg", "dfg", "interference", "harness", "proof")


@cli.command(
    name="show",
    epilog=examples(
        "duet show plip server.c",
        "duet show cfg server.c --dot",
        "duet show proof server.c:12",
        "duet show harness driver.c --model linux",
    ),
)
@click.argument("what", type=click.Choice(_SHOWN))
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@frontend_options
@analysis_options
@click.option("--dot", is_flag=True, help="For Graphviz (cfg, dfg, interference).")
@debug_option
@click.pass_context
def show_command(
    context: click.Context, /, what: str, paths: tuple[str, ...], dot: bool, debug: bool, **given: Any
) -> None:
    """Print what the analyzer sees of files, stage by stage; 'proof FILE:LINE' why the checks of a line are proved."""
    is_alone = given["alone"] or what == "proof"
    outcome = limits.attempt(
        lambda: stages.shown(
            what, *whole_module(paths, frontend(given, stages.files(what, paths)), is_alone), analysis(given), dot
        )
    )
    match outcome:
        case limits.Finished(found):
            click.echo(found, nl=False)
        case limits.Failed():
            _complain(outcome, debug)
            context.exit(outcome.exit_code)
        case limits.Exceeded(_, message):
            click.echo(text.diagnostic(message), err=True)
            context.exit(3)


cli.add_command(batch)
cli.add_command(replay_command)


@cli.command()
def lsp() -> None:
    """Serve an editor by the Language Server Protocol, on standard input and output (needs the extra 'lsp')."""
    try:
        from duet.lsp.server import server
    except ImportError as error:
        raise UsageError(f"the language server needs {error.name}: pip install 'duet-analyzer[lsp]'") from None
    server.start_io()


@cli.command(name="doctor")
@click.option("--report", "is_for_others", is_flag=True, help="For the report of a bug: more versions, and no paths.")
def doctor_command(is_for_others: bool) -> None:
    """Print which engines and libraries are found, and what is used by default."""
    click.echo(doctor.report(is_for_others), nl=False)


def _deliver(run: Run, given: dict[str, Any], origin: str) -> None:
    """Puts the report where it was asked for; notes for people go to standard error, also of which configuration."""
    form, output, is_verbose = given["form"], given["output"], given["verbose"]
    has_colour = output is None and terminal.wants_colour(sys.stdout, os.environ)
    match form:
        case "json":
            report = json.render(run)
        case "sarif":
            report = sarif.render(run, given["profile"] == "full")
        case "github":
            report = github.render(run)
        case "html":
            report = html.render(run)
        case _:
            report = text.render(run, has_colour, is_verbose).results
    if form in ("text", "github") or output is not None:
        click.echo(text.notes(run, is_verbose), nl=False, err=True)
    if output is not None:
        files.write(output, report)
    else:
        click.echo(report, nl=False, color=has_colour)
    if form in ("text", "github") or output is not None:
        sys.stdout.flush()  # the ending stands behind the report where both are one stream
        click.echo(text.ending(run, is_verbose), nl=False, err=True)
        if origin:
            click.echo(f"configuration: {origin}", err=True)


def _complain(failure: limits.Failed, debug: bool) -> None:
    if debug and failure.trace:
        click.echo(failure.trace, nl=False, err=True)
    message = failure.message if failure.expected else f"duet: internal error: {failure.message}; {BUG}"
    click.echo(text.diagnostic(message), err=True)
