"""The command line: arguments to options, results to reports and exit codes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import click

from duet import __version__, doctor, limits, pipeline, show
from duet.batch.command import batch
from duet.certificate import report as proofs
from duet.clock import Clock
from duet.errors import UsageError
from duet.frontend.lower import formed
from duet.frontend.source.commands import read_commands
from duet.frontend.source.kernel import BUNDLED, default_kernel, find_headers
from duet.frontend.source.modules import is_module_file
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.linux import general
from duet.linux.harness import derive
from duet.options import (
    DEFAULT_PROPERTIES,
    DEFAULT_STANDARD,
    DOMAINS,
    ENGINES,
    FORMATS,
    LINUX_PROPERTIES,
    NUMERICS,
    PROPERTIES,
    UNKNOWN_FUNCTIONS,
    AnalysisOptions,
    FrontendOptions,
    UnitFlags,
)
from duet.plip.printer import print_program
from duet.report import files, html, json, sarif, text
from duet.result import Run
from duet.verify.words import proofs_at

Command = TypeVar("Command", bound=Callable[..., Any])
BUG = (
    "this is a bug in duet; please report it with the input, the command line and the output of 'duet doctor' "
    "(--debug shows where it happened)"
)


class _Names(click.ParamType[tuple[str, ...]]):
    """A comma-separated list, of the names in `known` if that is not empty."""

    name = "names"

    def __init__(self, known: tuple[str, ...] = ()) -> None:
        self.known = known

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        if isinstance(value, tuple):
            return value
        names = tuple(name.strip() for name in str(value).split(",") if name.strip())
        if not names:
            self.fail("an empty list", param, ctx)
        for name in names:
            if self.known and name not in self.known:
                self.fail(f"{name!r} is not one of {', '.join(self.known)}", param, ctx)
        return names


def _all(decorators: list[Callable[[Any], Any]]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


_frontend_options = _all([
    click.option("--parameterized", is_flag=True, help="Any number of instances of every thread."),
    click.option("--entries", type=_Names(), metavar="all|F,G", help="Functions that run as threads."),
    click.option("--init", metavar="F", help="Function that runs first, with --entries [default: init, if there]."),
    click.option("--properties", type=_Names(PROPERTIES), metavar="P,Q",
                 help=f"What to check: {', '.join(PROPERTIES)} [default: {','.join(DEFAULT_PROPERTIES)}; "
                      f"with --model linux {','.join(LINUX_PROPERTIES)}]."),
    click.option("--model", type=click.Choice(["linux"]), help="The world around the code: a kernel driver."),
    click.option("--kernel", metavar="DIR",
                 help="The kernel's own headers: a package of headers or a built tree, or 'bundled' for those of duet "
                      "[default for a kernel module: the newest that are installed]."),
    click.option("--harness", metavar="PATH", help="A harness saved by 'duet show harness', with --model linux."),
    click.option("--descriptors", type=click.Choice(["shared", "private"]), default="shared", show_default=True,
                 help="Whether threads share an open file, with --model linux."),
    click.option("--unknown-functions", type=click.Choice(UNKNOWN_FUNCTIONS), default="arguments", show_default=True,
                 help="What functions that are not there use: their arguments, or what has external linkage, too."),
    click.option("-I", "include_dirs", multiple=True, metavar="DIR", help="Directory to search for headers."),
    click.option("-D", "defines", multiple=True, metavar="NAME[=VAL]", help="Macro to define."),
    click.option("--system-headers", is_flag=True, help="The headers of this machine instead of the bundled ones."),
    click.option("--std", default=DEFAULT_STANDARD, show_default=True, help="C standard."),
])  # fmt: skip
_analysis_options = _all([
    click.option("--domain", type=click.Choice(DOMAINS), default="auto", show_default=True),
    click.option("--engine", type=click.Choice(ENGINES), default="auto", show_default=True, help="Datalog engine."),
    click.option("--numeric", type=click.Choice(NUMERICS), default="auto", show_default=True, help="Numeric library."),
    click.option("--refine/--no-refine", default=True, show_default=True, help="Refine data flows after the fixpoint."),
])  # fmt: skip
_debug_option = click.option("--debug", is_flag=True, help="Show Python tracebacks.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="duet")
def cli() -> None:
    """Verify concurrent C programs with any number of threads."""


_run_options = _all([
    click.argument("paths", nargs=-1, metavar="FILE..."),
    click.option("--compile-commands", metavar="PATH", help="The files, with their flags, of a compile_commands.json."),
    click.option("--only", multiple=True, metavar="GLOB", help="Only the files of the database that match."),
    _frontend_options,
    _analysis_options,
    click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="Hard time limit."),
    click.option("--memory", type=click.IntRange(min=1), metavar="MIB", help="Hard memory limit."),
    click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True),
    click.option("-o", "output", metavar="PATH", help="Write the result there instead of to standard output."),
    click.option("--html", "page", metavar="PATH", help="Write an HTML report there, too."),
    click.option("--certificate", metavar="PATH", help="Write a proof of the verdicts there, for 'duet check'."),
    click.option("--exit-zero", is_flag=True, help="Exit with 0 also when some checks are not proved."),
    _debug_option,
])  # fmt: skip


@cli.command()
@_run_options
@click.option("--verify/--no-verify", default=True, show_default=True,
              help="Look into checks that stay open for a few seconds, as 'duet verify' does for longer.")  # fmt: skip
@click.pass_context
def analyze(context: click.Context, /, **given: Any) -> None:
    """Prove or list the checks in C files (or in one .plip file).

    Exit code: 0 all proved or unreachable, 1 not all, 2 bad usage or input, 3 time or memory limit, 4 internal error.
    """
    _run(context, given, is_thorough=False)


@cli.command()
@_run_options
@click.pass_context
def verify(context: click.Context, /, **given: Any) -> None:
    """Decide the checks in C files: as 'duet analyze', and then by schedules that fail, and by proofs with cubes.

    Exit code: as of 'duet analyze'.
    """
    _run(context, given | {"verify": True}, is_thorough=True)


def _run(context: click.Context, given: dict[str, Any], is_thorough: bool) -> None:
    """One run with its reports; ends with its exit code."""
    files_given, units = _files(given["paths"], given["compile_commands"], given["only"])
    frontend = replace(_frontend(given, files_given), units=units)
    options = _analysis(given, given["timeout"], given["memory"])
    job = pipeline.Job(files_given, frontend, options, given["certificate"], is_thorough)
    ending = pipeline.run(job, is_interruptible=True)
    form, page = given["form"], given["page"]
    if ending.failure:
        _complain(ending.failure, given["debug"])
    if form in ("json", "sarif") or not ending.failure:
        _deliver(ending.run, form, given["output"])
    if page is not None and not ending.failure:
        files.write(page, html.render(ending.run))
    context.exit(0 if given["exit_zero"] and ending.exit_code == 1 else ending.exit_code)


@cli.command(name="check")
@click.argument("certificate", metavar="CERTIFICATE")
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@_debug_option
@click.pass_context
def check_command(context: click.Context, certificate: str, paths: tuple[str, ...], form: str, debug: bool) -> None:
    """Check the proof in a CERTIFICATE, without the analysis that made it.

    Exit code: 0 it proves what it claims, 1 it does not, 2 it is not about these files, or is none.
    """
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


_SHOWN = ("tree", "form", "points-to", "plip", "cfg", "dfg", "interference", "harness", "proof")


@cli.command(name="show")
@click.argument("what", type=click.Choice(_SHOWN))
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@_frontend_options
@_analysis_options
@click.option("--dot", is_flag=True, help="For Graphviz (cfg, dfg, interference).")
@_debug_option
@click.pass_context
def show_command(
    context: click.Context, /, what: str, paths: tuple[str, ...], dot: bool, debug: bool, **given: Any
) -> None:
    """Print what the analyzer sees of files, stage by stage; 'proof FILE:LINE' why the checks of a line are proved."""
    outcome = limits.attempt(lambda: _shown(what, paths, dot, given))
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


@cli.command(name="doctor")
def doctor_command() -> None:
    """Print which engines and libraries are found, and what is used by default."""
    click.echo(doctor.report(), nl=False)


def _files(
    paths: tuple[str, ...], database: str | None, only: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[UnitFlags, ...]]:
    """The files to analyse, and the flags of those that come from compilation databases. *Raises*: UsageError."""
    databases = [*([database] if database else []), *(path for path in paths if path.endswith(".json"))]
    if only and not databases:
        raise UsageError("--only chooses from the files of --compile-commands")
    units = tuple(unit for path in databases for unit in read_commands(path, only))
    found = (*(path for path in paths if not path.endswith(".json")), *(unit.path for unit in units))
    if not found:
        raise UsageError("Missing argument 'FILE...'.")
    return found, units


def _frontend(given: dict[str, Any], paths: tuple[str, ...]) -> FrontendOptions:
    """The front end's options. *Raises*: UsageError for options that do not fit together."""
    model, kernel = given["model"], given["kernel"]
    if model is None and not given["system_headers"] and any(map(is_module_file, paths)):
        model, kernel = "linux", kernel or default_kernel()
    if kernel is not None and model != "linux":
        raise UsageError("--kernel is for kernel modules, and this is none (--model linux takes it as one)")
    if kernel is not None and kernel != BUNDLED:
        find_headers(kernel)
    if given["harness"] and model != "linux":
        raise UsageError("--harness needs --model linux")
    if given["unknown_functions"] != "arguments" and model == "linux":
        raise UsageError("--unknown-functions is not for --model linux: other modules use what is exported")
    return FrontendOptions(
        parameterized=given["parameterized"],
        entries=given["entries"],
        init=given["init"],
        properties=given["properties"] or (LINUX_PROPERTIES if model == "linux" else DEFAULT_PROPERTIES),
        model=model,
        kernel=None if kernel == BUNDLED else kernel,
        harness=given["harness"],
        descriptors=given["descriptors"],
        unknown_functions=given["unknown_functions"],
        include_dirs=given["include_dirs"],
        defines=given["defines"],
        std=given["std"],
        system_headers=given["system_headers"],
        engine=given.get("engine", "auto"),
    )


def _analysis(given: dict[str, Any], timeout: float | None = None, memory: int | None = None) -> AnalysisOptions:
    domain, engine, numeric = given["domain"], given["engine"], given["numeric"]
    refine, verify = given["refine"], given.get("verify", False)
    return AnalysisOptions(domain, engine, numeric, refine=refine, verify=verify, timeout=timeout, memory=memory)


def _deliver(run: Run, form: str, output: str | None) -> None:
    """Puts the report where it was asked for; notes for people go to standard error."""
    match form:
        case "json":
            report = json.render(run)
        case "sarif":
            report = sarif.render(run)
        case "html":
            report = html.render(run)
        case _:
            report = text.render(run, colour=output is None and sys.stdout.isatty()).results
    if form == "text" or output is not None:
        click.echo(text.notes(run), nl=False, err=True)
    if output is not None:
        files.write(output, report)
    else:
        click.echo(report, nl=False)


def _complain(failure: limits.Failed, debug: bool) -> None:
    if debug and failure.trace:
        click.echo(failure.trace, nl=False, err=True)
    message = failure.message if failure.expected else f"duet: internal error: {failure.message}; {BUG}"
    click.echo(text.diagnostic(message), err=True)


def _shown(what: str, paths: tuple[str, ...], dot: bool, given: dict[str, Any]) -> str:
    """What was asked to be shown."""
    if what == "proof":
        *others, last = paths
        file, _, line = last.rpartition(":")
        if not file or not line.isdecimal():
            raise UsageError(f"'duet show proof' takes FILE:LINE, not {last}")
        paths = (*others, file)
        program = pipeline.read(paths, _frontend(given, paths), Clock()).program
        pipeline.libraries(_analysis(given))
        lines = proofs_at(pipeline.solve(program, _analysis(given)), file, int(line))
        return "".join(f"{text}\n" for text in lines)
    options = _frontend(given, paths)
    if dot and what not in ("cfg", "dfg", "interference"):
        raise UsageError("--dot is for cfg, dfg and interference")
    if what == "harness":
        if len(paths) > 1:
            raise UsageError(f"a harness is that of one driver module, not of {', '.join(paths)}")
        options = replace(options, model="linux")
        if options.kernel is not None:
            return general.derive(parse(preprocess(paths[0], options).text, paths[0], options))
        return derive(parse(preprocess(paths[0], options).text, paths[0], options), options).text
    if what == "tree":
        return "".join(show.tree_text(pipeline.read_unit(path, options, Clock())[0]) for path in paths)
    if what == "form":
        return show.form_text(formed([pipeline.read_unit(path, options, Clock())[0] for path in paths], options))
    found = pipeline.read(paths, options, Clock())
    program = found.program
    match what:
        case "points-to":
            return show.pointers_text(found.pointers)
        case "plip":
            return print_program(program)
        case "cfg":
            return show.cfg_dot(program) if dot else show.cfg_text(program)
        case _:
            pipeline.libraries(_analysis(given))
            analysis = pipeline.solve(program, _analysis(given))
            render = show.flows_dot if dot else show.flows_text
            return render(analysis, only_inter=what == "interference")
