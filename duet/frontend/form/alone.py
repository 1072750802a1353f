"""Functions that touch nothing but their own variables, in whatever order they run; and those that may not end."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from duet.frontend.ctypes.library import Control, Library, LockOperation, Role
from duet.frontend.ctypes.scope import Local
from duet.frontend.ctypes.types import ArrayType
from duet.frontend.form.control import (
    Block,
    Body,
    Break,
    Case,
    ComputedGoto,
    Continue,
    Declare,
    Evaluate,
    Goto,
    If,
    Loop,
    Return,
    Switch,
)
from duet.frontend.form.tree import (
    Assign,
    Call,
    Element,
    Form,
    FunctionName,
    Implicit,
    Read,
    StatementExpression,
    Step,
    Variable,
)
from duet.frontend.form.walk import OF_PARTS, every

_STATEMENTS = (Block, If, Loop, Case, Switch, Return, Break, Continue, Evaluate)
_ALONE = (*OF_PARTS, Assign, Step, StatementExpression, *_STATEMENTS)
"""The forms that touch nothing by themselves but what is in them; any other may touch anything."""

_JUMPS = (Return, Break, Continue, Goto, ComputedGoto)
_ENDS = (Control.ENDS_PROCESS, Control.ENDS_THREAD, Control.JUMPS)
_GOES_ON = (
    *(LockOperation.TRY, LockOperation.TRY_SHARED, LockOperation.RELEASE, LockOperation.DOWNGRADE, LockOperation.POST),
    *(LockOperation.INITIALISE, LockOperation.DESTROY, LockOperation.CONFIGURE),
)
"""What is done to locks without waiting for others."""


def jumps_out(form: Form) -> bool:
    """Whether statements in an expression may go on elsewhere; a jump that stays among them counts, too."""
    return any(isinstance(item, _JUMPS) for item in every(form))


class Alone:
    """Which functions touch nothing but their own variables, and which may not return, found when it is asked for.

    They leave where something else comes after, by a jump or the end of the thread; they stay in loops and in waiting.
    """

    def __init__(self, body: Callable[[str], Body | None], library: Library) -> None:
        self._body = body
        self._library = library
        self._known: dict[str, bool] = {}
        self._leaving: dict[str, bool] = {}
        self._staying: dict[str, bool] = {}

    def is_outward(self, item: Form) -> bool:
        """Whether a form is a call, or statements, that may read or change what others have."""
        match item:
            case Call(callee=FunctionName(key=key), is_program=True):
                return not self._is_alone(key)
            case Call(callee=FunctionName(name=name) | Implicit(name=name), is_program=False):
                known = self._library.describe(name)
                return not item.is_harmless and (known is None or not known.only_looks)
            case StatementExpression():
                return not self._are_alone(every(item)) or jumps_out(item)
            case _:
                return isinstance(item, Call)

    def may_leave(self, form: Form) -> bool:
        """Whether the evaluation of a form may not come to its end: a call ends the thread, or something jumps."""
        return jumps_out(form) or any(map(self._ends, every(form)))

    def _ends(self, item: Form) -> bool:
        match item:
            case Call(callee=FunctionName(key=key), is_program=True):
                return self._leaves(key)
            case Call(callee=FunctionName(name=name) | Implicit(name=name)):
                known = self._library.describe(name)
                return known is not None and known.control in _ENDS
            case _:
                return isinstance(item, Call)

    def _leaves(self, key: str) -> bool:
        """Whether a function may not return; one that calls itself does not if its rest does not."""
        if key not in self._leaving:
            self._leaving[key] = False
            body = self._body(key)
            self._leaving[key] = body is not None and any(map(self._ends, every(body.block)))
            if self._leaving[key]:
                self._leaving = {name: leaves for name, leaves in self._leaving.items() if leaves}
        return self._leaving[key]

    def may_stay(self, form: Form) -> bool:
        """Whether the evaluation of a form may go on for ever, or wait, or not be followed any further.

        A loop may, and so may functions that call themselves: that they end is not looked for.
        """
        return any(map(self._stays, every(form)))

    def _stays(self, item: Form) -> bool:
        match item:
            case Loop() | Goto() | ComputedGoto():
                return True
            case Call(callee=FunctionName(key=key), is_program=True):
                return self._may_run_on(key)
            case Call(callee=FunctionName(name=name) | Implicit(name=name)):
                known = self._library.describe(name)
                is_waiting = known is not None and known.lock is not None and known.lock not in _GOES_ON
                return known is not None and (
                    is_waiting
                    or bool(known.callbacks)
                    or known.control not in (None, Control.STARTS_THREAD)
                    or known.role in (Role.ASSUMPTION, Role.ATOMIC_SECTION)
                )
            case _:
                return isinstance(item, Call)

    def _may_run_on(self, key: str) -> bool:
        """Whether a function may stay; one that calls itself may."""
        if key not in self._staying:
            self._staying[key] = True
            body = self._body(key)
            self._staying[key] = body is not None and any(map(self._stays, every(body.block)))
        return self._staying[key]

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
            case Declare(local=local) | Variable(symbol=Local() as local):
                return local.duration == "automatic"
            case Element(left=Read(place=Variable(type=ArrayType()))):
                return True
            case _:
                return isinstance(item, _ALONE)
