"""The parts of a form, and what follows from looking at all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from operator import is_
from typing import Any

from duet.frontend.ctypes.scope import Local
from duet.frontend.ctypes.values import Object
from duet.frontend.form.tree import (
    AddressOf,
    AlignOf,
    Binary,
    Choice,
    Comma,
    CompoundLiteral,
    Constant,
    Convert,
    Deref,
    Element,
    Entry,
    Evaluated,
    Floating,
    Form,
    FunctionName,
    Implicit,
    LabelAddress,
    Length,
    Logic,
    Member,
    Not,
    Of,
    OffsetOf,
    Otherwise,
    Parts,
    Read,
    Selection,
    SizeOf,
    StringLiteral,
    TypeArgument,
    Unary,
    Variable,
)

OF_PARTS = (
    *(Constant, Floating, Evaluated, Read, AddressOf, Binary, Unary, Not, Logic, Choice, Otherwise, Comma, Convert),
    *(SizeOf, AlignOf, OffsetOf, TypeArgument, Entry, Parts, FunctionName, Implicit, Member, StringLiteral, Of),
)
"""The forms that touch no memory by themselves and write nothing: what is in them may."""
_QUIET = (*OF_PARTS, LabelAddress, Selection, Length, Variable, Element, Deref, CompoundLiteral)
"""The forms that write nothing by themselves: what is in them may."""


@cache
def parts_of(kind: Any) -> tuple[str, ...]:
    """The fields of a class that may have forms in them."""
    return tuple(item.name for item in fields(kind) if item.name not in ("node", "type", "order", "cases"))


def children(form: Form) -> Iterator[Form]:
    """The parts of a form, in the order of the source."""
    kind: Any = type(form)
    for name in parts_of(kind):
        part = getattr(form, name)
        if isinstance(part, Form):
            yield part
        elif isinstance(part, tuple):
            for item in part:
                if isinstance(item, Form):
                    yield item


def every(form: Form) -> Iterator[Form]:
    """A form and all that is in it."""
    stack = [form]
    while stack:
        item = stack.pop()
        yield item
        stack.extend(children(item))


def replaced(form: Form, by: Mapping[Any, Form]) -> Any:
    """A form with parts of it, which are found by identity, replaced by others of their kind."""
    if form in by:
        return by[form]
    kind: Any = type(form)
    changed: dict[str, Any] = {}
    for name in parts_of(kind):
        part = getattr(form, name)
        if isinstance(part, Form):
            new = replaced(part, by)
        elif isinstance(part, tuple):
            new = tuple(replaced(item, by) if isinstance(item, Form) else item for item in part)
            new = part if all(map(is_, new, part)) else new
        else:
            continue
        if new is not part:
            changed[name] = new
    return kind(**{item.name: getattr(form, item.name) for item in fields(kind)} | changed) if changed else form


def has_effects(form: Form) -> bool:
    """Whether evaluating something may write something: any form may that is not known to do nothing by itself."""
    return any(not isinstance(item, _QUIET) for item in every(form))


def mentions(form: Form, symbol: Local | Object) -> bool:
    """Whether something names a variable."""
    return any(isinstance(item, Variable) and item.symbol == symbol for item in every(form))


def is_plain_constant(form: Form) -> bool:
    """Whether an expression is a constant that is written out."""
    match form:
        case Constant() | Floating() | Read(place=StringLiteral()):
            return True
        case Unary(operator="-" | "+" | "~", operand=operand) | Convert(operand=operand):
            return is_plain_constant(operand)
        case _:
            return False
