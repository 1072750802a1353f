"""Pointers that are moved for a single access, or for nothing: nobody can have them afterwards.

All of this is read off the form: where else a moved pointer may go to is not followed, it counts as kept.
"""

from __future__ import annotations

from collections.abc import Iterator

from duet.frontend.ctypes.types import ArrayType, FunctionType, PointerType, VoidType, is_scalar
from duet.frontend.form.tree import Binary, Convert, Deref, Element, Expression, Member, Place
from duet.frontend.source.nodes import Node


def in_access(place: Place) -> Iterator[Node]:
    """The nodes of what moves a pointer that an access to a place follows.

    *Requires*: the place is read or written, and its address is not used for anything else. One of an array gives the
    address of its first element, and a structure may be passed on by where it lies: they have none.
    """
    if not is_scalar(place.type):
        return
    while isinstance(place, Member):
        place = place.base
    match place:
        case Element():
            yield place.node
        case Deref(pointer=pointer):
            yield from in_value(pointer)
        case _:
            return


def followed(place: Place) -> Iterator[Node]:
    """The nodes of what moves a pointer that an access to a place follows, of a structure, too.

    *Requires*: the place is read or written. To name an array, or a function, is no access.
    """
    if isinstance(place.type, ArrayType | FunctionType | VoidType):
        return
    while isinstance(place, Member):
        place = place.base
    match place:
        case Element(left=left, right=right):
            yield place.node
            yield from in_value(left)
            yield from in_value(right)
        case Deref(pointer=pointer):
            yield from in_value(pointer)
        case _:
            return


def in_value(form: Expression) -> Iterator[Node]:
    """The nodes of what moves a pointer, in an expression of which that is the value."""
    match form:
        case Convert(operand=operand) if isinstance(form.type, PointerType):
            yield from in_value(operand)
        case Binary(operator="+" | "-", left=left) if isinstance(form.type, PointerType):
            yield form.node
            yield from in_value(left)
        case _:
            return
