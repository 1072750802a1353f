"""Checks, assumptions and nondeterminism: assert, reach_error, assume, `__VERIFIER_*`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from types import MappingProxyType

from duet.errors import Unrecoverable
from duet.frontend.cells.context import Context, show
from duet.frontend.cells.convert import condition_of
from duet.frontend.cells.regions import enter_region, leave_region
from duet.frontend.cells.sharing import in_library
from duet.frontend.cells.targets import outside
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import UNKNOWN_POINTER, Origins
from duet.frontend.ctypes.types import (
    BOOL,
    CHAR_POINTER,
    INT,
    VOID,
    VOID_POINTER,
    Choice,
    CType,
    FloatType,
    IntType,
    PointerType,
    chosen,
    is_scalar,
    words,
)
from duet.frontend.ctypes.values import Number, Untracked, literal
from duet.frontend.expressions import expr
from duet.frontend.form.kinds import COMPARISONS
from duet.frontend.form.tree import Binary, Convert, Expression, Logic, Not, Read
from duet.frontend.form.walk import every
from duet.frontend.models import jumps
from duet.frontend.models.call import Call, Model, answer, done, never
from duet.frontend.source.nodes import Node
from duet.options import INVARIANT as PROPERTY
from duet.options import UNDEFINED
from duet.plip.syntax import FALSE, TRUE, Formula
from duet.plip.terms import negate

_WORD = re.compile(r"[A-Za-z_]\w*")


def assertion(ctx: Context, call: Call) -> list[Outcome]:
    """assert(e): the execution ends where e is 0."""
    with in_library(ctx, False):
        return _check(ctx, call, is_negated=False, stops=True)


def soft_assertion(ctx: Context, call: Call) -> list[Outcome]:
    """__goblint_check(e): the execution goes on either way."""
    with in_library(ctx, False):
        return _check(ctx, call, is_negated=False, stops=False)


def bug_on(ctx: Context, call: Call) -> list[Outcome]:
    """BUG_ON(e): e must be 0."""
    with in_library(ctx, False):
        return _check(ctx, call, is_negated=True, stops=True)


def _check(ctx: Context, call: Call, is_negated: bool, stops: bool) -> list[Outcome]:
    if not call.arguments:
        return done(ctx)
    condition = _passed(call)
    if not ctx.wants("assertion"):
        if stops:
            yes, no = ctx.builder.fresh(), ctx.builder.fresh()
            expr.condition(ctx, condition, no if is_negated else yes, yes if is_negated else no)
            ctx.builder.at(yes)
        else:
            expr.effect(ctx, condition)
        return done(ctx)
    text = _text(ctx, call)
    if is_negated:
        text = f"!({text})"
    _checked(ctx, call.node, condition, is_negated, _How("assertion", text, stops))
    return done(ctx)


def _text(ctx: Context, call: Call) -> str:
    """The condition of a check as the user wrote it; what is given to a macro that asserts something else is not that.

    `#define CHECK(e) assert(e)` has what it is given, `#define SEND(to) assert(send(to) == 0)` what it asserts.
    """
    written, shown = ctx.written_call(call.node.coord), show(call.arguments[0].node)
    if written is None or not written.arguments:
        return shown
    is_own = written.name == call.name or set(_WORD.findall(shown)) <= set(_WORD.findall(written.arguments))
    return written.arguments if is_own else shown


def invariant(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_invariant(e)`: e holds here, evaluated in one step; execution goes on either way.

    Nothing undefined may happen in it, whatever is asked of the program; it takes part in no race.
    *Raises*: Unrecoverable where it uses a whole structure, or an object of the library.
    """
    for part in every(call.arguments[0]):
        if isinstance(part, Read) and not isinstance(part.type, IntType | FloatType | PointerType):
            raise Unrecoverable(f"'{call.node.text}' uses what is no number", ctx.span(call.node))
    is_inside, options = ctx.builder.is_inside, ctx.options
    if not is_inside:
        enter_region(ctx)
    ctx.options = replace(options, properties=UNDEFINED)
    _checked(ctx, call.node, call.arguments[0], False, _How(PROPERTY, call.node.text, False))
    ctx.options = options
    if not is_inside:
        leave_region(ctx)
    return done(ctx)


@dataclass(frozen=True, slots=True)
class _How:
    """How a condition is checked: for which property, under which text, whether the execution ends where it fails."""

    property_name: str
    text: str
    stops: bool


def _checked(ctx: Context, node: Node, condition: Expression, is_negated: bool, how: _How) -> None:
    ctx.identity(node, how.property_name, how.text)
    after = ctx.builder.fresh()
    _leaves(ctx, node, condition, is_negated, how, after, after)
    ctx.builder.at(after)


def _passed(call: Call) -> Expression:
    """The condition of a check as its parameter has it: some bits of a wider one are lost."""
    condition = call.arguments[0]
    expected = call.kind.parameters[0] if call.kind is not None and call.kind.parameters else None
    if not isinstance(expected, IntType) or expected.width == 1 or isinstance(condition, Not | Logic):
        return condition
    if isinstance(condition, Binary) and condition.operator in COMPARISONS:
        return condition
    return Convert(condition.node, expected, condition)


def _leaves(ctx: Context, node: Node, condition: Expression, is_negated: bool, how: _How, good: int, bad: int) -> None:
    """Checks a condition path by path, from here to `good`; to `bad` where it fails and that does not stop."""
    builder = ctx.builder
    match condition:
        case Not(operand=operand):
            _leaves(ctx, node, operand, not is_negated, how, good, bad)
        case Logic(operator=operator):
            if (operator == "&&") != is_negated:  # both sides must hold
                yes, no = builder.fresh(), builder.fresh()
                if how.stops:
                    _leaves(ctx, node, condition.left, is_negated, how, yes, bad)
                else:
                    expr.condition(ctx, condition.left, *((no, yes) if is_negated else (yes, no)))
                    builder.at(no)
                    _emit(ctx, node, FALSE, how, bad)
                builder.at(yes)
            else:
                yes, no = builder.fresh(), builder.fresh()
                expr.condition(ctx, condition.left, *((no, yes) if is_negated else (yes, no)))
                builder.at(yes)
                _emit(ctx, node, TRUE, how, good)
                builder.at(no)
            _leaves(ctx, node, condition.right, is_negated, how, good, bad)
        case _:
            for location, value in expr.outcomes(ctx, condition):
                if location != builder.current:
                    builder.at(location)
                formula = condition_of(ctx, value)
                _emit(ctx, node, negate(formula) if is_negated else formula, how, good)


def _emit(ctx: Context, node: Node, formula: Formula, how: _How, after: int) -> None:
    ctx.check(node, how.property_name, formula, how.text, how.stops)
    ctx.builder.goto(after)


def unreachable(ctx: Context, call: Call) -> list[Outcome]:
    """reach_error(): must not be called."""
    call.evaluate_all(ctx)
    ends = not _returns(ctx, call.name)
    if ctx.wants("unreach-call"):
        ctx.check(call.node, "unreach-call", FALSE, f"{call.name}()", stops=ends)
    return never(ctx) if ends else done(ctx)


def note_failure(ctx: Context, name: str, node: Node) -> None:
    """Checks that an error function whose own body does more than fail is not called; that body follows."""
    known = ctx.describe(name)
    if known is not None and known.checks == "unreach-call" and ctx.wants("unreach-call"):
        ctx.check(node, "unreach-call", FALSE, f"{name}()", stops=False)


def nondeterministic(ctx: Context, name: str, kind: CType, found: list[Outcome]) -> list[Outcome]:
    """The outcomes of a defined function: any value of its type, whatever it returns, where the name says so."""
    if not is_nondeterministic(name) or not is_scalar(kind):
        return found
    result: list[Outcome] = []
    for location, _ in found:
        ctx.builder.at(location)
        value = given(ctx, kind, UNKNOWN_POINTER)
        ctx.builder.flush()
        result.append((ctx.builder.current, value))
    return result


def _returns(ctx: Context, name: str) -> bool:
    """Whether a program defines an error function of its own that plainly does nothing."""
    definition = ctx.declared.functions.get(name)
    return definition is not None and not definition.node.body.block_items


def assert_failed(ctx: Context, call: Call) -> list[Outcome]:
    """__assert_fail(...), what the macro assert of a preprocessed file calls."""
    if ctx.wants("assertion"):
        ctx.check(call.node, "assertion", FALSE, show(call.arguments[0].node).strip('"') if call.arguments else "0")
    return never(ctx)


def assume(ctx: Context, call: Call) -> list[Outcome]:
    """assume(e): executions where e is 0 are left out."""
    with in_library(ctx, False):
        return _assume(ctx, call)


def _assume(ctx: Context, call: Call) -> list[Outcome]:
    if not call.arguments:
        return done(ctx)
    condition = _passed(call)
    if isinstance(condition, Logic):
        yes, no = ctx.builder.fresh(), ctx.builder.fresh()
        expr.condition(ctx, condition, yes, no)
        ctx.builder.at(yes)
        return done(ctx)
    value = expr.rvalue(ctx, condition)
    ctx.builder.assume(condition_of(ctx, value))
    return done(ctx)


KINDS: Mapping[str, CType | Choice] = MappingProxyType(
    {
        "bool": BOOL,
        "uchar": words("unsigned char"),
        "ushort": words("unsigned short"),
        "uint": words("unsigned int"),
        "unsigned": words("unsigned int"),
        "ulong": words("unsigned long"),
        "ulonglong": words("unsigned long long"),
        "longlong": words("long long"),
        "size_t": attrgetter("size"),
        "loff_t": words("long long"),
        "char": words("char"),
        "short": words("short"),
        "int": INT,
        "long": words("long"),
        "float": words("float"),
        "double": words("double"),
        "s8": words("signed char"),
        "u8": words("unsigned char"),
        "s16": words("short"),
        "u16": words("unsigned short"),
        "s32": INT,
        "u32": words("unsigned int"),
        "U32": words("unsigned int"),
        "s64": words("long long"),
        "u64": words("unsigned long long"),
        "llong": words("long long"),
        "ullong": words("unsigned long long"),
        "uint128": words("unsigned __int128"),
        "int128": words("__int128"),
        "ptr": VOID_POINTER,
        "pointer": VOID_POINTER,
        "pchar": CHAR_POINTER,
    }
)
"""The types of which any value can be asked for, as functions of verification tools name them."""
NONDETERMINISTIC = (("__VERIFIER_nondet_", False), ("__duet_nondet_", True))
"""How the names of these functions begin; whether pointers lead to memory outside of the program only."""


def is_nondeterministic(name: str) -> bool:
    """Whether a function gives any value of some type that is known, as its name says."""
    return any(name.removeprefix(prefix) in KINDS for prefix, _ in NONDETERMINISTIC if name.startswith(prefix))


def nondet(of: CType | Choice, is_outside: bool) -> Model:
    """Any value of a type; a pointer leads to memory outside of the program, or anywhere."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        call.evaluate_all(ctx)
        kind = chosen(of, ctx.data) or VOID
        if not is_scalar(kind):
            return answer(ctx, Untracked(kind))
        origins = outside(ctx) if is_outside else UNKNOWN_POINTER
        return answer(ctx, given(ctx, kind, origins))

    return model


def given(ctx: Context, kind: CType, pointing: Origins) -> Number:
    """Any value of a type as an input of the program; which pointers are inputs is not known."""
    is_pointer = isinstance(kind, PointerType)
    return ctx.havoc(kind, pointing if is_pointer else frozenset(), is_given=isinstance(kind, IntType))


def is_atomic_section(name: str) -> bool:
    """Whether a function that the program defines runs as one step, as its name says."""
    return name.startswith("__VERIFIER_atomic_")


def begin_atomic(ctx: Context, call: Call) -> list[Outcome]:
    """__VERIFIER_atomic_begin()."""
    del call
    if not ctx.builder.is_inside:
        enter_section(ctx)
    return done(ctx)


def enter_section(ctx: Context) -> None:
    """Begins an atomic section of the program."""
    enter_region(ctx)
    jumps.note_section(ctx)


def end_atomic(ctx: Context, call: Call) -> list[Outcome]:
    """__VERIFIER_atomic_end()."""
    del call
    if ctx.builder.is_inside:
        leave_region(ctx)
    return done(ctx)


def zero(ctx: Context, call: Call) -> list[Outcome]:
    """A function that returns 0."""
    call.evaluate_all(ctx)
    return answer(ctx, literal(0))
