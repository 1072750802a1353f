"""Local pointers that are several variables in one: those of which no assignment reaches what another one reaches.

A variable that first walks over one list and then over another one becomes two, so that what is known of its addresses,
wherever it is used, is told apart.

*Source*: S. Muchnick, "Advanced Compiler Design and Implementation", 16.3.3 (webs, from reaching definitions).
*Approximates*: what is joined need not be; a variable is left as it is where not all that happens to it is understood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from duet.frontend.ctypes.declarations import is_volatile
from duet.frontend.ctypes.scope import Local
from duet.frontend.ctypes.types import PointerType
from duet.frontend.form.control import (
    Block,
    Break,
    Case,
    ComputedGoto,
    Continue,
    Declare,
    Evaluate,
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
    Assign,
    Binary,
    Call,
    Comma,
    Convert,
    Deref,
    Element,
    Form,
    FunctionName,
    Implicit,
    LabelAddress,
    Logic,
    Member,
    Not,
    Read,
    StatementExpression,
    Step,
    Unary,
    Variable,
)
from duet.frontend.form.walk import children, every, replaced

State: TypeAlias = Mapping[Local, frozenset[Form]] | None
"""The assignments and declarations that a variable may have its value from; None where no way leads."""
_LEAVING = (Goto, Label, Break, Continue, Return, Case)
"""What leads out of a statement, or into it."""
_CERTAIN = (Read, Binary, Unary, Not, Comma, Convert, Assign, Call, Member, Element, Deref)
"""The forms of which all parts are evaluated."""
_TWICE = ("setjmp", "getcontext", "vfork")
"""What functions are called that may return more than once."""


def split(block: Statement, handed: frozenset[Local]) -> Statement:
    """A body with a variable for each web of its pointers; `handed` are those that others may write, too."""
    forms = list(every(block))
    if not all(map(_is_followed, forms)):
        return block
    inner = {part for form in forms if isinstance(form, StatementExpression) for part in every(form)}
    wanted = _wanted(forms) - handed - {form.local for form in inner if isinstance(form, Declare)}
    if not wanted:
        return block
    reaching = _Reaching(wanted)
    reaching.run(block)
    return _renamed(block, reaching, wanted)


def _is_followed(form: Form) -> bool:
    """Whether all ways through a form are those that are followed here."""
    match form:
        case ComputedGoto() | LabelAddress():
            return False
        case StatementExpression():
            return not any(isinstance(item, _LEAVING) for item in every(form))
        case Call(callee=FunctionName(name=name) | Implicit(name=name)):
            return not any(word in name for word in _TWICE)
        case _:
            return True


def _wanted(forms: list[Form]) -> frozenset[Local]:
    """The automatic pointers that are read and assigned as a whole, and nothing else, and assigned more than once."""
    declared, defined, assigned, used, named = (Counter[Any]() for _ in range(5))
    for form in forms:
        match form:
            case Declare(local=local, initialiser=given, lengths=lengths):
                declared[local] += 2 if lengths else 1
                defined[local] += given is not None
            case Variable(symbol=symbol):
                named[symbol] += 1
            case Read(place=Variable(symbol=symbol)):
                used[symbol] += 1
            case Assign(place=Variable(symbol=symbol)) | Step(place=Variable(symbol=symbol)):
                defined[symbol] += 1
                assigned[symbol] += 1
            case _:
                pass
    return frozenset(
        local
        for local, count in declared.items()
        if isinstance(local.type, PointerType)
        and (local.duration, count) == ("automatic", 1)
        and defined[local] > 1
        and assigned[local] + used[local] == named[local]
        and not is_volatile(local.node.type)
    )


class _Reaching:
    """Goes through a body until nothing changes any more; `home` are the webs, as a forest of assignments and uses."""

    def __init__(self, wanted: frozenset[Local]) -> None:
        self.wanted = wanted
        self.here: State = {}
        self.at: dict[object, Mapping[Local, frozenset[Form]]] = {}
        self.around: list[Loop | Switch] = []
        self.home: dict[Form, Form] = {}
        self.has_changed = True

    def run(self, block: Statement) -> None:
        """Finds all webs."""
        while self.has_changed:
            self.has_changed, self.here = False, {}
            self._statement(block)

    def web(self, form: Form) -> Form:
        """What stands for the web of an assignment or use."""
        while (above := self.home.get(form, form)) is not form:
            form = above
        return form

    def _unite(self, forms: list[Form]) -> None:
        for form in forms[1:]:
            self.home[self.web(form)] = self.web(forms[0])

    def _arrive(self, place: object) -> None:
        """A way leads from here to a place."""
        if self.here is not None:
            known = self.at.get(place)
            merged = self.here if known is None else _both(known, self.here)
            if merged != known:
                self.at[place], self.has_changed = merged, True

    def _go(self, place: object) -> None:
        """What is next is reached as a place is."""
        self.here = self.at.get(place)

    def _leave(self, place: object) -> None:
        self._arrive(place)
        self.here = None

    def _statement(self, item: Act) -> None:
        match item:
            case Block(items=items):
                for inner in items:
                    self._statement(inner)
            case Case(items=items):
                self._arrive(item)
                self._go(item)
                for inner in items:
                    self._statement(inner)
            case If(condition=condition, yes=yes, no=no):
                self._evaluate(condition)
                self._arrive((item, "no"))
                self._statement(yes)
                self._arrive((item, "end"))
                self._go((item, "no"))
                if no is not None:
                    self._statement(no)
                self._arrive((item, "end"))
                self._go((item, "end"))
            case Loop():
                self._loop(item)
            case Switch(condition=condition, cases=cases, body=body):
                self._evaluate(condition)
                for case in cases:
                    self._arrive(case)
                self._leave((item, "end"))
                self.around.append(item)
                self._statement(body)
                self.around.pop()
                self._arrive((item, "end"))
                self._go((item, "end"))
            case Label(name=name, statement=inner):
                self._arrive(name)
                self._go(name)
                self._statement(inner)
            case Goto(label=label):
                self._leave(label)
            case Break():
                self._leave((self.around[-1], "end"))
            case Continue():
                self._leave((next(loop for loop in reversed(self.around) if isinstance(loop, Loop)), "next"))
            case Declare(local=local):
                for part in children(item):
                    self._evaluate(part)
                self._define(local, item)
            case Evaluate(value=Assign(operator="", place=Variable(symbol=Local() as local), value=value) as form):
                self._evaluate(value)
                self._define(local, form)
            case _:
                for part in children(item):
                    self._evaluate(part)
                if isinstance(item, Return):
                    self.here = None

    def _loop(self, loop: Loop) -> None:
        if loop.first is not None:
            self._statement(loop.first)
        self.around.append(loop)
        self._arrive((loop, "body" if loop.is_late else "test"))
        self._go((loop, "body" if loop.is_late else "test"))
        if not loop.is_late:
            self._test(loop)
        self._statement(loop.body)
        self._arrive((loop, "next"))
        self._go((loop, "next"))
        if loop.step is not None:
            self._evaluate(loop.step)
        if loop.is_late:
            self._test(loop)
        self._arrive((loop, "body" if loop.is_late else "test"))
        self.around.pop()
        self._go((loop, "end"))

    def _test(self, loop: Loop) -> None:
        for part in (*loop.invariants, *(() if loop.condition is None else (loop.condition,))):
            self._evaluate(part)
        if loop.condition is not None:
            self._arrive((loop, "end"))

    def _define(self, local: Local, form: Form) -> None:
        if self.here is not None and local in self.wanted:
            self.here = {**self.here, local: frozenset((form,))}

    def _evaluate(self, form: Form) -> None:
        """Parts in any order, of which some may be left out: all that an expression does to a variable is one web.

        An assignment behind which nothing else is done to the variable is the only one that reaches further.
        """
        for local, (uses, changes) in self._touched(form).items():
            before = self.here.get(local, frozenset()) if self.here is not None else frozenset()
            if len(changes) == 1 and changes[0] in _certain(form) and set(uses) <= set(_inside(changes[0])):
                self._unite([*before, *uses] if uses else [])
                self._define(local, changes[0])
                continue
            if uses or len(changes) > 1:
                self._unite([*before, *uses, *changes])
            if changes and self.here is not None:
                self.here = {**self.here, local: before.union(changes)}

    def _touched(self, form: Form) -> dict[Local, tuple[list[Form], list[Form]]]:
        """By variable, where an expression reads it, and where it assigns it."""
        found: dict[Local, tuple[list[Form], list[Form]]] = {}
        for item in every(form):
            match item:
                case Read(place=Variable(symbol=Local() as local) as place) if local in self.wanted:
                    found.setdefault(local, ([], []))[0].append(place)
                case (
                    Assign(place=Variable(symbol=Local() as local)) | Step(place=Variable(symbol=Local() as local))
                ) if local in self.wanted:
                    found.setdefault(local, ([], []))[1].append(item)
                    if isinstance(item, Step) or item.operator:
                        found[local][0].append(item)
                case _:
                    pass
        return found


def _certain(form: Form) -> Iterator[Form]:
    """An expression and all parts of it that are evaluated whenever it is."""
    yield form
    if isinstance(form, _CERTAIN):
        for part in children(form):
            yield from _certain(part)
    elif isinstance(form, Logic):
        yield from _certain(form.left)


def _inside(form: Form) -> Iterator[Form]:
    """What is evaluated before a variable gets its value."""
    return every(form.value) if isinstance(form, Assign) and not form.operator else iter(())


def _both(
    left: Mapping[Local, frozenset[Form]], right: Mapping[Local, frozenset[Form]]
) -> dict[Local, frozenset[Form]]:
    nothing = frozenset[Form]()
    return {local: left.get(local, nothing) | right.get(local, nothing) for local in {**left, **right}}


def _renamed(block: Statement, reaching: _Reaching, wanted: frozenset[Local]) -> Statement:
    """The body with other variables for all webs but those of the declarations, declared in front of it."""
    forms = list(every(block))
    first = {item.local: reaching.web(item) for item in forms if isinstance(item, Declare) and item.local in wanted}
    others: dict[Form, Local] = {}
    by: dict[Form, Form] = {}
    for place, web, local in _mentions(forms, reaching, wanted):
        if web is not first[local]:
            other = others.setdefault(web, Local(local.name, local.type, local.node))
            by[place] = replace(place, symbol=other)
    new = (Declare(other.node, other, None) for other in others.values())
    return Block(block.node, (*new, replaced(block, by))) if others else block


def _mentions(
    forms: list[Form], reaching: _Reaching, wanted: frozenset[Local]
) -> Iterator[tuple[Variable, Form, Local]]:
    """Each place where a variable is named, with its web."""
    for item in forms:
        match item:
            case Read(place=Variable(symbol=Local() as local) as place) if local in wanted:
                yield place, reaching.web(place), local
            case (
                Assign(place=Variable(symbol=Local() as local) as place)
                | Step(place=Variable(symbol=Local() as local) as place)
            ) if local in wanted:
                yield place, reaching.web(item), local
            case _:
                pass
