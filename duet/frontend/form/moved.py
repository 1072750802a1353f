"""Differences of pointers of which one is the other one, moved: they say how far that is, not where they lead.

A pointer that a function is given, and locals that only ever get it, or each other, moved, lead into one object for as
long as the function runs (`start = p; while (*p) p++; return p - start;`), whichever that is.

*Approximates*: under.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable

from duet.frontend.ctypes.scope import Local
from duet.frontend.ctypes.types import PointerType
from duet.frontend.form.control import Declare
from duet.frontend.form.tree import Assign, Binary, Call, Convert, Form, Read, Step, Variable
from duet.frontend.form.walk import children, every
from duet.frontend.source.nodes import Node

_MOVES = ("+", "-")


def differences(
    parameters: Iterable[Local | None], form: Form, changed_by: Callable[[Call], Iterable[Local]]
) -> frozenset[Node]:
    """The nodes of the differences of such pointers in a form, that of a body with `parameters`.

    `changed_by` tells the locals that a call changes, without their addresses.
    """
    items = list(every(form))
    asked = [item for item in items if isinstance(item, Binary) and _is_difference(item)]
    given = [local for local in parameters if local is not None and _is_pointer(local)]
    if not asked or not given:
        return frozenset()
    values = _values(items, changed_by)
    families = [_family(local, given, values) for local in given]
    return frozenset(
        item.node
        for item in asked
        if any(_is_of(item.left, family) and _is_of(item.right, family) for family in families)
    )


def _is_difference(form: Binary) -> bool:
    return form.operator == "-" and all(isinstance(side.type, PointerType) for side in (form.left, form.right))


def _is_pointer(local: Local) -> bool:
    return local.duration == "automatic" and isinstance(local.type, PointerType)


def _values(items: Iterable[Form], changed_by: Callable[[Call], Iterable[Local]]) -> dict[Local, list[Form | None]]:
    """What locals are set to; None where that is not known, as something else is done with one than to move it."""
    values: dict[Local, list[Form | None]] = defaultdict(list)
    for item in items:
        for local in changed_by(item) if isinstance(item, Call) else ():
            values[local].append(None)
        match item:
            case Declare(local=local, initialiser=given) if given is not None:
                values[local].append(given)
            case Assign(operator=operator, place=Variable(symbol=Local() as local), value=value):
                if operator not in _MOVES:
                    values[local].append(None if operator else value)
            case Read(place=Variable()) | Step(place=Variable()):
                pass
            case _:
                for part in children(item):
                    if isinstance(part, Variable) and isinstance(part.symbol, Local):
                        values[part.symbol].append(None)
    return values


def _family(root: Local, given: Iterable[Local], values: dict[Local, list[Form | None]]) -> Collection[Local]:
    """A parameter and the locals that only ever lead to what it leads to; none where it gets something else."""
    family = {root, *(local for local in values if _is_pointer(local) and local not in given)}
    while lost := {local for local in family if not all(_is_of(value, family) for value in values.get(local, ()))}:
        family -= lost
    return family if root in family else ()


def _is_of(form: Form | None, family: Collection[Local]) -> bool:
    """Whether this is one of some pointers, moved or not."""
    match form:
        case Read(place=Variable(symbol=Local() as local)) | Step(place=Variable(symbol=Local() as local)):
            return local in family
        case Convert(operand=operand, lengths=(), type=PointerType()):
            return _is_of(operand, family)
        case Binary(operator="+" | "-" as operator, left=left, right=right, type=PointerType()):
            return _is_of(left, family) or (operator == "+" and _is_of(right, family))
        case Assign(operator=operator, place=Variable(symbol=Local() as local)) if operator in ("", *_MOVES):
            return local in family
        case _:
            return False
