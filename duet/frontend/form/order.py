"""What operands beside each other depend on, whose order C leaves open (C11 6.5, 6.5.2.2, 6.7.9).

What one of them reads while another calls a function is read before the call or behind it. Which memory a function may
change is known of the whole program only: here stands of which memory that is to be asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from duet.frontend.ctypes.declarations import is_volatile
from duet.frontend.ctypes.scope import Local
from duet.frontend.ctypes.types import ArrayType, IntType, PointerType, is_scalar
from duet.frontend.ctypes.values import Object
from duet.frontend.form.tree import (
    AddressOf,
    AlignOf,
    Assign,
    Beside,
    Call,
    Choice,
    Comma,
    CompoundLiteral,
    Deref,
    Element,
    Expression,
    Form,
    FunctionName,
    Implicit,
    Logic,
    Member,
    Of,
    Order,
    Otherwise,
    Place,
    Read,
    Selection,
    SizeOf,
    StatementExpression,
    Step,
    StringLiteral,
    Variable,
)
from duet.frontend.form.walk import children, has_effects

_NOTHING: frozenset[Local | None] = frozenset()
_ANYTHING: frozenset[Local | None] = frozenset((None,))


def group(operands: Sequence[Form]) -> Order:
    """What is known of operands beside each other; None where none calls anything and at most one has watched reads."""
    if not any(map(calls, operands)) and not are_watched(operands):
        return None
    return tuple(Beside(has_effects(item), depends(item)) for item in operands)


def of_assignment(place: Place, value: Form) -> Order:
    """The same of an assignment: what is read at the place, which place it is, and the value."""
    if not calls(value) and not calls(place) and not are_watched((place, value)):
        return None
    held = Beside(False, depends(Read(place.node, place.type, place)))
    return (held, Beside(has_effects(place), which(place)), Beside(has_effects(value), depends(value)))


def calls(form: Form) -> bool:
    """Whether evaluating an expression may call what changes memory that others read."""
    match form:
        case StatementExpression():
            return True
        case Call(is_harmless=False):
            return True
        case Step(place=place) | Assign(place=place) if is_watched(place):
            return True
        case SizeOf() | AlignOf():
            return False
        case _:
            return any(map(calls, children(form)))


def are_watched(operands: Sequence[Form]) -> bool:
    """Whether several operands have reads whose order may matter though nothing is called."""
    return sum(any(watched(item)) for item in operands) > 1


def watched(form: Form) -> Iterator[Expression]:
    """The outermost reads in an expression of what others may change at any time, see `is_watched`.

    A part that is evaluated in an order of its own stands for what is read in it.
    """
    match form:
        case Read(place=place) if is_scalar(form.type) and is_watched(place):
            yield form
        case SizeOf() | AlignOf():
            return
        case Logic() | Choice() | Otherwise() | Comma() | Selection() | Call():
            if any(any(watched(item)) for item in children(form)):
                yield form
        case _:
            for item in children(form):
                yield from watched(item)


def is_watched(place: Place) -> bool:
    """Whether it is no data race if others write to a place at any time: it is atomic, or a volatile variable."""
    if isinstance(place.type, IntType | PointerType) and place.type.atomic:
        return True
    match place:
        case Variable(symbol=Local() as local):
            return is_volatile(local.node)
        case Variable(symbol=Object() as of):
            return of.is_volatile
        case Member(base=base) | Element(left=Read(place=base)):
            return is_watched(base)
        case _:
            return False


def depends(form: Form) -> frozenset[Local | None]:
    """The memory that an expression reads, see `Beside`."""
    match form:
        case Read(place=StringLiteral() | CompoundLiteral() | Of() as place):
            return _of_parts(place)
        case Read(place=place):
            return which(place) | (_NOTHING if isinstance(place.type, ArrayType) else _memory(place))
        case AddressOf(place=place):
            return which(place)
        case SizeOf() | AlignOf():
            return _NOTHING
        case Step(place=place) | Assign(place=place):
            return which(place) | _memory(place) | _of_parts(form)
        case _:
            return _of_parts(form)


def _of_parts(form: Form) -> frozenset[Local | None]:
    return _NOTHING.union(*map(depends, children(form)))


def which(place: Place) -> frozenset[Local | None]:
    """The memory on which it depends what object a place is part of."""
    match place:
        case Member(base=base):
            return which(base)
        case Element(left=left, right=right):
            return depends(left) | depends(right)
        case Deref(pointer=pointer):
            return depends(pointer)
        case Variable() | FunctionName() | Implicit():
            return _NOTHING
        case _:
            return _of_parts(place)


def _memory(place: Place) -> frozenset[Local | None]:
    """The memory of a place that a called function may change."""
    match place:
        case FunctionName() | Implicit():
            return _NOTHING
        case Variable():
            return _variable(place)
        case Member(base=base):
            return _memory(base)
        case Element(left=Read(place=Variable(type=ArrayType()) as base)):
            return _variable(base)
        case _:
            return _ANYTHING


def _variable(place: Variable) -> frozenset[Local | None]:
    symbol = place.symbol
    is_automatic = isinstance(symbol, Local) and symbol.duration == "automatic"
    return frozenset((symbol,)) if is_automatic and isinstance(symbol, Local) else _ANYTHING
