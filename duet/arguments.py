"""The arguments of commands that analyse programs, and the options that they mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from duet import lazy
from duet.errors import UsageError
from duet.options import (
    ASSUMPTIONS,
    DATA_MODELS,
    DEFAULT_PROPERTIES,
    DEFAULT_STANDARD,
    DOMAINS,
    ENGINES,
    FORMATS,
    LINUX_ASSUMPTIONS,
    LINUX_PROPERTIES,
    NO_ASSUMPTIONS,
    NUMERICS,
    PROPERTIES,
    SARIF_PROFILES,
    THREAD_PROPERTIES,
    UNKNOWN_FUNCTIONS,
    AnalysisOptions,
    FrontendOptions,
    UnitFlags,
    assumptions,
)

if TYPE_CHECKING:
    from duet.frontend.source import commands, kbuild, kernel, modules
else:
    kbuild = lazy.module("duet.frontend.source.kbuild")
    commands = lazy.module("duet.frontend.source.commands")
    kernel = lazy.module("duet.frontend.source.kernel")
    modules = lazy.module("duet.frontend.source.modules")

Command = TypeVar("Command", bound=Callable[..., Any])


class Names(click.ParamType[tuple[str, ...]]):
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

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The known names for the last one of a list."""
        del ctx, param
        before, comma, last = incomplete.rpartition(",")
        return [CompletionItem(f"{before}{comma}{name}") for name in self.known if name.startswith(last)]


def examples(*lines: str) -> str:
    """What the help of a command ends with: what to type, a line each."""
    return "\n\n".join(("Examples:", "\b\n" + "\n".join(f"  {line}" for line in lines)))


def _all(decorators: list[Callable[[Any], Any]]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


frontend_options = _all([
    click.option("--parameterized", is_flag=True, help="Any number of instances of every thread."),
    click.option("--entries", type=Names(), metavar="all|F,G", help="Functions that run as threads."),
    click.option("--init", metavar="F", help="Function that runs first, with --entries [default: init, if there]."),
    click.option("--properties", type=Names(PROPERTIES), metavar="P,Q",
                 help=f"What to check: {', '.join(PROPERTIES)} [default: {','.join(DEFAULT_PROPERTIES)}; with threads "
                      f"and no assertion {','.join(THREAD_PROPERTIES[len(DEFAULT_PROPERTIES) :])}, too; with --model "
                      f"linux {','.join(LINUX_PROPERTIES)}]."),
    click.option("--model", type=click.Choice(["linux"]), help="The world around the code: a kernel driver."),
    click.option("--kernel", metavar="DIR",
                 help="The kernel's own headers: a package of headers or a built tree, or 'bundled' for those of duet "
                      "[default for a kernel module: the newest that are installed]."),
    click.option("--alone", is_flag=True,
                 help="Only the files that are named, without the others of their kernel module."),
    click.option("--harness", metavar="PATH", help="A harness saved by 'duet show harness', with --model linux."),
    click.option("--descriptors", type=click.Choice(["shared", "private"]), default="shared", show_default=True,
                 help="Whether threads share an open file, with --model linux."),
    click.option("--unknown-functions", type=click.Choice(UNKNOWN_FUNCTIONS), default="arguments", show_default=True,
                 help="What functions that are not there use: their arguments, or what has external linkage, too."),
    click.option("--assume", "assumed", type=Names((*ASSUMPTIONS, NO_ASSUMPTIONS)), default=(), metavar="NAME,...",
                 help=f"What to take for true, and to say in every report: {', '.join(ASSUMPTIONS)} [default with "
                      f"--model linux: {','.join(LINUX_ASSUMPTIONS)}, which '{NO_ASSUMPTIONS}' leaves out]."),
    click.option("-I", "include_dirs", multiple=True, metavar="DIR", help="Directory to search for headers."),
    click.option("-D", "defines", multiple=True, metavar="NAME[=VAL]", help="Macro to define."),
    click.option("--system-headers", is_flag=True, help="The headers of this machine instead of the bundled ones."),
    click.option("--data-model", type=click.Choice(DATA_MODELS), default="LP64", show_default=True,
                 help="Sizes of integers and pointers: Linux on x86-64, or with 32 bits."),
    click.option("--std", default=DEFAULT_STANDARD, show_default=True, help="C standard."),
])  # fmt: skip
analysis_options = _all([
    click.option("--domain", type=click.Choice(DOMAINS), default="auto", show_default=True),
    click.option("--engine", type=click.Choice(ENGINES), default="auto", show_default=True, help="Datalog engine."),
    click.option("--numeric", type=click.Choice(NUMERICS), default="auto", show_default=True, help="Numeric library."),
    click.option("--refine/--no-refine", default=True, show_default=True, help="Refine data flows after the fixpoint."),
])  # fmt: skip
debug_option = click.option("--debug", is_flag=True, help="Show Python tracebacks.")


_run_options = [
    click.option("--compile-commands", metavar="PATH", help="The files, with their flags, of a compile_commands.json."),
    click.option("--compiler-option", "compiler", multiple=True, metavar="WORD",
                 help="How the files named here are compiled; -Wall, -O2, -std=c99, -include FILE and the like are "
                      "taken as they stand."),
    click.option("--only", multiple=True, metavar="GLOB", help="Only the files of the database that match."),
    frontend_options,
    analysis_options,
    click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="Hard time limit."),
    click.option("--memory", type=click.IntRange(min=1), metavar="MIB", help="Hard memory limit."),
    click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True),
    click.option("--sarif-profile", "profile", type=click.Choice(SARIF_PROFILES), default="full", show_default=True,
                 help="Which checks SARIF has: all, or only open ones, for services that take each for an alarm."),
    click.option("-o", "output", metavar="PATH", help="Write the result there instead of to standard output."),
    click.option("--html", "page", metavar="PATH", help="Write an HTML report there, too."),
    click.option("--run", "runs", is_flag=True,
                 help="Compile and run the program to decide checks that stay open: only code that you trust."),
    click.option("--schedules", metavar="DIR", help="Write each schedule found there, for 'duet replay'."),
    click.option("--witness", metavar="PATH", help="Write a witness (SV-COMP) of a refuted check, or of the proof."),
    click.option("--witness-version", "witness_version", type=click.Choice(("2.0", "2.1")), default="2.1",
                 show_default=True, help="The format of the witness of a proof; 2.0 has no ghost variables."),
    click.option("--prp", metavar="PATH",
                 help="A property file (SV-COMP): what is checked; the last line says what is known of it."),
    click.option("--certificate", metavar="PATH", help="Write a proof of the verdicts there, for 'duet check'."),
    click.option("--baseline", metavar="PATH",
                 help="An earlier result (JSON): only open checks that are new count for the exit code."),
    click.option("-v", "--verbose", "verbose", is_flag=True, help="All open checks, warnings and assumptions."),
    click.option("--exit-zero", is_flag=True, help="Exit with 0 also when some checks are not proved."),
    debug_option,
]  # fmt: skip
run_options = _all([click.argument("paths", nargs=-1, metavar="FILE..."), *_run_options])
explain_options = _all([
    click.argument("place", metavar="FILE:LINE"),
    click.argument("paths", nargs=-1, metavar="[FILE...]"),
    *_run_options,
])  # fmt: skip


def input_files(
    paths: tuple[str, ...], database: str | None, only: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[UnitFlags, ...]]:
    """The files to analyse, and the flags of those that come from compilation databases. *Raises*: UsageError."""
    databases = [*([database] if database else []), *(path for path in paths if path.endswith(".json"))]
    if only and not databases:
        raise UsageError("--only chooses from the files of --compile-commands")
    units = tuple(unit for path in databases for unit in commands.read_commands(path, only))
    found = (*(path for path in paths if not path.endswith(".json")), *(unit.path for unit in units))
    if not found:
        raise UsageError("Missing argument 'FILE...'.")
    return found, units


def compiled(paths: tuple[str, ...], given: dict[str, Any]) -> tuple[UnitFlags, ...]:
    """The flags that options of a compiler give to some files. *Raises*: UsageError for one that is not supported."""
    words: tuple[str, ...] = given["compiler"]
    return commands.flags_of_words(paths, (f"-std={given['std']}", *words)) if words else ()


def whole_module(
    paths: tuple[str, ...], options: FrontendOptions, is_alone: bool
) -> tuple[tuple[str, ...], FrontendOptions]:
    """The files of the kernel module that a single file is part of, and their flags; else what is given."""
    if options.kernel is None or len(paths) > 1 or options.units or not paths[0].endswith(".c"):
        return paths, options
    found = kbuild.module_of(paths[0], kernel.find_headers(options.kernel))
    if found is None:
        return paths, options
    if is_alone or options.harness or found.is_large:
        found = found.alone(paths[0])
    words = found.words if len(found.files) > 1 or found.others or found.option else ""
    return found.files, replace(options, units=found.units, module=words, is_whole_module=found.is_whole)


def _is_of_module(path: str, headers: str | None) -> bool:
    """Whether a file is one of a kernel module, by its text, by the headers given, or by its Makefile and headers.

    The Makefile is one of the kernel's build system, and the file includes a header that only the kernel has.
    """
    if modules.is_module_file(path):
        return True
    if headers is not None:
        return modules.is_module_file(path, True)
    default = kernel.default_kernel()
    if default is None or not modules.is_module_file(path, True):
        return False
    installed = kernel.find_headers(default)
    found, own = kbuild.module_of(path, installed), installed.common / "include"
    is_of_kernel = any(
        (own / name).is_file() and not (own / "uapi" / name).is_file() for name in modules.includes(path)
    )
    return found is not None and found.is_built and is_of_kernel


def frontend(given: dict[str, Any], paths: tuple[str, ...], units: tuple[UnitFlags, ...] = ()) -> FrontendOptions:
    """The front end's options, with the flags of single files. *Raises*: UsageError for what does not fit together."""
    model, headers = given["model"], given["kernel"]
    if model is None and not given["system_headers"] and any(_is_of_module(path, headers) for path in paths):
        model, headers = "linux", headers or kernel.default_kernel()
    if headers is not None and model != "linux":
        raise UsageError("--kernel is for kernel modules, and this is none (--model linux takes it as one)")
    if headers is not None and headers != kernel.BUNDLED:
        kernel.find_headers(headers)
    if given["harness"] and model != "linux":
        raise UsageError("--harness needs --model linux")
    if given["data_model"] != "LP64" and model == "linux":
        raise UsageError("--data-model ILP32 is not for --model linux: kernels are taken to be built for x86-64")
    if given.get("compiler") and model == "linux":
        raise UsageError("options of a compiler are not for --model linux: a module's Makefile has them")
    if given["unknown_functions"] != "arguments" and model == "linux":
        raise UsageError("--unknown-functions is not for --model linux: other modules use what is exported")
    options = FrontendOptions(
        parameterized=given["parameterized"],
        entries=given["entries"],
        init=given["init"],
        properties=given["properties"] or (LINUX_PROPERTIES if model == "linux" else DEFAULT_PROPERTIES),
        has_default_properties=given["properties"] is None,
        assumed=assumptions(model, given["assumed"]),
        model=model,
        kernel=None if headers == kernel.BUNDLED else headers,
        harness=given["harness"],
        descriptors=given["descriptors"],
        unknown_functions=given["unknown_functions"],
        include_dirs=given["include_dirs"],
        defines=given["defines"],
        std=given["std"],
        data_model=given["data_model"],
        system_headers=given["system_headers"],
        engine=given.get("engine", "auto"),
    )
    return commands.with_units(options, units)


def analysis(given: dict[str, Any], timeout: float | None = None, memory: int | None = None) -> AnalysisOptions:
    """The options of the analysis; `timeout` in seconds, `memory` in MiB."""
    domain, engine, numeric = given["domain"], given["engine"], given["numeric"]
    refine, verify = given["refine"], given.get("verify", False)
    return AnalysisOptions(domain, engine, numeric, refine=refine, verify=verify, timeout=timeout, memory=memory)
