"""C translation units to a PLIP program.

Lowering is repeated until the facts that it collects about the whole program are stable, see `facts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from pycparser import c_ast

from datalog import registry
from duet import result
from duet.errors import SourceError, Unsupported
from duet.frontend import link
from duet.frontend.argv import main_arguments
from duet.frontend.bodies import callees, calls, recovery, stmt
from duet.frontend.bodies.callees import Defined
from duet.frontend.cells import neighbours, size
from duet.frontend.cells.arguments import note_addressed
from duet.frontend.cells.callees import is_callable
from duet.frontend.cells.context import Context, Hooks
from duet.frontend.cells.memory import Memory
from duet.frontend.cells.targets import pointed_cells
from duet.frontend.ctypes.origins import FunctionAddress, Origin, in_order
from duet.frontend.ctypes.scope import Definition, Scope
from duet.frontend.declare import declare, new_forms
from duet.frontend.defaults import starts_threads
from duet.frontend.form.bodies import Forms
from duet.frontend.form.control import Body
from duet.frontend.graph.begun import begun
from duet.frontend.graph.builder import Builder
from duet.frontend.graph.computed import computed_once
from duet.frontend.graph.decided import decided
from duet.frontend.graph.heap import Sites
from duet.frontend.graph.likewise import told_likewise
from duet.frontend.graph.summed import summed
from duet.frontend.judgments.each_once import passed_once_by_each
from duet.frontend.judgments.facts import Facts
from duet.frontend.judgments.first_comers import passed_once
from duet.frontend.judgments.points_to import solve
from duet.frontend.loading import loaded, run_hooks, run_loaded
from duet.frontend.models import registrations
from duet.frontend.models.heap import may_stay
from duet.frontend.program import (
    Threads,
    TooManyCopies,
    arbitrary_arguments,
    assemble,
    finish,
    note_unset,
    note_uses_of_destroyed,
    outline,
    run_entries,
    run_function,
    start_template,
    uses_of_destroyed,
)
from duet.frontend.source.deep import call_deep
from duet.frontend.source.nodes import names
from duet.frontend.source.parse import ParsedUnit
from duet.frontend.source.places import WrittenCall
from duet.options import FrontendOptions
from duet.plip.multiplicity import many
from duet.plip.syntax import Assert, Program
from duet.plip.touched import touched
from duet.result import Check, Understood
from duet.source import Span


@dataclass(frozen=True, slots=True)
class Once:
    """The places that are known to allocate once, in all executions or each thread."""

    by_all: frozenset[str] = frozenset()
    by_each: frozenset[str] = frozenset()


_UNKNOWN = Once()
ROUNDS = 40
"""More rounds than any chain of facts should need."""
_FEW = 200
"""A round that adds less than one in so many facts is hardly followed by any that makes less of what is asked late."""
_ALWAYS = (
    "sequential consistency: no weak memory, no compiler reordering",
    "accesses stay inside of their objects (array-bounds checks that)",
    "a thread that ends the process lets the others go on (an over-approximation)",
)


@dataclass(frozen=True)
class Lowered:
    """A program and what to report about how it came from C.

    `mode` is "main", "entries" or "parameterized"; `checks` are all source-level checks, also of code that no thread
    runs. `unknown` are the checks of functions that are not understood, with the reason. `pointers` are, by the text of
    what holds them, the origins of the addresses that it may hold.
    """

    program: Program
    warnings: tuple[result.Warning, ...]
    assumptions: tuple[str, ...]
    entries: tuple[str, ...]
    mode: str
    checks: tuple[Check, ...]
    unknown: Mapping[Check, str] = field(default_factory=dict)
    understood: Understood = field(default_factory=Understood)
    pointers: Mapping[str, tuple[Origin, ...]] = field(default_factory=dict)


class Formed:
    """The forms of a program, which depend on what names are known to mean. *Requires*: `size.begun` keeps that."""

    def __init__(self, units: tuple[ParsedUnit, ...], options: FrontendOptions) -> None:
        self._units, self._options = units, options
        self._forms: Forms | None = None
        self._facts = Facts()
        self._meanings = 0

    def by(self, facts: Facts) -> Forms:
        """The forms by what is known now, of the program as far as it has been formed."""
        if self._forms is None or facts.meanings != self._meanings:
            self._forms = new_forms(self._units, self._options, facts)
            self._facts, self._meanings = facts, facts.meanings
        return self._forms

    def begun(self) -> Facts:
        """Nothing known yet of a program but what names mean in it, as far as the forms go by that."""
        found = Facts()
        found.apart, found.others = self._facts.apart, self._facts.others
        return found


def lower(
    unit: ParsedUnit | Sequence[ParsedUnit],
    options: FrontendOptions,
    heard: Callable[[tuple[Check, ...]], None] = lambda _: None,
    formed: Formed | None = None,
) -> Lowered:
    """The PLIP program of one or several translation units; `heard` is told of the checks that each round has found.

    What was `formed` before is not formed again.

    *Raises*: SourceError where the program has no entry, Unsupported for what cannot be over-approximated.
    """
    units = (unit,) if isinstance(unit, ParsedUnit) else tuple(unit)
    return call_deep(lambda: _lower(units, options, heard, formed=formed))


def _lower(
    units: tuple[ParsedUnit, ...],
    options: FrontendOptions,
    heard: Callable[[tuple[Check, ...]], None],
    once: Once = _UNKNOWN,
    together: frozenset[str] = frozenset(),
    known: Facts | None = None,
    formed: Formed | None = None,
) -> Lowered:
    """As `lower`, anew where it turns out which places allocate once (`once`, which nobody asks of a huge program), or
    that functions that are started as threads are too much code, so that these share a template (`together`), or how
    large the program is; that is as `known`, and what it was `formed` to is kept.
    """
    formed = formed or Formed(units, options)
    facts = formed.begun() if known is None else size.begun(known)
    try:
        return _settled(units, options, heard, facts, formed, once, together)
    except TooManyCopies as found:
        return _lower(units, options, heard, once, together | found.functions)


def _settled(
    units: tuple[ParsedUnit, ...],
    options: FrontendOptions,
    heard: Callable[[tuple[Check, ...]], None],
    facts: Facts,
    formed: Formed,
    once: Once,
    together: frozenset[str],
) -> Lowered:
    """The program once a round adds no fact. *Raises*: TooManyCopies."""
    ctx: Context | None = None
    late: frozenset[tuple[str, str]] = frozenset()
    for _ in range(ROUNDS):
        before, extent = (facts.growth.version, facts.meanings), size.extent(facts)
        ctx, threads, mode, entries = _round(units, options, facts, formed.by(facts), ctx, once, together)
        heard(tuple(sorted(ctx.findings.checks)))
        ctx.end_round()
        if size.extent(facts) != extent:  # what is known is of other copies; how large functions are is known by now
            return _lower(units, options, heard, once, together, facts, formed)
        repeated = sorted(many(outline(ctx, threads)))
        facts.many.add(*repeated)
        facts.objects.repeated.add(*(key for key in ctx.sites.allocated_in(repeated) if not _is_each_ones(ctx, key)))
        follow_pointers(ctx, options)
        note_addressed(ctx)
        expected, late = late, uses_of_destroyed(ctx, threads)
        if late == expected:  # more rounds may show that there are fewer: then it costs proofs, but is right
            note_uses_of_destroyed(ctx, late)
        if facts.meanings != before[1] or facts.growth.version - before[0] > before[0] // _FEW:
            continue
        facts.pointers.wild.add(*sorted(ctx.unresolved))
        if ctx.unresolved:
            continue
        registrations.note_losses(ctx, threads.settled)
        note_uses_of_destroyed(ctx, late)
        note_unset(ctx, threads)
        if (facts.growth.version, facts.meanings) != before:
            continue
        program = assemble(ctx, threads)  # the judgments over what is accessed may tell more
        if (facts.growth.version, facts.meanings) == before:
            break
    else:
        raise SourceError("the pointers of this program are too intricate to be resolved", Span(units[0].path, 1, 1))
    if once == _UNKNOWN and not size.is_huge(ctx) and (found := _allocating_once(ctx, threads)) != once:
        return _lower(units, options, heard, found, together, facts, formed)
    neighbours.assume_kept(ctx, program)
    called = frozenset(ctx.called)
    _lower_uncalled(ctx, units)
    refusals = [it for key, it in facts.refused.items() if key in called or is_users(ctx, units, key)]
    told = (warning for item in units for warning in item.warnings)
    warnings = sorted({*ctx.findings.warnings.values(), *told, *recovery.warnings(refusals)})
    checks = dict.fromkeys(
        [command.instruction.check for command in program.commands if isinstance(command.instruction, Assert)]
    )
    checks.update(ctx.findings.checks)
    holds = sorted(facts.pointers.holds.items(), key=lambda item: str(item[0]))
    return Lowered(
        _used_cells(told_likewise(computed_once(summed(begun(decided(program)))))),
        tuple(warnings),
        (*_ALWAYS, *ctx.findings.assumptions, *((size.SPARING,) if size.is_large(ctx) else ())),
        entries,
        mode,
        tuple(sorted(checks)),
        recovery.unknown_checks(ctx, called),
        recovery.understood(units, refusals),
        {str(cell): tuple(in_order(held)) for cell, held in holds if held},
    )


def _is_each_ones(ctx: Context, key: str) -> bool:
    """Whether what is allocated is an object of the heap that only the thread reaches that has allocated it."""
    return key in ctx.memory.objects and may_stay(ctx, key)


def _allocating_once(ctx: Context, threads: Threads) -> Once:
    """The places with several objects, or with one that stands for several, that allocate once."""
    repeated = ctx.facts.objects.repeated
    wanted = {
        place: [location for locations in keys.values() for location in locations]
        for place, keys in ctx.sites.passed.items()
        if len(keys) > 1 or any(key in repeated for key in keys)
    }
    if not wanted:
        return _UNKNOWN
    program = outline(ctx, threads)
    by_all = passed_once(program, wanted)
    rest = {place: locations for place, locations in wanted.items() if place not in by_all}
    return Once(by_all, passed_once_by_each(program, rest))


def formed(unit: ParsedUnit | Sequence[ParsedUnit], options: FrontendOptions) -> Mapping[str, Body | SourceError]:
    """The forms of the functions that the user's files define, or why they are not understood.

    *Raises*: SourceError for what is wrong outside of functions.
    """
    units = (unit,) if isinstance(unit, ParsedUnit) else tuple(unit)
    return call_deep(lambda: _formed(units, options))


def _formed(units: tuple[ParsedUnit, ...], options: FrontendOptions) -> Mapping[str, Body | SourceError]:
    facts = Facts()
    ctx = _context(units, options, facts, Threads(), new_forms(units, options, facts))
    _declare_all(ctx, units)
    found: dict[str, Body | SourceError] = {}
    for key, definition in ctx.declared.functions.items():
        if key not in facts.refused and is_users(ctx, units, key):
            try:
                found[key] = ctx.forms.body(definition)
            except SourceError as error:
                found[key] = error
    for key, refusal in facts.refused.items():
        found[key] = Unsupported(refusal.message, refusal.cause or refusal.span)
    return found


def _declare_all(ctx: Context, units: tuple[ParsedUnit, ...]) -> None:
    """Declares everything at the file scopes of all units."""
    weak = {name for unit in units for name in unit.weak}
    ctx.declared.ending = frozenset().union(*(unit.ending for unit in units))
    ctx.declared.weak = {name: frozenset(n for n, unit in enumerate(units) if name in unit.weak) for name in weak}
    ctx.declared.labels = {label: name for unit in units for label, name, _ in unit.labels}
    named = link.declare_aliases(ctx, units)
    root = ctx.scope
    for number, unit in enumerate(units):
        declare(ctx, unit, number, len(units) > 1)
    root.names.update({name: ctx.declared.files[number].names[name] for name, number in named.items()})
    if len(units) > 1:
        link.unite(ctx)
    link.check_labels(ctx, units)
    link.note_replaced(ctx)
    link.check_symbols(ctx, [symbol for unit in units for symbol in unit.symbols])
    ctx.forms.functions = ctx.declared.functions
    link.check_same(ctx)


def _used_cells(program: Program) -> Program:
    """The program without temporaries that no command names, and cells of templates that were not lowered."""
    named = touched(program.commands)
    cells = {
        name: cell
        for name, cell in program.cells.items()
        if (cell.template is None or cell.template in program.templates) and (name in named or not name.startswith("$"))
    }
    return replace(program, cells=cells)


def _round(
    units: tuple[ParsedUnit, ...],
    options: FrontendOptions,
    facts: Facts,
    forms: Forms,
    earlier: Context | None,
    once: Once,
    together: frozenset[str],
) -> tuple[Context, Threads, str, tuple[str, ...]]:
    """One lowering of the whole program with the facts known so far, the memory of the round before, and what functions
    the bodies declared there: pointers to them may be known before the place.
    """
    threads = Threads(together)
    ctx = begin_round(units, options, facts, forms, earlier, threads)
    ctx.sites.once, ctx.sites.each = once.by_all, once.by_each
    mode, entries, init = _structure(ctx, units, options)
    start_template(ctx, "main")
    run_loaded(ctx, units)
    run_hooks(ctx)
    if mode == "main" or not entries:
        main = ctx.declared.functions["main"]
        finish(ctx, run_function(ctx, main, main_arguments(ctx, main)), is_process=True)
        threads.lower_main(ctx, "main")
    else:
        run_entries(ctx, threads, init, entries)
        threads.lower_main(ctx, init.name if init is not None else "main")
    threads.lower_all(ctx)
    return ctx, threads, mode, entries


def begin_round(
    units: tuple[ParsedUnit, ...],
    options: FrontendOptions,
    facts: Facts,
    forms: Forms,
    earlier: Context | None,
    threads: Threads,
) -> Context:
    """The context of another lowering of the whole program, in which all is declared that the files declare."""
    facts.pointers.begin_round()
    ctx = _context(units, options, facts, threads, forms)
    if earlier is not None and earlier.forms is forms:
        ctx.tables = earlier.tables
    _declare_all(ctx, units)
    facts.objects.untracked.add(*filter(ctx.memory.is_changed_elsewhere, ctx.declared.elsewhere))
    if earlier is not None:
        ctx.memory.recall(earlier.memory)
        ctx.declared.prototypes = {**earlier.declared.prototypes, **ctx.declared.prototypes}
        ctx.declared.elsewhere |= earlier.declared.elsewhere
    return ctx


def follow_pointers(ctx: Context, options: FrontendOptions) -> None:
    """Adds what the points-to rules find from the constraints of a round."""
    facts, constraints = ctx.facts, ctx.facts.pointers.constraints
    for cell in facts.pointers.holds:
        constraints.include(cell, facts.pointers.held(cell))
    shapes = dict.fromkeys(
        [*(shape for _, _, shape in constraints.loads), *(shape for _, shape, _ in constraints.stores)]
    )
    parts = [
        (of.origin, shape, cell)
        for of in ctx.memory.pointed(constraints.addresses)
        for shape in shapes
        for cell in pointed_cells(ctx, of, shape)
    ]
    callables = [
        (site, FunctionAddress(key))
        for site, _, count in constraints.calls
        for key in sorted(facts.functions)
        if is_callable(ctx, key, count)
    ]
    solution = solve(constraints, parts, callables, registry.choose(options.engine))
    for cell, found in solution.cells.items():
        facts.pointers.held_too(cell, found)


def _context(
    units: tuple[ParsedUnit, ...], options: FrontendOptions, facts: Facts, threads: Threads, forms: Forms
) -> Context:
    memory = Memory(facts, forms.types, options.budgets)
    hooks = Hooks(
        stmt.statement,
        calls.call,
        threads.spawn,
        threads.handle,
        threads.handle_ending,
        threads.run_beside,
        threads.run_operation,
        callees.run,
        callees.call_back,
    )
    files = {name: unit for unit in reversed(units) for name in unit.source}

    def place_of(coord: object) -> Span:
        return files.get(getattr(coord, "file", ""), units[0]).span(coord)

    def written_call(coord: object) -> WrittenCall | None:
        return files.get(getattr(coord, "file", ""), units[0]).written_call(coord)

    sites = Sites(options.budgets.allocations)
    return Context(options, facts, memory, hooks, sites, Builder(count()), forms, Scope(), place_of, written_call)


def _structure(
    ctx: Context, units: tuple[ParsedUnit, ...], options: FrontendOptions
) -> tuple[str, tuple[str, ...], Definition | None]:
    """The thread structure that options and functions give (contract): mode, entries, init function."""
    span = Span(units[0].path, 1, 1)
    init_name = options.init or ("init" if "init" in ctx.declared.functions else None)
    if options.init is not None and options.init not in ctx.declared.functions:
        raise SourceError(f"the function '{options.init}' given by --init is not defined", span)
    init = ctx.declared.functions[init_name] if init_name else None
    entries = options.entries
    creates = "main" in ctx.declared.functions and starts_threads(units)
    if entries is None and options.parameterized and not creates:
        entries = ("all",)
    if entries is None:
        if "main" not in ctx.declared.functions:
            raise SourceError(
                "there is no function 'main': name the functions that run as threads with --entries f,g "
                "(or --entries all, or --parameterized)",
                span,
            )
        return ("parameterized" if options.parameterized else "main"), (), None
    if entries == ("all",):
        entries = _uncalled(ctx, units, init_name)
        if not entries:
            raise SourceError("--entries all finds no function that nothing calls", span)
    for name in entries:
        if name not in ctx.declared.functions:
            raise SourceError(f"the function '{name}' given by --entries is not defined", span)
    return ("parameterized" if options.parameterized else "entries"), entries, init


def _uncalled(ctx: Context, units: tuple[ParsedUnit, ...], init: str | None) -> tuple[str, ...]:
    """The functions that no function body or initialiser names, but main and the init function."""
    named: set[str] = set()
    for unit in units:
        for item in unit.ast.ext:
            if isinstance(item, c_ast.FuncDef):
                named |= names(item.body) - {item.decl.name}
            elif isinstance(item, c_ast.Decl) and item.init is not None:
                named |= names(item.init)
    bodies = {
        key: found for key, found in ctx.declared.functions.items() if isinstance(callees.resolve(ctx, key), Defined)
    }
    others = {"main", init, *(bodies[key].name for key in loaded(ctx, units) if key in bodies)}
    return tuple(key for key, found in bodies.items() if found.name not in named | others)


def is_users(ctx: Context, units: tuple[ParsedUnit, ...], key: str) -> bool:
    """Whether the user has written a function, which is then in no header of the system or of a library."""
    definition = ctx.declared.functions[key]
    return units[definition.unit].is_users(definition.node.decl.coord)


def _lower_uncalled(ctx: Context, units: tuple[ParsedUnit, ...]) -> None:
    """Lowers the functions of the user that no thread runs, only for the checks in them."""
    for key, definition in ctx.declared.functions.items():
        if key in ctx.called or not is_users(ctx, units, key):
            continue
        checks = dict(ctx.findings.checks)
        with ctx.scratch():
            ctx.thread.frames, ctx.thread.template = [], "<uncalled>"
            ctx.scope = definition.scope
            run_function(ctx, definition, arbitrary_arguments(ctx, definition))
            checks.update(ctx.findings.checks)
        ctx.findings.checks = checks
