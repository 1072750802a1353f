"""Functions that touch nothing but their own variables: when they run makes no difference to anything else."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from duet.frontend.ctypes.scope import Local
from duet.frontend.ctypes.types import ArrayType
from duet.frontend.form.control import Block, Body, Break, Case, Continue, Declare, Evaluate, If, Loop, Return, Switch
from duet.frontend.form.tree import (
    AddressOf,
    AlignOf,
    Assign,
    Binary,
    Call,
    Choice,
    Comma,
    Constant,
    Convert,
    Element,
    Entry,
    Evaluated,
    Floating,
    Form,
    FunctionName,
    Implicit,
    Logic,
    Member,
    Not,
    Of,
    OffsetOf,
    Otherwise,
    Parts,
    Read,
    SizeOf,
    StatementExpression,
    Step,
    StringLiteral,
    TypeArgument,
    Unary,
    Variable,
)
from duet.frontend.form.walk import every

_ALONE = (
    *(Constant, Floating, Evaluated, Read, AddressOf, Binary, Unary, Not, Logic, Choice, Otherwise, Comma, Convert),
    *(Assign, Step, StatementExpression, SizeOf, AlignOf, OffsetOf, TypeArgument, Entry, Parts),
    *(FunctionName, Implicit, Member, StringLiteral, Of),
    *(Block, If, Loop, Case, Switch, Return, Break, Continue, Evaluate),
)
"""The forms that touch nothing by themselves but what is in them; any other may touch anything."""


class Alone:
    """Which functions touch nothing but their own variables, found when it is asked for."""

    def __init__(self, body: Callable[[str], Body | None]) -> None:
        self._body = body
        self._known: dict[str, bool] = {}

    def is_outward(self, item: Form, only_looks: Callable[[str], bool]) -> bool:
        """Whether a form is a call, or statements, that may read or change what others have."""
        match item:
            case Call(callee=FunctionName(key=key), is_program=True):
                return not self._is_alone(key)
            case Call(callee=FunctionName(name=name) | Implicit(name=name), is_program=False):
                return not item.is_harmless and not only_looks(name)
            case StatementExpression():
                return not self._are_alone(every(item))
            case _:
                return isinstance(item, Call)

    def _is_alone(self, key: str) -> bool:
        """Whether a function touches nothing but its own variables; one that calls itself does if its rest does."""
        if key not in self._known:
            self._known[key] = True
            body = self._body(key)
            self._known[key] = body is not None and self._are_alone(every(body.block))
            if not self._known[key]:
                self._known = {name: is_alone for name, is_alone in self._known.items() if not is_alone}
        return self._known[key]

    def _are_alone(self, items: Iterable[Form]) -> bool:
        return all(map(self._touches_own, items))

    def _touches_own(self, item: Form) -> bool:
        match item:
            case Call(callee=FunctionName(key=key), is_program=True):
                return self._is_alone(key)
            case Call():
                return item.is_harmless
            case Declare(local=Local() as local):
                return _is_own(local)
            case Variable(symbol=Local() as local):
                return _is_own(local)
            case Element(left=Read(place=Variable(type=ArrayType()))):
                return True
            case _:
                return isinstance(item, _ALONE)


def _is_own(local: Local) -> bool:
    return local.duration == "automatic"
