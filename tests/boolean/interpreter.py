"""Executions of flat Boolean programs, followed statement by statement: an oracle that knows nothing of PLIP.

A flat program is a `main` without calls, branches other than `if e then goto L; fi`, and threads other than those that
start at a label. A state is the values of shared variables and, for each thread, the next statement and its own values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import TypeAlias

from duet.boolean.syntax import (
    Assert,
    Assign,
    Assume,
    Atomic,
    Binary,
    BooleanProgram,
    Choice,
    Constant,
    EndThread,
    Expression,
    Forget,
    Goto,
    If,
    Name,
    Not,
    Return,
    Skip,
    Start,
    Unknown,
    own_names,
)

Values: TypeAlias = tuple[bool, ...]
Thread: TypeAlias = tuple[int, bool, Values]  # the next statement, whether inside of an atomic section, own values
State: TypeAlias = tuple[Values, tuple[Thread, ...]]
_TABLE: Mapping[str, Callable[[bool, bool], bool]] = {
    "&": lambda a, b: a and b,
    "|": lambda a, b: a or b,
    "^": lambda a, b: a != b,
    "!=": lambda a, b: a != b,
    "=": lambda a, b: a == b,
    "=>": lambda a, b: not a or b,
}


def results(expression: Expression, now: Mapping[str, bool], then: Mapping[str, bool]) -> Iterator[bool]:
    """The values that an expression may have, before an assignment and, of primed names, behind it."""
    match expression:
        case Constant(value):
            yield value
        case Name(name, _, is_next):
            yield (then if is_next else now)[name]
        case Unknown():
            yield from (False, True)
        case Not(operand):
            yield from (not value for value in results(operand, now, then))
        case Choice(yes, no):
            for one, other in product(results(yes, now, then), results(no, now, then)):
                yield from (True,) if one else (False,) if other else (False, True)
        case Binary(operator, left, right):
            for one, other in product(results(left, now, then), results(right, now, then)):
                yield _TABLE[operator](one, other)


class Interpreter:
    """Explores a program. *Requires*: it starts no more than a few threads."""

    def __init__(self, program: BooleanProgram) -> None:
        main = program.functions["main"]
        self.body = main.body
        self.shared = [name.name for name in program.variables]
        self.own = [name.name for name in own_names(main)]
        self.labels = {label: at for at, statement in enumerate(self.body) for label in statement.labels}
        self.failing: set[int] = set()

    def run(self) -> frozenset[int]:
        """The lines of the assertions that fail in some execution."""
        starts = product(product((False, True), repeat=len(self.shared)), product((False, True), repeat=len(self.own)))
        stack: list[State] = [(shared, ((0, False, own),)) for shared, own in starts]
        seen = set(stack)
        while stack:
            for after in self._after(stack.pop()):
                if after not in seen:
                    seen.add(after)
                    stack.append(after)
        return frozenset(self.failing)

    def _after(self, state: State) -> Iterator[State]:
        shared, threads = state
        inside = [at for at, thread in enumerate(threads) if thread[1]]
        for at in inside or range(len(threads)):
            others = threads[:at] + threads[at + 1 :]
            for values, moved in self._moves(shared, threads[at]):
                live = (thread for thread in (*others, *moved) if thread[0] < len(self.body))
                yield values, tuple(sorted(live))

    def _moves(self, shared: Values, thread: Thread) -> Iterator[tuple[Values, tuple[Thread, ...]]]:
        at, is_inside, own = thread
        statement = self.body[at]
        now = dict(zip((*self.shared, *self.own), (*shared, *own), strict=True))

        def going(target: int, values: Mapping[str, bool] = now) -> tuple[Values, tuple[Thread, ...]]:
            new = tuple(values[name] for name in self.own)
            return tuple(values[name] for name in self.shared), ((target, is_inside, new),)

        match statement.kind:
            case Skip():
                yield going(at + 1)
            case Forget(names):
                for values in product((False, True), repeat=len(names)):
                    yield going(at + 1, now | dict(zip((name.name for name in names), values, strict=True)))
            case Assign(targets, values, constraint):
                for found in product(*(set(results(value, now, now)) for value in values)):
                    then = now | dict(zip((target.name for target in targets), found, strict=True))
                    if constraint is None or any(results(constraint, now, then)):
                        yield going(at + 1, then)
            case Assume(condition):
                if any(results(condition, now, now)):
                    yield going(at + 1)
            case Assert(condition):
                if not all(results(condition, now, now)):
                    self.failing.add(statement.span.line)
                if any(results(condition, now, now)):
                    yield going(at + 1)
            case Goto(labels):
                yield from (going(self.labels[label]) for label in labels)
            case If(condition, yes, _):
                target = yes[0].kind
                assert isinstance(target, Goto)
                for value in set(results(condition, now, now)):
                    yield from (going(self.labels[label]) for label in target.labels) if value else (going(at + 1),)
            case Start(str() as label):
                after, moved = going(at + 1)
                yield after, (*moved, (self.labels[label], False, own))
            case Atomic(is_begin):
                yield shared, ((at + 1, is_begin, own),)
            case EndThread() | Return():
                yield shared, ()
            case kind:
                raise AssertionError(kind)
