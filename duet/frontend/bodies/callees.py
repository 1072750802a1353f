"""What a function that is called is: defined, modelled or unknown; the one way to call it, whoever does.

*Raises*: InternalError for a name that is none of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from duet.errors import InternalError, Unrecoverable, Unsupported
from duet.frontend.bodies import inline
from duet.frontend.cells import hidden, rereads, sharing, size
from duet.frontend.cells.callees import SOME, ignored_by, parameters
from duet.frontend.cells.context import Context, Handed
from duet.frontend.cells.convert import convert, merged, number, snapshot
from duet.frontend.cells.regions import leave_region
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.library import Control
from duet.frontend.ctypes.origins import EXTERNAL, NOTHING, UNKNOWN_POINTER, Origins, Passed
from duet.frontend.ctypes.scope import Definition
from duet.frontend.ctypes.signatures import BUILTIN, signature
from duet.frontend.ctypes.types import (
    DOUBLE,
    INT,
    VOID,
    VOID_POINTER,
    CType,
    FunctionType,
    IntType,
    PointerType,
    VoidType,
    is_layout_compatible,
    is_scalar,
)
from duet.frontend.ctypes.values import Address, Temporary, Truth, Untracked, Value, Whole, type_of
from duet.frontend.expressions import expr
from duet.frontend.expressions.choice import kept, mapped
from duet.frontend.expressions.operands import evaluated
from duet.frontend.form import fleeting
from duet.frontend.form.tree import Constant, Expression
from duet.frontend.form.walk import has_effects
from duet.frontend.models import threads, waits
from duet.frontend.models.call import Call, Model
from duet.frontend.models.checks import enter_section, is_atomic_section, nondeterministic, note_failure
from duet.frontend.models.jumps import LOCKING
from duet.frontend.models.table import describe, model_of
from duet.frontend.models.telling import tells_all
from duet.frontend.models.unknown import ANY, note_result, origins_of, unknown_call
from duet.frontend.source.nodes import Node
from duet.frontend.source.words import ENDING

_ANY_TYPE = DOUBLE
"""Stands for a type that nobody tells: of what is made of a floating value nothing is known."""


@dataclass(frozen=True, slots=True)
class Defined:
    """A function with a body, its type, and the type that it has where it is called."""

    definition: Definition
    type: FunctionType
    called: FunctionType


@dataclass(frozen=True, slots=True)
class Modelled:
    """A library function, and its type if that is declared or known."""

    name: str
    model: Model
    type: FunctionType | None


@dataclass(frozen=True, slots=True)
class Unknown:
    """A function that is not there."""

    name: str
    type: FunctionType


Callee: TypeAlias = Defined | Modelled | Unknown


def resolve(
    ctx: Context, key: str, kind: FunctionType | None = None, arguments: Sequence[Expression] | None = None
) -> Callee:
    """What a key stands for; `kind` is its type where it is called, `arguments` what it is given, if that is known."""
    definition = ctx.declared.functions.get(key)
    name = definition.name if definition is not None else key.partition("@")[0]
    declared = kind if kind is not None else ctx.declared.prototypes.get(key)
    if definition is None and (declared is None or declared.parameters is None):
        _note_call(ctx, name, arguments)
    model = model_of(name, definition.node if definition is not None else None, ctx.describe)
    if model is not None and not (definition is not None and _is_asked_about(ctx, name)):
        return Modelled(name, model, signature(ctx.scope, name, declared, ctx.data))
    if definition is not None:
        return Defined(definition, ctx.declared.signatures[key], _called(ctx.declared.signatures[key], kind))
    if key == SOME:
        return Unknown(ANY, declared or FunctionType(VOID, None))
    if declared is None:
        raise InternalError(f"'{key}' is called, which is not declared, defined or modelled")
    _check_jump(ctx, name)
    return Unknown(name, declared)


def _is_asked_about(ctx: Context, name: str) -> bool:
    """Whether an assertion that the program defines itself is no check, but whether its body comes to a failure is."""
    known = ctx.describe(name)
    is_check = known is not None and known.is_assertion
    return is_check and ctx.wants("unreach-call") and not ctx.wants("assertion")


def _called(own: FunctionType, kind: FunctionType | None) -> FunctionType:
    """The type of a function where it is called as another one; without a prototype that tells only what it returns."""
    if kind is None:
        return own
    return replace(own, result=kind.result) if kind.parameters is None else kind


def resolve_name(ctx: Context, name: str, node: Node, arguments: Sequence[Expression]) -> Callee:
    """What a name stands for that no declaration is visible of."""
    is_declared = name in ctx.declared.functions or name in ctx.declared.prototypes
    if not is_declared:
        _note_call(ctx, name, arguments)
    if not is_declared and model_of(name, None, ctx.describe) is None:
        _check_jump(ctx, name)
        ctx.warn_once(node, "implicit-declaration", name, f"'{name}' is not declared: what it returns is of any type")
        return Unknown(name, FunctionType(_ANY_TYPE, None))
    return resolve(ctx, name, FunctionType(INT, None) if name in ctx.declared.functions else None, arguments)


def _check_jump(ctx: Context, name: str) -> None:
    """*Raises*: Unrecoverable for a function that may jump out of functions, although it has another type."""
    known = describe(name)
    if known is not None and known.control is Control.JUMPS:
        raise Unrecoverable(f"'{name}' may jump, but has not the type of the library's", ctx.builder.span)


def _note_call(ctx: Context, name: str, arguments: Sequence[Expression] | None) -> None:
    ctx.library.call(name, None if arguments is None else tuple(map(_passed, arguments)))


def _passed(argument: Expression) -> CType | None:
    """The type that an argument is passed with; None for a constant that is 0, which is a null pointer, too."""
    match argument:
        case Constant(value=0):
            return None
        case _ if isinstance(argument.type, FunctionType):
            return PointerType(argument.type)
        case _:
            return argument.type


def call(
    ctx: Context, callee: Callee, arguments: Sequence[Expression], node: Node, written: Sequence[Expression] = ()
) -> list[Outcome]:
    """The outcomes of a call at a node, of arguments as they are `written` that may be evaluated from left to right."""
    if not isinstance(callee, Defined):
        waits.note_call(ctx, callee.name, callee.type, node, isinstance(callee, Unknown))
    match callee:
        case Defined():
            return _defined(ctx, callee, arguments, node)
        case Modelled(name, model, kind):
            called = Call(name, list(arguments), node, kind, written)
            found = _modelled(ctx, model, called)
            if not tells_all(name, ctx.describe(name)):
                rereads.note_call(ctx, found, called.evaluated())
            return found
        case Unknown(name, kind):
            is_known = ctx.describe(name) is not None
            if name.startswith(BUILTIN) and not is_known and any(map(has_effects, arguments)):
                raise Unsupported(f"'{name}' is not known, and may not evaluate what it is given", ctx.span(node))
            if name in ctx.declared.ending or (ENDING in ctx.declared.ending and name not in ctx.declared.library):
                threads.may_end(ctx, node)
            return unknown_call(ctx, Call(name, list(arguments), node, kind if is_known else None), kind)


def _defined(ctx: Context, callee: Defined, arguments: Sequence[Expression], node: Node) -> list[Outcome]:
    definition, kind = callee.definition, callee.type
    for position in ignored_by(ctx, definition):
        ctx.fleeting.update(*map(fleeting.in_value, arguments[position : position + 1]))
    values = argument_values(ctx, callee.called, arguments)
    if callee.called != kind:
        values = _received(ctx, values, kind.parameters or (), node)
    for value in values[len(kind.parameters or ()) :]:
        _pass_on(ctx, definition, origins_of(ctx, value))
        match type_of(value):
            case PointerType(VoidType() | IntType(size=1)):  # it may be printed as text
                hidden.note_bytes(ctx, value)
            case PointerType():
                continue
            case _:
                hidden.take_apart_value(ctx, value)
    note_failure(ctx, definition.name, node)
    if is_atomic_section(definition.name) and not ctx.builder.is_inside:
        enter_section(ctx)
        found = _leaving(ctx, inline.enter(ctx, definition, kind, values, node))
    else:
        found = nondeterministic(ctx, definition.name, kind.result, inline.enter(ctx, definition, kind, values, node))
    if callee.called.result == kind.result:
        return found
    return mapped(ctx, found, lambda value: received(ctx, value, callee.called.result, node))


def _pass_on(ctx: Context, definition: Definition, origins: Origins) -> None:
    """Passes a value with some origins among the variable arguments of a function, where no command writes it."""
    ctx.facts.pointers.hold(Passed(definition.key), origins)
    ctx.builder.note_showing(origins)


def _received(ctx: Context, values: Sequence[Value], kinds: Sequence[CType], node: Node) -> list[Value]:
    """Arguments as the function has them; there are as many as it has parameters, or more."""
    known = [received(ctx, value, kind, node) for value, kind in zip(values, kinds, strict=False)]
    missing = [any_value(ctx, kind, UNKNOWN_POINTER) for kind in kinds[len(values) :]]
    return [*known, *missing, *values[len(kinds) :]]


def received(ctx: Context, value: Value, kind: CType, node: Node) -> Value:
    """A value that was passed with its type, for one who takes it to be of another one.

    C leaves that undefined (C11 6.5.2.2 p9); what machines do is to take the lower part, with anything above it.
    """
    given = type_of(value)
    size = ctx.memory.types.size(given) or 0
    is_part = isinstance(kind, IntType) and kind.width > 1 and is_scalar(given) and size > kind.size
    if given == kind or is_part or is_layout_compatible(given, kind, ctx.data):
        return convert(ctx, value, kind, node)
    return any_value(ctx, kind, UNKNOWN_POINTER)


def _leaving(ctx: Context, found: list[Outcome]) -> list[Outcome]:
    """The outcomes, each behind the end of the atomic region."""
    result = []
    for location, value in found:
        if location != ctx.builder.current:
            ctx.builder.at(location)
        kept = snapshot(ctx, value)
        leave_region(ctx)
        result.append((ctx.builder.current, kept))
    return result


def _modelled(ctx: Context, model: Model, called: Call) -> list[Outcome]:
    """The outcomes of a call of a modelled function, with values of the type that the function returns."""
    known = ctx.describe(called.name)
    if known is not None and known.lock is not None:
        ctx.facts.mark(LOCKING, ctx.thread.template)
    with sharing.in_library(ctx):
        found, kind = model(ctx, called), called.kind
    if kind is None:
        return found
    return mapped(ctx, found, lambda value: convert(ctx, value, kind.result, called.node))


def argument_values(ctx: Context, kind: FunctionType, arguments: Sequence[Expression]) -> list[Value]:
    """The arguments of a call, evaluated left to right and converted to the types of the parameters."""
    values: list[Value] = []
    for place, argument in enumerate(arguments):
        value = expr.rvalue(ctx, argument)
        if kind.parameters is not None and place < len(kind.parameters):
            value = convert(ctx, value, kind.parameters[place], argument.node)
        is_variable = kind.variadic and place >= len(kind.parameters or ())
        if isinstance(value, Truth) or (is_variable and isinstance(value, Address)):
            value = number(ctx, value)  # a variable argument is reached as any object whose address is taken
        if any(has_effects(later) for later in arguments[place + 1 :]):
            value = kept(ctx, value, argument.node)
        ctx.builder.flush()
        values.append(value)
    return values


def parameter_types(ctx: Context, callee: Callee) -> tuple[CType, ...] | None:
    """The types of the parameters of a function; None where they are not declared."""
    if isinstance(callee, Defined):
        return tuple(kind for kind, _ in parameters(ctx, callee.definition))
    return callee.type.parameters if callee.type is not None else None


def pass_values(ctx: Context, callee: Callee, values: Sequence[Value], node: Node) -> list[Outcome]:
    """The outcomes of a call with arguments that are evaluated already, as a pointer of another type may give them.

    There may be too few of them, then others are arbitrary, or too many.
    """
    kinds = parameter_types(ctx, callee)
    given = list(values)
    if kinds is not None:
        is_open = isinstance(callee, Unknown) or (callee.type is not None and callee.type.variadic)
        given = _received(ctx, values if is_open else values[: len(kinds)], kinds, node)
    if not isinstance(callee, Modelled):
        return _passed_to(ctx, callee, given, node)
    if callee.name in ctx.thread.running:
        return _again(ctx, callee, given, node)
    ctx.thread.running.append(callee.name)
    try:
        return _passed_to(ctx, callee, given, node)
    finally:
        ctx.thread.running.pop()


def _passed_to(ctx: Context, callee: Callee, values: Sequence[Value], node: Node) -> list[Outcome]:
    return call(ctx, callee, [evaluated(value, node) for value in values], node)


def _again(ctx: Context, callee: Modelled, values: Sequence[Value], node: Node) -> list[Outcome]:
    """The outcomes of a call of a library function by what it calls itself (`qsort` that may be given `qsort`).

    What it does then is there once, and returns to any such call.
    """
    kind = callee.type.result if callee.type is not None else INT
    described = ", ".join(str(type_of(value)) for value in values)

    def body(given: list[Value]) -> list[Outcome]:
        return mapped(ctx, _passed_to(ctx, callee, given, node), lambda value: convert(ctx, value, kind, node))

    return inline.shared(ctx, f"{callee.name}({described}) that is called by itself", values, kind, node, body)


def any_value(ctx: Context, kind: CType, pointing: Origins) -> Value:
    """Any value of a type; `pointing` are the origins of pointers."""
    if is_scalar(kind):
        return ctx.havoc(kind, pointing if isinstance(kind, PointerType) else NOTHING)
    return Whole(Temporary(kind), kind)


def run(ctx: Context, key: str, given: Sequence[Value], node: Node, pointing: Origins = UNKNOWN_POINTER) -> None:
    """Calls a function here, once, with values for its first parameters and arbitrary ones for the others.

    `pointing` are the origins of pointers among these.
    """
    callee = resolve(ctx, key)
    kinds = parameter_types(ctx, callee)
    if kinds is None:
        kinds = () if given else (VOID_POINTER,)
    rest = [any_value(ctx, kind, pointing) for kind in kinds[len(given) :]]
    if isinstance(callee, Defined) and callee.type.variadic:
        _pass_on(ctx, callee.definition, pointing)
    found = pass_values(ctx, callee, [*given, *rest], node)
    for location, value in found:
        ctx.builder.at(location)
        note_result(ctx, key, value)
    nothing: list[Outcome] = [(location, Untracked(VoidType())) for location, _ in found]
    merged(ctx, nothing, VoidType())


def call_back(
    ctx: Context,
    keys: Sequence[str],
    handed: Handed,
    change: Callable[[], None],
    node: Node,
    pointing: Origins,
    is_foreign: bool,
) -> None:
    """Calls some functions here with arbitrary arguments, any number of times in any order, as unknown code may do.

    `pointing` are the origins of the pointers that it has. What is `handed` to some functions is not arbitrary.
    `change` lowers what it may do between the calls. That is also what other unknown functions may do that it calls,
    but where the library calls those of the program, which the caller tells by `is_foreign`. Beyond the budget for
    inlining, where it changes only what is not tracked anyway, all such code with the same functions is one body that
    is shared like a function.
    """
    called = ((key, resolve(ctx, key)) for key in keys)
    keys = [
        key
        for key, callee in called
        if not isinstance(callee, Unknown) or not (is_foreign or callee.name in ctx.declared.library)
    ]
    if not keys:
        change()
        return
    if not size.is_shared(ctx):
        _any_number_of_times(ctx, keys, handed, change, node, pointing)
        return
    change()
    values = [value for key in keys for value in handed.get(key, ()) if value is not None]

    def body(given: list[Value]) -> list[Outcome]:
        rest = iter(given)
        known = {key: [None if it is None else next(rest) for it in handed.get(key, ())] for key in keys}
        _any_number_of_times(ctx, keys, known, change, node, pointing)
        return [(ctx.builder.current, Untracked(VoidType()))]

    described = [f"{key}{[it and type_of(it) for it in handed[key]] if key in handed else ''}" for key in keys]
    inline.shared(ctx, f"unknown code that calls {', '.join(described)}", values, VoidType(), node, body)


def _any_number_of_times(
    ctx: Context,
    keys: Sequence[str],
    handed: Handed,
    change: Callable[[], None],
    node: Node,
    pointing: Origins,
) -> None:
    known = {key: [None if value is None else snapshot(ctx, value) for value in handed.get(key, ())] for key in keys}
    ctx.builder.flush()
    head = ctx.builder.fresh()
    ctx.builder.goto(head)
    ctx.builder.at(head)
    change()
    *ways, after = ctx.builder.fork(len(keys) + 1)
    for key, way in zip(keys, ways, strict=True):
        ctx.builder.at(way)
        run(ctx, key, _first_arguments(ctx, key, known[key]), node, pointing)
        ctx.builder.goto(head)
    ctx.builder.at(after)


def _first_arguments(ctx: Context, key: str, handed: Sequence[Value | None]) -> list[Value]:
    """The first arguments of a function that a library calls, as far as they are known."""
    kinds = parameter_types(ctx, resolve(ctx, key)) or ()
    return [_own_memory(ctx, kind) if it is None else it for it, kind in zip(handed, kinds, strict=False)]


def _own_memory(ctx: Context, kind: CType) -> Value:
    """A value of a type; a pointer is not null and leads to memory of a library's own."""
    if not isinstance(kind, PointerType):
        return any_value(ctx, kind, NOTHING)
    return ctx.havoc(kind, frozenset((EXTERNAL,)), low=1)
