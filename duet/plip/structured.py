"""The structured surface form of PLIP threads (while, if, choose, atomic, goto) and its translation to commands.

The translation keeps one command per instruction and one guard per way out of a branch; `skip` is added only where a
location would otherwise be shared by a loop head and something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from duet.errors import SourceError
from duet.plip.build import TemplateBuilder
from duet.plip.phrases import Phrases
from duet.plip.syntax import (
    SKIP,
    Assign,
    Atomic,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Lookup,
    Step,
)
from duet.plip.terms import compare, constant, negate, variable
from duet.source import Span


@dataclass(frozen=True, slots=True)
class Do:
    """One instruction."""

    instruction: Instruction
    span: Span


@dataclass(frozen=True, slots=True)
class Choose:
    """Any one of the arms; `if` is the choice of two arms that begin with a guard."""

    arms: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class While:
    """A loop; `condition` is None for `while (*)`."""

    condition: Formula | None
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Region:
    """`atomic { ... }` with control flow inside."""

    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Jump:
    """`break`, `continue`, `return`, or `goto` with a label."""

    kind: str
    label: str
    span: Span


@dataclass(frozen=True, slots=True)
class Label:
    """`label name`."""

    name: str
    span: Span


Statement: TypeAlias = Do | Choose | While | Region | Jump | Label
Block: TypeAlias = tuple[Statement, ...]
_STEPS = (Assign, Havoc, Compute, Lookup, Guard)


@dataclass(frozen=True, slots=True)
class StatementReader:
    """Reads statements up to a closing brace."""

    phrases: Phrases

    def block(self) -> Block:
        """`{ statements }`."""
        cursor = self.phrases.cursor
        cursor.expect("{")
        return self.rest_of_block()

    def rest_of_block(self) -> Block:
        """Statements up to and including `}`."""
        statements: list[Statement] = []
        while not self.phrases.cursor.accept("}"):
            statements.extend(self._statement())
        return tuple(statements)

    def _statement(self) -> Block:
        cursor = self.phrases.cursor
        span = cursor.span
        if cursor.at("if"):
            return (self._if(),)
        if cursor.accept("while"):
            condition = self._test()
            return (While(condition, self.block(), span),)
        if cursor.accept("choose"):
            arms = [self.block()]
            while cursor.accept("or"):
                arms.append(self.block())
            return (Choose(tuple(arms)),)
        if cursor.accept("atomic"):
            return (_atomic(self.block(), span),)
        if cursor.at("break", "continue", "return"):
            return (Jump(cursor.advance().value, "", span),)
        if cursor.accept("goto"):
            return (Jump("goto", cursor.name(), span),)
        if cursor.accept("label"):
            return (Label(cursor.name(), span),)
        return (Do(self._simple(), span),)

    def _simple(self) -> Instruction:
        """An instruction, or one of the abbreviations for locks and assumptions."""
        cursor = self.phrases.cursor
        if cursor.accept("acquire"):
            lock = self.phrases.cell()
            free = compare(variable(lock), "==", constant(0))
            return Atomic((Guard(free), Assign(lock, constant(1))))
        if cursor.accept("release"):
            return Assign(self.phrases.cell(), constant(0))
        if cursor.accept("assume"):
            return Guard(self.phrases.formula())
        return self.phrases.instruction()

    def _test(self) -> Formula | None:
        """`(formula)` or `(*)`."""
        cursor = self.phrases.cursor
        cursor.expect("(")
        condition = None if cursor.accept("*") else self.phrases.formula()
        cursor.expect(")")
        return condition

    def _if(self) -> Choose:
        cursor = self.phrases.cursor
        span = cursor.expect("if").span
        condition = self._test()
        yes: Block = self.block()
        no: Block = ()
        if cursor.accept("else"):
            no = (self._if(),) if cursor.at("if") else self.block()
        taken, skipped = (SKIP, SKIP) if condition is None else (Guard(condition), Guard(negate(condition)))
        return Choose(((Do(taken, span), *yes), (Do(skipped, span), *no)))


def _atomic(body: Block, span: Span) -> Statement:
    """One atomic command if the body is a list of steps, else a region."""
    steps: list[Step] = []
    for statement in body:
        match statement:
            case Do(Atomic(inner)):
                steps.extend(inner)
            case Do(instruction) if isinstance(instruction, _STEPS):
                steps.append(instruction)
            case _:
                return Region(body, span)
    return Do(Atomic(tuple(steps)), span)


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where jumps lead, and whether new locations belong to an atomic region."""

    exit: int
    labels: dict[str, int]
    placed: set[str]
    loop: tuple[int, int] | None = None  # targets of break and continue
    atomic: bool = False


def emit_body(builder: TemplateBuilder, body: Block) -> None:
    """Adds the commands of a thread's body, from its entry to its exit.

    *Raises*: SourceError for a jump without a target.
    """
    scope = _Scope(builder.exit, {}, set())
    _Emitter(builder).sequence(body, builder.entry, builder.exit, scope, is_shared=False)
    for statement in _jumps(body):
        if statement.kind == "goto" and statement.label not in scope.placed:
            raise SourceError(f"no label {statement.label} in this thread", statement.span)


def _jumps(body: Sequence[Statement]) -> list[Jump]:
    found: list[Jump] = []
    for statement in body:
        match statement:
            case Jump():
                found.append(statement)
            case Choose(arms):
                found.extend(jump for arm in arms for jump in _jumps(arm))
            case While(_, inner) | Region(inner):
                found.extend(_jumps(inner))
            case _:
                pass
    return found


@dataclass(frozen=True, slots=True)
class _Emitter:
    """Emits statements between given locations; `is_shared` tells that `here` has, or may get, other commands."""

    builder: TemplateBuilder

    def sequence(self, body: Block, here: int, there: int, scope: _Scope, is_shared: bool) -> None:
        if not body:
            self.builder.command(here, SKIP, there)
        for index, statement in enumerate(body):
            target = there if index == len(body) - 1 else self.builder.location(scope.atomic)
            self._statement(statement, here, target, scope, is_shared)
            here, is_shared = target, False

    def _statement(self, statement: Statement, here: int, there: int, scope: _Scope, is_shared: bool) -> None:
        builder = self.builder
        match statement:
            case Do(instruction, span):
                builder.command(here, instruction, there, span)
            case Choose(arms):
                for arm in arms:
                    self.sequence(arm, here, there, scope, is_shared=True)
            case While(condition, body, span):
                if is_shared:
                    head = builder.location(scope.atomic)
                    builder.command(here, SKIP, head, span)
                    here = head
                self._loop(condition, body, here, there, scope, span)
            case Region(body, span):
                if scope.atomic:
                    raise SourceError("an atomic block in an atomic block", span)
                self.sequence(body, here, there, replace(scope, atomic=True), is_shared=True)
            case Jump(_, _, span):
                builder.command(here, SKIP, self._jump_target(statement, scope), span)
            case Label(name, span):
                if name in scope.placed:
                    raise SourceError(f"label {name} stands twice in this thread", span)
                scope.placed.add(name)
                place = self._label(name, scope)
                if scope.atomic:
                    builder.mark_atomic(place)
                builder.command(here, SKIP, place, span)
                builder.command(place, SKIP, there, span)
            case _:
                assert_never(statement)

    def _loop(self, condition: Formula | None, body: Block, here: int, there: int, scope: _Scope, span: Span) -> None:
        inside = self.builder.location(scope.atomic)
        enter, leave = (SKIP, SKIP) if condition is None else (Guard(condition), Guard(negate(condition)))
        self.builder.command(here, enter, inside, span)
        self.sequence(body, inside, here, replace(scope, loop=(there, here)), is_shared=False)
        self.builder.command(here, leave, there, span)

    def _jump_target(self, jump: Jump, scope: _Scope) -> int:
        if jump.kind == "return":
            return scope.exit
        if jump.kind == "goto":
            return self._label(jump.label, scope)
        if scope.loop is None:
            raise SourceError(f"{jump.kind} outside of a loop", jump.span)
        return scope.loop[jump.kind == "continue"]

    def _label(self, name: str, scope: _Scope) -> int:
        if name not in scope.labels:
            scope.labels[name] = self.builder.location()
        return scope.labels[name]
