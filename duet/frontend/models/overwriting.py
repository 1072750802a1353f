"""Strings that end where they did, as only their characters are overwritten: `memset(s, 'x', strlen(s))`.

Passwords among the arguments of `main` are hidden so. No null character is overwritten: what lies in front of the end
is none. What other threads have put there since is not the end of what an allocation made, or the library: that one
lies behind all that was overwritten, and stays.

*Requires*: both expressions mean the same characters; no other thread writes what these are read of in between.
"""

from __future__ import annotations

from duet.frontend.cells import texts
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number
from duet.frontend.ctypes.origins import UNKNOWN_POINTER, ObjectAddress, addresses
from duet.frontend.ctypes.scope import Bound, Local
from duet.frontend.ctypes.types import IntType, PointerType
from duet.frontend.ctypes.values import Address, Number, Object, Value
from duet.frontend.expressions.places import meaning
from duet.frontend.form.tree import (
    Binary,
    Constant,
    Convert,
    Element,
    Expression,
    FunctionName,
    Implicit,
    Read,
    Variable,
)
from duet.frontend.form.tree import Call as CallForm
from duet.frontend.models.call import Call


def is_in_front_of_end(ctx: Context, call: Call, target: Value) -> bool:
    """Whether what `memset` is given are the characters of a string that an allocation or the library made."""
    match [_plain(argument) for argument in call.written]:
        case [text, Constant(), CallForm(callee=callee, arguments=(measured,), is_program=False)]:
            is_length = isinstance(callee, FunctionName | Implicit) and callee.name == "strlen"
            return is_length and _is_made_as_text(ctx, target) and _is_same(ctx, text, _plain(measured))
        case _:
            return False


def _is_made_as_text(ctx: Context, target: Value) -> bool:
    """Whether a pointer leads into objects that began as strings."""
    if not isinstance(target, Address | Number):
        return False
    keys = {of.key for of in ctx.memory.only(number(ctx, target).origins)}
    return bool(keys) and keys <= ctx.memory.texts - {texts.ARGUMENTS}


def _plain(form: Expression) -> Expression:
    """An expression without conversions that leave its value as it is: of pointers, and of lengths to as many bits."""
    while isinstance(form, Convert):
        kind, given = form.type, form.operand.type
        is_pointer = isinstance(kind, PointerType) and isinstance(given, PointerType)
        is_length = isinstance(kind, IntType) and isinstance(given, IntType) and kind.width == given.width
        if not (is_pointer or is_length):
            break
        form = form.operand
    return form


def _is_same(ctx: Context, one: Expression, other: Expression) -> bool:
    """Whether two expressions without effects, one of which is evaluated right behind the other, mean the same."""
    match one, other:
        case Constant(value=value), Constant(value=again):
            return value == again
        case Binary(operator="+" | "-", left=left, right=right), Binary(left=left_again, right=right_again):
            is_both = one.operator == other.operator
            return is_both and _is_same(ctx, left, left_again) and _is_same(ctx, right, right_again)
        case Convert(operand=operand), Convert(operand=again):
            return one.type == other.type and _is_same(ctx, operand, again)
        case Read(place=Variable(symbol=symbol)), Read(place=Variable(symbol=again)):
            return symbol == again and _is_own(ctx, symbol)
        case Read(place=Element(left=left, right=right)), Read(place=Element(left=left_again, right=right_again)):
            return _is_argument(ctx, left) and _is_same(ctx, left, left_again) and _is_same(ctx, right, right_again)
        case _:
            return False


def _is_own(ctx: Context, symbol: Local | Object) -> bool:
    """Whether no other thread writes a variable."""
    found = meaning(ctx, symbol)
    return isinstance(found, Bound) or (found is not None and not found.is_volatile and not ctx.memory.is_shared(found))


def _is_argument(ctx: Context, array: Expression) -> bool:
    """Whether an expression is a variable that leads to the arguments of `main`, which are as they were."""
    if not isinstance(array, Read) or not isinstance(array.place, Variable) or texts.is_altered(ctx, texts.ARGUMENTS):
        return False
    found = meaning(ctx, array.place.symbol)
    if isinstance(found, Bound):
        value = found.value
        held = number(ctx, value).origins if isinstance(value, Address | Number) else UNKNOWN_POINTER
    else:
        held = ctx.facts.pointers.held(found.key) if found is not None else UNKNOWN_POINTER
    return UNKNOWN_POINTER.isdisjoint(held) and addresses(held) == {ObjectAddress(texts.ARGUMENTS)}
