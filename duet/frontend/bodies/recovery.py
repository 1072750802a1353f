"""Functions that are not understood: taken to do anything that they could, reported, their checks `unknown`.

*Approximates*: over. Such a function takes any number of steps, in any order, of these kinds: it writes any value to
any object that a function of its name space could reach (globals, heap, locals whose address is taken), calls any
function that it mentions or whose address is taken with any arguments, starts any of these as a thread if it mentions
what starts threads (in the kernel model it always does), and it may end with any result, or never. So it may also take
and release any lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pycparser import c_ast

from duet import result
from duet.errors import SourceError, Unrecoverable
from duet.frontend.cells import rereads
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number
from duet.frontend.ctypes.library import Control
from duet.frontend.ctypes.origins import NOTHING, UNKNOWN_POINTER
from duet.frontend.ctypes.scope import Bound, Definition, Function
from duet.frontend.ctypes.signatures import signature
from duet.frontend.ctypes.types import (
    INT,
    ArrayType,
    CType,
    FunctionType,
    PointerType,
    StructType,
    is_scalar,
)
from duet.frontend.ctypes.values import Address, Object, Temporary, Untracked, Value, Whole
from duet.frontend.judgments.facts import Refusal
from duet.frontend.judgments.identity import HANDLER
from duet.frontend.models.anything import note_called, write_anything
from duet.frontend.models.table import changes_locks, describe, model_of
from duet.frontend.source.nodes import Node
from duet.frontend.source.parse import ParsedUnit
from duet.frontend.source.words import REFUSED, STATEMENTS
from duet.options import DEFAULT_PROPERTIES
from duet.result import Check, Understood
from duet.source import Span

CODE = "not-understood"
_ERROR_LABEL = "ERROR"
"""A label that verification tasks put where no execution may come."""


def refused_parts(unit: ParsedUnit) -> dict[tuple[str, Span], Refusal]:
    """The functions of a unit that could not be parsed. *Raises*: as `refuse`."""
    found = {}
    for item in unit.refused:
        mentions = tuple(
            (name, span)
            for name, coord in item.mentions
            if (span := unit.span(coord)) != item.span  # its own name, where it is defined
            and not name.startswith(REFUSED)  # what stands for the construct
        )
        error = item.error
        _check_mentions(mentions, error)
        calls = frozenset(name for name in item.calls if not name.startswith(REFUSED))
        found[item.name, item.span] = Refusal(item.name, item.span, error.message, error.span, mentions, calls)
    return found


def stand_in(declaration: Node) -> Node:
    """A definition for a function whose body could not be parsed."""
    return c_ast.FuncDef(declaration, None, c_ast.Compound([], declaration.coord), declaration.coord)


def _check_mentions(mentions: Iterable[tuple[str, Span]], error: SourceError) -> None:
    """*Raises*: Unrecoverable for jumps out of functions, the error for a harness, as that says more than it does."""
    for name, span in mentions:
        if name in STATEMENTS:
            raise error
        if (known := describe(name)) is not None and known.control is Control.JUMPS:
            raise Unrecoverable(f"'{name}' jumps between functions, which is not modelled", span)


def refuse(ctx: Context, definition: Definition, error: SourceError) -> None:
    """Records that a function cannot be lowered: the next round takes it to do anything.

    *Raises*: the error, where its effects go beyond the function.
    """
    if isinstance(error, Unrecoverable):
        raise error
    mentions = tuple(_identifiers(ctx, definition.node))
    _check_mentions(mentions, error)
    span = ctx.span(definition.node.decl)
    calls = frozenset(_called(definition.node))
    ctx.facts.refuse(definition.key, Refusal(definition.name, span, error.message, error.span, mentions, calls))


def _called(node: Node) -> Iterator[str]:
    if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
        yield node.name.name
    for _, child in node.children():
        yield from _called(child)


def _identifiers(ctx: Context, node: Node) -> Iterator[tuple[str, Span]]:
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, c_ast.ID | c_ast.Label):
            yield item.name, ctx.span(item)
        stack.extend(child for _, child in item.children())


def do_anything(ctx: Context, definition: Definition, kind: CType, node: Node) -> Value:
    """Lowers the body of a function that is not understood; its result."""
    refusal = ctx.facts.refused[definition.key]
    names = dict.fromkeys(name for name, _ in refusal.mentions)
    for name in names:
        symbol = definition.scope.find(name)
        if isinstance(symbol, Object):
            ctx.facts.objects.addressed.add(symbol.key)
        elif isinstance(symbol, Function):
            if not _is_check(ctx, name, symbol.key):
                ctx.facts.functions.add(symbol.key)
        elif symbol is None and name in refusal.calls and model_of(name, None, ctx.describe) is None:
            ctx.declared.prototypes.setdefault(name, FunctionType(INT, None))
            ctx.facts.functions.add(name)
    for argument in ctx.thread.frame.locals.values():
        if isinstance(argument, Bound) and isinstance(argument.value, Address):
            number(ctx, argument.value)  # from now on the object counts as one whose address is taken
    builder = ctx.builder
    builder.flush()
    head = builder.fresh()
    builder.goto(head)
    builder.at(head)
    again, after = builder.fork(2)
    builder.at(again)
    write_anything(ctx, any(changes_locks(name) for name in names))
    _call_anything(ctx, names, node)
    builder.goto(head)
    builder.at(after)
    rereads.note_anything(ctx)
    return _any_result(ctx, kind)


def _any_result(ctx: Context, kind: CType) -> Value:
    if is_scalar(kind):
        return ctx.havoc(kind, UNKNOWN_POINTER if isinstance(kind, PointerType) else NOTHING)
    return Whole(Temporary(kind), kind) if isinstance(kind, StructType) else Untracked(kind)


def anything(ctx: Context, values: list[Value], kind: CType) -> list[tuple[int, Value]]:
    """The outcome of a call where each function is lowered by itself: what is called may do anything."""
    for value in values:
        if isinstance(value, Address):
            number(ctx, value)  # from now on the object counts as one whose address is taken
    ctx.builder.flush()
    ctx.builder.note_chance()
    note_called(ctx)
    value = _any_result(ctx, kind)
    ctx.builder.flush()
    return [(ctx.builder.current, value)]


def is_in_anything(ctx: Context) -> bool:
    """Whether a call is one that a function makes that is not understood: then others share a body in each thread."""
    return any(frame.function in ctx.facts.refused for frame in ctx.thread.frames)


def _is_check(ctx: Context, name: str, key: str) -> bool:
    """Whether a function is a check or an assumption that does nothing else: `unknown_checks` tells of those."""
    definition = ctx.declared.functions.get(key)
    known = ctx.describe(name)
    is_named = known is not None and (known.checks is not None or known.only_looks)
    return is_named and model_of(name, definition.node if definition is not None else None, ctx.describe) is not None


def _call_anything(ctx: Context, names: Iterable[str], node: Node) -> None:
    """Calls each function whose address may be known here, or not; starts it as a thread too, if that may be.

    One thread does for all places, as for functions that the kernel finds.
    """
    builder = ctx.builder
    is_kernel = ctx.options.model == "linux"
    is_starting = is_kernel or any(_may_start(ctx, name) for name in names)
    for key in sorted(ctx.facts.functions):
        called, passed = builder.fork(2)
        builder.at(called)
        ctx.hooks.run(ctx, key, (), node)
        builder.goto(passed)
        builder.at(passed)
        if not is_starting:
            continue
        command = ctx.hooks.beside(ctx, key, node)
        if command is None:
            continue
        ctx.facts.mark(HANDLER, command.template)
        builder.flush()
        builder.edge(command, builder.current)


def _may_start(ctx: Context, name: str) -> bool:
    """Whether a function by this name, if there is one, may have others run at the same time.

    One that is defined does what its body says. One that is modelled does not if it is given no function.
    """
    symbol = ctx.scope.find(name)
    if isinstance(symbol, Function) and symbol.key in ctx.declared.functions:
        return False
    if model_of(name, None, ctx.describe) is None:
        return isinstance(symbol, Function) or name in ctx.declared.prototypes
    kind = signature(ctx.scope, name, symbol.type if isinstance(symbol, Function) else None, ctx.data)
    return kind is None or kind.parameters is None or any(_has_function(ctx, part) for part in kind.parameters)


def _has_function(ctx: Context, kind: CType, inside: frozenset[CType] = frozenset()) -> bool:
    """Whether a value of a type leads to a function."""
    match kind:
        case FunctionType():
            return True
        case PointerType(target) | ArrayType(target):
            return _has_function(ctx, target, inside)
        case StructType() if kind not in inside:
            members = ctx.memory.types.members(kind)
            return any(_has_function(ctx, member.type, inside | {kind}) for member in members)
        case _:
            return False


def warnings(refusals: Iterable[Refusal]) -> list[result.Warning]:
    """An error-level warning for each function that is not understood."""
    found = []
    for refusal in refusals:
        place = refusal.cause or refusal.span
        text = f"'{refusal.name}' is not understood: {refusal.message}; it is taken to do anything"
        found.append(result.Warning(place.file, place.line, place.column, CODE, text, "error"))
    return found


def unknown_checks(ctx: Context, called: frozenset[str]) -> dict[Check, str]:
    """The checks of the functions that are not understood and that some thread may call, with the reason."""
    found: dict[Check, str] = {}
    for key, refusal in ctx.facts.refused.items():
        if key not in called:
            continue
        reason = f"the function is not understood: {refusal.message}"
        for name, span in refusal.mentions:
            property_name = _checked_by(ctx, name)
            if property_name is not None and ctx.wants(property_name):
                found[Check(span.file, span.line, span.column, refusal.name, property_name, name)] = reason
        for kind in ctx.options.properties:
            if kind not in DEFAULT_PROPERTIES:
                span = refusal.span
                found[Check(span.file, span.line, span.column, refusal.name, kind, f"all of '{refusal.name}'")] = reason
    return found


def _checked_by(ctx: Context, name: str) -> str | None:
    """The property that a mention of a function or label checks."""
    known = ctx.describe(name)
    return known.checks if known is not None else "unreach-call" if name == _ERROR_LABEL else None


def understood(units: tuple[ParsedUnit, ...], refusals: Iterable[Refusal]) -> Understood:
    """What share of the user's functions was understood; one that stands in a header counts once."""
    extents = {
        (found.span, found.name): found.lines
        for unit in units
        for found in unit.extents
        if unit.places.is_users(found.span.file)
    }
    refused = {(refusal.span, refusal.name) for refusal in refusals}
    kept = [lines for key, lines in extents.items() if key not in refused]
    return Understood(len(extents), len(kept), sum(extents.values()), sum(kept))
