"""C translation units to a PLIP program (analysis.md section 1).

Lowering is repeated until the facts that it collects about the whole program are stable, see `facts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from pycparser import c_ast

from datalog import registry
from duet import result
from duet.errors import SourceError
from duet.frontend import link
from duet.frontend.bodies import callees, calls, recovery, stmt
from duet.frontend.bodies.callees import Defined
from duet.frontend.cells.callees import is_callable
from duet.frontend.cells.context import Context, Hooks
from duet.frontend.cells.memory import Memory
from duet.frontend.cells.targets import outside, pointed_cells
from duet.frontend.ctypes.declarations import is_const
from duet.frontend.ctypes.library import Control
from duet.frontend.ctypes.origins import of_function
from duet.frontend.ctypes.scope import Definition, Function, Scope
from duet.frontend.ctypes.types import CType, FunctionType
from duet.frontend.ctypes.values import Object
from duet.frontend.expressions import expr
from duet.frontend.expressions.initial import static_initial
from duet.frontend.form.bodies import Forms
from duet.frontend.graph.builder import Builder
from duet.frontend.graph.compact import touched
from duet.frontend.graph.heap import Sites
from duet.frontend.judgments.facts import Facts
from duet.frontend.judgments.points_to import Constraints, solve
from duet.frontend.models.table import OPAQUE, describe
from duet.frontend.program import (
    Threads,
    arbitrary_arguments,
    assemble,
    finish,
    note_uses_of_destroyed,
    outline,
    run_entries,
    run_function,
    start_template,
    uses_of_destroyed,
)
from duet.frontend.source.deep import call_deep
from duet.frontend.source.nodes import Node, names
from duet.frontend.source.parse import ParsedUnit
from duet.frontend.source.places import is_library
from duet.frontend.source.preprocess import SYSTEM_DIRECTORIES, header_directories
from duet.options import FrontendOptions
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.syntax import Assert, Program
from duet.result import Check, Understood
from duet.source import Span

ROUNDS = 40
"""More rounds than any chain of facts should need."""
_ALWAYS = (
    "sequential consistency: no weak memory, no compiler reordering",
    "calls whose order C leaves open are made from left to right",
    "accesses stay inside of their objects (array-bounds checks that)",
    "a thread that ends the process lets the others go on (an over-approximation)",
)


@dataclass(frozen=True)
class Lowered:
    """A program and what to report about how it came from C.

    `mode` is "main", "entries" or "parameterized"; `checks` are all source-level checks, also of code that no thread
    runs. `unknown` are the checks of functions that are not understood, with the reason. `pointers` are, by cell, the
    objects and functions (with "()") whose addresses it may hold.
    """

    program: Program
    warnings: tuple[result.Warning, ...]
    assumptions: tuple[str, ...]
    entries: tuple[str, ...]
    mode: str
    checks: tuple[Check, ...]
    unknown: Mapping[Check, str] = field(default_factory=dict)
    understood: Understood = field(default_factory=Understood)
    pointers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def lower(unit: ParsedUnit | Sequence[ParsedUnit], options: FrontendOptions) -> Lowered:
    """The PLIP program of one or several translation units.

    *Raises*: SourceError where the program has no entry, Unsupported for what cannot be over-approximated.
    """
    units = (unit,) if isinstance(unit, ParsedUnit) else tuple(unit)
    return call_deep(lambda: _lower(units, options))


def _lower(units: tuple[ParsedUnit, ...], options: FrontendOptions) -> Lowered:
    facts = Facts()
    ctx: Context | None = None
    late: frozenset[tuple[str, str]] = frozenset()
    forms, apart = _forms(units, options, facts), 0
    for _ in range(ROUNDS):
        before = facts.version, len(facts.apart)
        if len(facts.apart) != apart:  # other types have the same name then
            forms, apart = _forms(units, options, facts), len(facts.apart)
        ctx, threads, mode, entries = _round(units, options, facts, forms, ctx)
        counts = multiplicities(outline(ctx, threads))
        many = [name for name, kind in counts.items() if kind is Multiplicity.MANY]
        facts.add(facts.many, *many)
        facts.add(facts.repeated, *ctx.sites.allocated_in(many))
        _follow_pointers(ctx, options)
        expected, late = late, uses_of_destroyed(ctx, threads)
        if late == expected:  # more rounds may show that there are fewer: then it costs proofs, but is right
            note_uses_of_destroyed(ctx, late)
        if (facts.version, len(facts.apart)) != before:
            continue
        if ctx.unresolved:
            facts.add(facts.wild, *sorted(ctx.unresolved))
            continue
        note_uses_of_destroyed(ctx, late)
        program = assemble(ctx, threads)  # the judgments over what is accessed may tell more
        if (facts.version, len(facts.apart)) == before:
            break
    else:
        raise SourceError("the pointers of this program are too intricate to be resolved", Span(units[0].path, 1, 1))
    called = frozenset(ctx.called)
    _lower_uncalled(ctx)
    refusals = facts.refused.values()
    told = (warning for item in units for warning in item.warnings)
    warnings = sorted({*ctx.warnings.values(), *told, *recovery.warnings(refusals)})
    checks = dict.fromkeys(
        [command.instruction.check for command in program.commands if isinstance(command.instruction, Assert)]
    )
    checks.update(ctx.checks)
    return Lowered(
        _used_cells(program),
        tuple(warnings),
        (*_ALWAYS, *ctx.assumptions),
        entries,
        mode,
        tuple(sorted(checks)),
        recovery.unknown_checks(ctx, called),
        recovery.understood(units, refusals),
        {cell: tuple(sorted(held)) for cell, held in sorted(facts.holds.items()) if held},
    )


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
    units: tuple[ParsedUnit, ...], options: FrontendOptions, facts: Facts, forms: Forms, earlier: Context | None
) -> tuple[Context, Threads, str, tuple[str, ...]]:
    """One lowering of the whole program with the facts known so far, the memory of the round before, and what functions
    the bodies declared there: pointers to them may be known before the place.
    """
    threads = Threads()
    facts.constraints = Constraints()
    ctx = _context(units, options, facts, threads, forms)
    ctx.weak = frozenset().union(*(unit.weak for unit in units))
    for number, unit in enumerate(units):
        _declare(ctx, unit, number, len(units) > 1)
    if len(units) > 1:
        link.unite(ctx)
        link.check_labels(ctx, [label for unit in units for label in unit.labels])
    facts.add(facts.untracked, *filter(ctx.memory.is_changed_elsewhere, ctx.elsewhere))
    if earlier is not None:
        ctx.memory.recall(earlier.memory)
        ctx.declared = {**earlier.declared, **ctx.declared}
    forms.functions = ctx.functions
    mode, entries, init = _structure(ctx, units, options)
    if mode == "main" or not entries:
        main = ctx.functions["main"]
        start_template(ctx, "main")
        finish(ctx, run_function(ctx, main, arbitrary_arguments(ctx, main, outside(ctx))))
        threads.lower_main(ctx, "main")
    else:
        run_entries(ctx, threads, init, entries)
        threads.lower_main(ctx, init.name if init is not None else "main")
    threads.lower_all(ctx)
    return ctx, threads, mode, entries


def _follow_pointers(ctx: Context, options: FrontendOptions) -> None:
    """Adds what the points-to rules find from the constraints of a round."""
    facts, constraints = ctx.facts, ctx.facts.constraints
    for cell in facts.holds:
        constraints.include(cell, facts.held(cell))
    shapes = dict.fromkeys(
        [*(shape for _, _, shape in constraints.loads), *(shape for _, shape, _ in constraints.stores)]
    )
    objects = [ctx.memory.objects[name] for name in sorted(constraints.objects) if name in ctx.memory.objects]
    parts = [(of.key, shape, cell) for of in objects for shape in shapes for cell in pointed_cells(ctx, of, shape)]
    callables = [
        (site, of_function(key))
        for site, _, count in constraints.calls
        for key in sorted(facts.functions)
        if is_callable(ctx, key, count)
    ]
    solution = solve(constraints, parts, callables, registry.choose(options.engine))
    for cell, found in solution.cells.items():
        facts.held_too(cell, found)


def _forms(units: tuple[ParsedUnit, ...], options: FrontendOptions, facts: Facts) -> Forms:
    """Nothing formed yet."""
    headers = (*header_directories(options.model), *SYSTEM_DIRECTORIES)

    def is_own(node: Node) -> bool:
        return not is_library(str(getattr(node.coord, "file", "")), headers)

    def span(node: Node) -> Span:
        return units[0].span(getattr(node, "coord", None))

    return Forms(describe, span, OPAQUE, is_own, facts.apart)


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
        callees.run,
        callees.call_back,
        describe,
    )
    files = {name: unit for unit in reversed(units) for name in unit.source}

    def place_of(coord: object) -> Span:
        return files.get(getattr(coord, "file", ""), units[0]).span(coord)

    def argument_text(coord: object) -> str | None:
        return files.get(getattr(coord, "file", ""), units[0]).argument_text(coord)

    sites = Sites(options.budgets.allocations)
    return Context(options, facts, memory, hooks, sites, Builder(count()), forms, Scope(), place_of, argument_text)


def _declare(ctx: Context, unit: ParsedUnit, number: int, is_one_of_many: bool) -> None:
    """Declares everything at the file scope of a unit; static names of several units stay apart."""
    root = ctx.scope
    while root.parent is not None:
        root = root.parent
    scope = Scope(root) if is_one_of_many else root
    scope.file = unit.path
    ctx.scope = scope
    ctx.files.append(scope)
    pending: list[tuple[Object, Node]] = []
    refused = recovery.refused_parts(unit)
    for item in unit.ast.ext:
        with ctx.at_node(item):
            match item:
                case c_ast.Typedef():
                    ctx.memory.types.typedef(item.name, item, scope)
                case c_ast.StaticAssert():
                    ctx.memory.types.assertion(item, scope)
                case c_ast.FuncDef():
                    _declare_function(ctx, item.decl, item, number, is_one_of_many)
                case c_ast.Decl():
                    kind = ctx.memory.types.read(item, scope)
                    if item.name is None:
                        continue
                    if isinstance(kind, FunctionType):
                        refusal = refused.get((item.name, unit.span(item.coord)))
                        definition = recovery.stand_in(item) if refusal else None
                        key = _declare_function(ctx, item, definition, number, is_one_of_many)
                        if unit.span(item.coord).file not in unit.source and ctx.options.model is None:
                            ctx.library.add(item.name)
                        if refusal is not None:
                            ctx.facts.refuse(key, refusal)
                    else:
                        if unit.span(item.coord).file not in unit.source:
                            ctx.library.add(item.name)
                        pending.extend(_declare_variable(ctx, item, kind, number, is_one_of_many))
                case _:
                    continue
    for of, node in pending:
        with ctx.at_node(node):
            ctx.scope = scope
            value = ctx.forms.initialiser(of.type, node.init, scope) if node.init is not None else None
            ctx.memory.declare(of, static_initial(ctx, value, expr.rvalue))


def _key(item: Node, number: int, is_one_of_many: bool) -> str:
    is_static = "static" in (item.storage or [])
    return f"{item.name}@{number + 1}" if is_static and is_one_of_many else str(item.name)


def _declare_function(ctx: Context, item: Node, definition: Node | None, number: int, is_one_of_many: bool) -> str:
    kind = ctx.memory.types.read(item.type, ctx.scope)
    assert isinstance(kind, FunctionType)
    known = ctx.scope.find(item.name)
    key = (
        known.key
        if isinstance(known, Function) and "static" not in (item.storage or [])
        else _key(item, number, is_one_of_many)
    )
    ctx.scope.names[item.name] = Function(key, kind)
    link.check_signature(ctx, key, kind, item)
    if definition is not None and link.is_first(ctx, key, item, definition.body):
        ctx.functions[key] = Definition(key, item.name, definition, ctx.scope, number)
        ctx.signatures[key] = kind
    return key


def _declare_variable(
    ctx: Context, item: Node, kind: CType, number: int, is_one_of_many: bool
) -> list[tuple[Object, Node]]:
    """Declares a variable; returned with its declaration where that gives its initial value."""
    key = _key(item, number, is_one_of_many)
    kind = ctx.forms.completed(kind, item.init, ctx.scope)
    storage = item.storage or []
    is_extern = "extern" in storage and item.init is None
    here = ctx.scope.names.get(item.name)
    known = here if is_extern and isinstance(here, Object) else ctx.memory.objects.get(key)
    if known is not None:
        link.check_variable(ctx, known, kind, item)
    if known is not None and (is_extern or (item.init is None and ctx.memory.initial[key] is not None)):
        ctx.scope.names[item.name] = known
        return []
    is_thread = "_Thread_local" in storage
    duration = "thread" if is_thread else "global"
    of = Object(key, kind, duration, None, item.name, ctx.span(item), is_const(item.type))
    ctx.scope.names[item.name] = of
    ctx.memory.declare(of, None)
    if "static" not in storage:
        ctx.linked.add(key)
    if is_extern:
        ctx.elsewhere.add(key)
        return []
    ctx.elsewhere.discard(key)
    return [(of, item)]


def _structure(
    ctx: Context, units: tuple[ParsedUnit, ...], options: FrontendOptions
) -> tuple[str, tuple[str, ...], Definition | None]:
    """The thread structure that options and functions give (contract): mode, entries, init function."""
    span = Span(units[0].path, 1, 1)
    init_name = options.init or ("init" if "init" in ctx.functions else None)
    if options.init is not None and options.init not in ctx.functions:
        raise SourceError(f"the function '{options.init}' given by --init is not defined", span)
    init = ctx.functions[init_name] if init_name else None
    entries = options.entries
    creates = "main" in ctx.functions and _spawns(units)
    if entries is None and options.parameterized and not creates:
        entries = ("all",)
    if entries is None:
        if "main" not in ctx.functions:
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
        if name not in ctx.functions:
            raise SourceError(f"the function '{name}' given by --entries is not defined", span)
    return ("parameterized" if options.parameterized else "entries"), entries, init


def _spawns(units: tuple[ParsedUnit, ...]) -> bool:
    """Whether some function creates threads."""
    bodies = [item.body for unit in units for item in unit.ast.ext if isinstance(item, c_ast.FuncDef)]
    named = frozenset[str]().union(*map(names, bodies))
    known = [found for name in named if (found := describe(name)) is not None]
    return any(found.control is Control.STARTS_THREAD for found in known)


def _uncalled(ctx: Context, units: tuple[ParsedUnit, ...], init: str | None) -> tuple[str, ...]:
    """The functions that no function body or initialiser names, but main and the init function."""
    named: set[str] = set()
    for unit in units:
        for item in unit.ast.ext:
            if isinstance(item, c_ast.FuncDef):
                named |= names(item.body) - {item.decl.name}
            elif isinstance(item, c_ast.Decl) and item.init is not None:
                named |= names(item.init)
    bodies = {key: found for key, found in ctx.functions.items() if isinstance(callees.resolve(ctx, key), Defined)}
    return tuple(key for key, found in bodies.items() if found.name not in named | {"main", init})


def _lower_uncalled(ctx: Context) -> None:
    """Lowers the functions that no thread runs, only for the checks in them."""
    for key, definition in ctx.functions.items():
        if key in ctx.called:
            continue
        checks = dict(ctx.checks)
        with ctx.scratch():
            ctx.frames, ctx.template = [], "<uncalled>"
            ctx.scope = definition.scope
            run_function(ctx, definition, arbitrary_arguments(ctx, definition))
            checks.update(ctx.checks)
        ctx.checks = checks
