"""Which locals of a function are certainly assigned before anything else is done with them: definite assignment.

*Source*: J. Gosling et al., "The Java Language Specification", chapter 16, without its rules for conditions; here a
label is reached with what is assigned at each jump to it. *Approximates*: under.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

from duet.frontend.ctypes.scope import Local
from duet.frontend.form.control import (
    Block,
    Break,
    Case,
    ComputedGoto,
    Continue,
    Declare,
    Goto,
    If,
    Label,
    Loop,
    Return,
    Statement,
    Switch,
)
from duet.frontend.form.tree import (
    Act,
    AddressOf,
    Assign,
    Binary,
    Call,
    Choice,
    Comma,
    Convert,
    Deref,
    Element,
    Form,
    LabelAddress,
    Logic,
    Member,
    Not,
    Parts,
    Read,
    StatementExpression,
    Step,
    Unary,
    Variable,
)
from duet.frontend.form.walk import children, every

Assigned: TypeAlias = frozenset[Local] | None
_EVALUATED = (Read, AddressOf, Binary, Unary, Not, Comma, Convert, Assign, Step, Call, Member, Element, Deref)
"""The forms of which all parts are evaluated, before anything behind them."""


def settled(block: Statement) -> frozenset[Local]:
    """The automatic locals that are assigned, as a whole, on every way to where they are mentioned otherwise."""
    forms = list(every(block))
    found = _Assignment(forms)
    found.statement(block)
    assigned = {item.place.symbol for item in forms if isinstance(item, Assign) and isinstance(item.place, Variable)}
    assigned |= {item.local for item in forms if isinstance(item, Declare) and item.initialiser is not None}
    locals_ = {symbol for symbol in assigned if isinstance(symbol, Local) and symbol.duration == "automatic"}
    return frozenset(locals_ - found.loose)


class _Assignment:
    """Goes through a body with the locals that are assigned here; `here` is None where no way leads.

    `loose` are the locals that are mentioned where they may not be assigned yet.
    """

    def __init__(self, forms: list[Form]) -> None:
        self.here: Assigned = frozenset()
        self.loose: set[Local] = set()
        self.entries: list[Assigned] = []  # of the switches around
        self.jumps: dict[str, frozenset[Local]] = {}  # to labels that are still to come
        self.is_computed = any(isinstance(form, ComputedGoto | LabelAddress) for form in forms)
        self.known: set[str] = set()  # labels that were passed
        self.left = Counter(form.label for form in forms if isinstance(form, Goto))  # jumps that are still to come

    def statement(self, item: Act) -> None:
        match item:
            case Block(items=items) | Case(items=items):
                if isinstance(item, Case):
                    self.here = _both(self.entries[-1], self.here) if self.entries else frozenset()
                for inner in items:
                    self.statement(inner)
            case Declare(local=local, initialiser=given):
                for part in children(item):
                    self._evaluate(part)
                self._declare(local, given is not None and not isinstance(given, Parts), isinstance(given, Parts))
            case If(condition=condition, yes=yes, no=no):
                self._evaluate(condition)
                before = self.here
                self.statement(yes)
                after, self.here = self.here, before
                if no is not None:
                    self.statement(no)
                self.here = _both(after, self.here)
            case Loop():
                self._loop(item)
            case Switch(condition=condition, body=body):
                self._evaluate(condition)
                before = self.here
                self.entries.append(before)
                self.here = None
                self.statement(body)
                self.entries.pop()
                self.here = before
            case Label(name=name, statement=labelled):
                self._label(name)
                self.statement(labelled)
            case Goto(label=label):
                self._jump(label)
                self.here = None
            case _:
                for part in children(item):
                    self._evaluate(part)
                if isinstance(item, Return | Break | Continue | ComputedGoto):
                    self.here = None

    def _loop(self, loop: Loop) -> None:
        """A loop: what is assigned in its body, which may not run, does not count behind it or in the next round."""
        if loop.first is not None:
            self.statement(loop.first)
        before = self.here = frozenset() if _is_entered(loop) else self.here
        for part in loop.invariants:
            self._evaluate(part)
        if loop.condition is not None:
            self._evaluate(loop.condition)
        tested = before if loop.is_late or _is_entered(loop) else self.here
        self.here = tested
        self.statement(loop.body)
        self.here = tested
        if loop.step is not None:
            self._evaluate(loop.step)
        self.here = tested

    def _label(self, name: str) -> None:
        """A label is reached from before it, and by jumps; of those that are still to come nothing is known."""
        self.known.add(name)
        self.here = _both(self.here, self.jumps.get(name))
        if self.is_computed or self.left[name]:
            self.here = frozenset()

    def _jump(self, label: str) -> None:
        self.left[label] -= 1
        if self.here is not None and label not in self.known:
            self.jumps[label] = self.here & self.jumps.get(label, self.here)

    def _declare(self, local: Local, is_assigned: bool, is_partly: bool) -> None:
        if is_partly:
            self.loose.add(local)
        if self.here is not None:
            self.here = self.here | {local} if is_assigned else self.here - {local}

    def _evaluate(self, form: Form) -> None:
        match form:
            case Assign(operator="", place=Variable(symbol=Local() as local), value=value):
                self._evaluate(value)
                self._declare(local, True, False)
            case Variable(symbol=Local() as local):
                if self.here is None or local not in self.here:
                    self.loose.add(local)
            case StatementExpression(items=items, result=result):
                for item in items:
                    self.statement(item)
                if result is not None:
                    self._evaluate(result)
            case Logic(left=first) | Choice(condition=first):
                self._evaluate(first)
                self._perhaps(part for part in children(form) if part is not first)
            case _ if isinstance(form, _EVALUATED):
                for part in children(form):
                    self._evaluate(part)
            case _:
                self._perhaps(children(form))

    def _perhaps(self, parts: Iterable[Form]) -> None:
        """Parts of which each may be evaluated, or not."""
        before = self.here
        for part in parts:
            self.here = before
            self._evaluate(part)
        self.here = before


def _both(one: Assigned, other: Assigned) -> Assigned:
    """What is assigned where two ways meet."""
    return one if other is None else other if one is None else one & other


def _is_entered(loop: Loop) -> bool:
    """Whether a loop may be entered in its middle: by a jump to a label in it, or one of a switch around it."""
    if any(isinstance(part, Label) for part in every(loop)):
        return True
    stack: list[Form] = [loop]
    while stack:
        form = stack.pop()
        if isinstance(form, Case):
            return True
        stack.extend(part for part in children(form) if not isinstance(part, Switch))
    return False
