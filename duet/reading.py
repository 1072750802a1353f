"""From files and options to the program that is analysed, with what reports say about it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from pycparser import c_ast

from duet import lazy, result
from duet.check.implied import with_accesses
from duet.check.semaphores import as_locks
from duet.clock import Clock
from duet.coarsen.needed import Pointers
from duet.errors import MissingHeader, NothingDeclared, SourceError, UsageError
from duet.frontend.defaults import with_defaults
from duet.frontend.each import each_function
from duet.frontend.judgments.counting_on import with_counting_on
from duet.frontend.judgments.holders import with_references
from duet.frontend.judgments.phases import with_phases
from duet.frontend.judgments.taking_turns import with_turns
from duet.frontend.judgments.tickets import BOUNDED, with_served
from duet.frontend.judgments.word_parts import with_word_parts
from duet.frontend.lower import Formed, lower
from duet.frontend.source.ghosts import with_ghosts
from duet.frontend.source.invariants import with_invariants
from duet.frontend.source.parse import ParsedUnit, joined, parse
from duet.frontend.source.preprocess import preprocess
from duet.garbage import collected_rarely
from duet.options import ASSUMPTIONS, FrontendOptions
from duet.plip.parser import parse_program
from duet.plip.reduction import with_local_decisions
from duet.plip.regions import merge_regions
from duet.plip.syntax import Assert, Program
from duet.result import Check, Understood
from duet.source import SourceFile, Span

if TYPE_CHECKING:
    from duet.boolean import reader as boolean_text
    from duet.boolean import threads as boolean
    from duet.linux import configuration, general
    from duet.linux import harness as harnesses
else:
    boolean_text = lazy.module("duet.boolean.reader")
    boolean = lazy.module("duet.boolean.threads")
    configuration = lazy.module("duet.linux.configuration")
    general = lazy.module("duet.linux.general")
    harnesses = lazy.module("duet.linux.harness")

HARNESS = "<harness>"
Units: TypeAlias = list[tuple[ParsedUnit, SourceFile | None]]
Read = TypeVar("Read")
Heard: TypeAlias = Callable[[tuple[str, ...], tuple[Check, ...]], None]
HeardProgram: TypeAlias = Callable[[tuple[str, ...], Program], None]
PLIP_ASSUMPTIONS = ("sequential consistency", "integers are mathematical, as PLIP says")


@dataclass(frozen=True)
class Input:
    """The input as the analysis takes it, with what reports say about it."""

    program: Program
    mode: str
    entries: tuple[str, ...]
    checks: tuple[Check, ...]
    sources: tuple[SourceFile, ...]
    assumptions: tuple[str, ...] = ()
    warnings: tuple[result.Warning, ...] = ()
    unknown: Mapping[Check, str] = field(default_factory=dict)
    understood: Understood | None = None
    pointers: Pointers = field(default_factory=dict)
    is_c: bool = True
    is_plain: bool = True  # the parser took all of the text for what it says
    properties: tuple[str, ...] = ()  # what is checked, where that is chosen by the program
    units: tuple[ParsedUnit, ...] = ()  # of C


def read(
    files: tuple[str, ...],
    options: FrontendOptions,
    clock: Clock,
    heard: Heard = lambda _properties, _checks: None,
    by_itself: HeardProgram | None = None,
) -> Input:
    """The program in the files: C translation units, one PLIP program (`.plip`), or one Boolean program (`.bp`).

    `heard` is told meanwhile which checks of which properties have been found in C, and `by_itself`, before that, the
    program of each function by itself, if there is one (`duet.frontend.each`).
    """
    with collected_rarely():
        return _read(files, options, clock, heard, by_itself)


def _read(
    files: tuple[str, ...], options: FrontendOptions, clock: Clock, heard: Heard, by_itself: HeardProgram | None
) -> Input:
    for suffix, reader in ((".plip", _read_plip), (".bp", _read_boolean)):
        if any(path.endswith(suffix) for path in files):
            if len(files) > 1:
                names = ", ".join(files)
                raise UsageError(f"a {suffix} file is a whole program, it cannot be joined with others: {names}")
            with clock.stage("parse"):
                return reader(files[0], options)
    found, warnings = _units(files, options, clock)
    units = [unit for unit, _ in found]
    options = with_defaults(options, units)
    formed = Formed(tuple(units), options)
    if by_itself is not None:
        with clock.stage("by itself"):
            alone = each_function(units, options, formed)
            if alone is not None:
                by_itself(options.properties, alone)
    with clock.stage("lower"):
        lowered = lower(units, options, partial(heard, options.properties), formed)
        program, is_bounded = _settled(lowered.program, options)
    texts = {name: "\n".join(lines) for unit in units for name, lines in unit.source.items() if lines}
    texts |= {harness.path: harness.text for _, harness in found if harness is not None}
    return Input(
        program,
        lowered.mode,
        lowered.entries,
        lowered.checks,
        tuple(SourceFile(name, text) for name, text in texts.items()),
        (
            *(ASSUMPTIONS[name] for name in options.assumed),
            *dict.fromkeys(text for unit in options.units for text in unit.assumed),
            *lowered.assumptions,
            *([BOUNDED] if is_bounded else []),
        ),
        (*warnings, *lowered.warnings),
        lowered.unknown,
        lowered.understood,
        lowered.pointers,
        is_plain=not any(unit.warnings for unit in units),
        properties=options.properties,
        units=tuple(units),
    )


def lowered_again(found: Input, options: FrontendOptions) -> Program:
    """The program in C files that were read, under options that say something else of checks and budgets only."""
    with collected_rarely():
        return _settled(lower(found.units, with_defaults(options, found.units)).program, options)[0]


def _settled(program: Program, options: FrontendOptions) -> tuple[Program, bool]:
    """The program as the analysis takes it, and whether it rests on the assumption `BOUNDED`."""
    program = as_locks(program) if "deadlock" in options.properties else program
    program, is_bounded = with_served(with_phases(merge_regions(with_local_decisions(program))))
    program, are_bounded = with_references(with_turns(program))
    return with_word_parts(with_counting_on(program)), is_bounded or are_bounded


def _served_by_machine(missing: MissingHeader) -> result.Warning:
    """Tells that the headers are those of the machine, since one of them is not bundled."""
    place = missing.span or Span("", 1, 1)
    text = f"'{missing.name}' is not bundled: the headers of this machine serve, as with --system-headers"
    return result.Warning(place.file, place.line, place.column, "system-headers", text)


def read_units(files: tuple[str, ...], options: FrontendOptions, clock: Clock) -> Units:
    """The parsed C files, each with the harness behind it that runs it, if it needs one; see `read_unit`."""
    return _units(files, options, clock)[0]


def _units(files: tuple[str, ...], options: FrontendOptions, clock: Clock) -> tuple[Units, tuple[result.Warning, ...]]:
    """As `read_units`, with the headers of the machine where one that is not bundled is needed."""
    try:
        return _with(files, options, clock), ()
    except MissingHeader as missing:
        if options.system_headers or options.model is not None or shutil.which("gcc") is None:
            raise
        return _with(files, replace(options, system_headers=True), clock), (_served_by_machine(missing),)


def _with(files: tuple[str, ...], options: FrontendOptions, clock: Clock) -> Units:
    if options.model == "linux" and options.kernel is not None:
        units = _declaring(files, lambda path: _parsed(path, options, clock)[0])
        return _with_general_harness(units, options, clock)
    if options.model == "linux" and len(files) > 1:
        raise UsageError(f"a module of several files needs the kernel's own headers (--kernel DIR): {', '.join(files)}")
    return _declaring(files, lambda path: read_unit(path, options, clock))


def _declaring(files: tuple[str, ...], reader: Callable[[str], Read]) -> list[Read]:
    """What a reader makes of the files that declare something. *Raises*: NothingDeclared where none of them does."""
    found, empty = [], None
    for path in files:
        try:
            found.append(reader(path))
        except NothingDeclared as error:
            empty = error
    if empty is not None and not found:
        raise empty
    return found


def _parsed(path: str, options: FrontendOptions, clock: Clock) -> tuple[ParsedUnit, str]:
    """A C file, and its preprocessed text."""
    with clock.stage("preprocess"):
        text = preprocess(path, options).text
    with clock.stage("parse"):
        unit = with_invariants(parse(text, path, options), options.invariants)
        return with_ghosts(unit, options.ghosts, options.ghost_updates), text


def read_unit(path: str, options: FrontendOptions, clock: Clock) -> tuple[ParsedUnit, SourceFile | None]:
    """The parsed C file, followed by the harness that it is run by, if it needs one, and that harness.

    A driver module (`--model linux`) without entries or a `main` of its own is run by a harness: the one that was
    saved, or else the one that is derived from it.
    """
    unit, text = _parsed(path, options, clock)
    if options.model != "linux":
        return unit, None
    unknown = configuration.undefined(text, path, options)
    if options.entries or _defines_main(unit):
        return replace(unit, warnings=(*unit.warnings, *unknown)), None
    with clock.stage("harness"):
        saved = options.harness
        harness = SourceFile(saved or HARNESS, read_text(saved) if saved else harnesses.derive(unit, options).text)
    with clock.stage("parse"):
        whole = parse(harnesses.combine(text, harness.text, harness.path), path, options)
    return replace(whole, warnings=(*whole.warnings, *unknown)), harness


def _with_general_harness(units: list[ParsedUnit], options: FrontendOptions, clock: Clock) -> Units:
    """The files of a module that were read with the kernel's own headers, each followed by its part of the harness."""
    if options.entries or any(map(_defines_main, units)):
        return [(unit, None) for unit in units]
    if options.harness and len(units) > 1:
        raise UsageError("--harness is for a module of one file")
    with clock.stage("harness"):
        saved = options.harness
        texts = [read_text(saved)] if saved else general.derive(units, options.is_whole_module)
    with clock.stage("parse"):
        plain = replace(options, kernel=None, units=())
        parts = [SourceFile(saved or _harness_of(unit, units), text) for unit, text in zip(units, texts, strict=True)]
        found = zip(units, parts, strict=True)
        return [(joined(unit, parse(part.text, part.path, plain)), part) for unit, part in found]


def _harness_of(unit: ParsedUnit, units: list[ParsedUnit]) -> str:
    """The name of a harness in reports; that of one file of several has its name."""
    return HARNESS if len(units) == 1 else f"{HARNESS[:-1]} of {unit.path}>"


def _defines_main(unit: ParsedUnit) -> bool:
    return any(isinstance(node, c_ast.FuncDef) and node.decl.name == "main" for node in unit.ast.ext)


def read_text(path: str) -> str:
    """The text of a file. *Raises*: SourceError."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise SourceError(f"cannot read this file: {reason}", Span(path, 1, 1)) from error


def _read_plip(path: str, options: FrontendOptions) -> Input:
    text = read_text(path)
    return _as_it_is(parse_program(text, path), "main", SourceFile(path, text), options)


def _read_boolean(path: str, options: FrontendOptions) -> Input:
    """A Boolean program; with `parameterized` every thread that it starts runs any number of times, or else `main`."""
    if options.entries is not None:
        raise UsageError("--entries is for C programs: the threads of a Boolean program are those that it starts")
    text = read_text(path)
    program = merge_regions(with_local_decisions(boolean.lower(boolean_text.parse(text, path), options.parameterized)))
    return _as_it_is(program, "parameterized" if options.parameterized else "main", SourceFile(path, text), options)


def _as_it_is(program: Program, mode: str, source: SourceFile, options: FrontendOptions) -> Input:
    """A program whose steps are those of its text."""
    if "data-race" in options.properties:
        program = with_accesses(program)
    instructions = [command.instruction for command in program.commands]
    checks = sorted({instruction.check for instruction in instructions if isinstance(instruction, Assert)})
    entries = tuple(name for name in program.templates if name != program.main)
    return Input(program, mode, entries, tuple(checks), (source,), PLIP_ASSUMPTIONS, is_c=False)
