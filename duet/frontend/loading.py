"""What nobody in the program calls: constructors in front of `main`, by priority, destructors where the process ends.

So it is for functions in variables of code that is not there, such as `error_print_progname`: at any time.

Of several with one priority, any may be the first: GCC's manual leaves their order open, and so does that of files.
*Approximates*: over; destructors run like what `atexit` is given, at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from duet.errors import Unsupported
from duet.frontend.cells.context import Context
from duet.frontend.cells.escapes import contents, reachable_inside
from duet.frontend.ctypes.origins import functions
from duet.frontend.ctypes.scope import Definition, Function
from duet.frontend.models.call import Call
from duet.frontend.models.unknown import run_any_time
from duet.frontend.program import run_first
from duet.frontend.source.parse import ParsedUnit
from duet.plip.syntax import Assign, Cell
from duet.plip.terms import compare, constant, variable
from duet.source import Span

_ORDER = "the order in which constructors run is not known"


def loaded(ctx: Context, units: Sequence[ParsedUnit]) -> dict[str, list[tuple[int, bool]]]:
    """By key, the functions that the loader calls: with which priority, and whether that is before `main`.

    *Raises*: Unsupported where it is not known which function that is.
    """
    found: dict[str, list[tuple[int, bool]]] = {}
    for number, unit in enumerate(units):
        for item in unit.loaded:
            symbol = ctx.declared.files[number].names.get(item.name)
            if not isinstance(symbol, Function) or item.name in unit.weak:
                text = f"which function the loader calls by the name of '{item.name}' is not understood"
                raise Unsupported(text, Span(unit.path, 1, 1))
            definition = ctx.declared.functions.get(symbol.key)
            if definition is not None and definition.unit == number:
                times = found.setdefault(symbol.key, [])
                times.extend([(item.priority, item.starts)] if (item.priority, item.starts) not in times else [])
    return found


def run_loaded(ctx: Context, units: Sequence[ParsedUnit]) -> None:
    """Goes on behind all constructors, from where on destructors may run."""
    found = loaded(ctx, units)
    for key, times in found.items():
        definition = ctx.declared.functions[key]
        if any(not starts for _, starts in times):
            _run_any_time(ctx, definition)
    starting = sorted((priority, key) for key, times in found.items() for priority, starts in times if starts)
    for _, group in groupby(starting, key=lambda item: item[0]):
        _run_in_any_order(ctx, [ctx.declared.functions[key] for _, key in group])


def run_hooks(ctx: Context) -> None:
    """Goes on where functions may run that the program keeps in variables of code that is not there.

    In the kernel they run where it calls them, see `registrations`.
    """
    if ctx.options.model == "linux":
        return
    kept = reachable_inside(ctx, [contents(ctx, key) for key in sorted(ctx.declared.elsewhere)])
    for definition in map(ctx.declared.functions.get, functions(kept)):
        if definition is not None:
            _run_any_time(ctx, definition)


def _run_any_time(ctx: Context, definition: Definition) -> None:
    with ctx.at_node(definition.node.decl):
        run_any_time(ctx, Call(definition.name, [], definition.node.decl), [definition.key])


def _run_in_any_order(ctx: Context, definitions: Sequence[Definition]) -> None:
    if len(definitions) == 1:
        run_first(ctx, definitions[0])
        return
    builder = ctx.builder
    flags = [_flag(ctx, definition) for definition in definitions]
    head = builder.fresh()
    builder.goto(head)
    builder.at(head)
    builder.doubt(_ORDER)
    *ways, after = builder.fork(len(definitions) + 1)
    for way, flag, definition in zip(ways, flags, definitions, strict=True):
        builder.at(way)
        builder.assume(compare(variable(flag), "==", constant(0)))
        builder.emit(Assign(flag, constant(1)))
        run_first(ctx, definition)
        builder.goto(head)
    builder.at(after)
    for flag in flags:
        builder.assume(compare(variable(flag), "==", constant(1)))


def _flag(ctx: Context, definition: Definition) -> str:
    """The cell that says whether a constructor has been started."""
    name = f"<{definition.key} is started>"
    ctx.memory.cells[name] = Cell(name, None, False, 0, 0, "a constructor is started", ctx.span(definition.node.decl))
    return name
