"""The tree of a Boolean program: shared and own Boolean variables, functions, threads.

*Source*: Ball and Rajamani, "Bebop" (SPIN 2000), with the threads that SatAbs and Boom add. Each statement is one step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from duet.source import Span


@dataclass(frozen=True, slots=True)
class Name:
    """A variable; with `is_next` (`'x`) its value behind an assignment."""

    name: str
    span: Span
    is_next: bool = False


@dataclass(frozen=True, slots=True)
class Constant:
    """`T`, `F`, 1 or 0."""

    value: bool


@dataclass(frozen=True, slots=True)
class Unknown:
    """`*`: either value."""


@dataclass(frozen=True, slots=True)
class Choice:
    """`schoose[yes, no]`: 1 where `yes` holds, else 0 where `no` holds, else either value."""

    yes: Expression
    no: Expression


@dataclass(frozen=True, slots=True)
class Not:
    """`!operand`."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary:
    """`left operator right`, with `&`, `|`, `^`, `=>`, `=` or `!=`."""

    operator: str
    left: Expression
    right: Expression


Expression: TypeAlias = Name | Constant | Unknown | Choice | Not | Binary


@dataclass(frozen=True, slots=True)
class Skip:
    """`skip`."""


@dataclass(frozen=True, slots=True)
class Assign:
    """`targets := values constrain constraint`, all at once; the step is not taken where the constraint fails."""

    targets: tuple[Name, ...]
    values: tuple[Expression, ...]
    constraint: Expression | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """`targets := function(arguments)`."""

    targets: tuple[Name, ...]
    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Start:
    """`start_thread function(arguments)`, or `start_thread goto label`: a thread with a copy of the own variables."""

    what: Call | str


@dataclass(frozen=True, slots=True)
class EndThread:
    """`end_thread`."""


@dataclass(frozen=True, slots=True)
class Goto:
    """`goto labels`: any one of them."""

    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Return:
    """`return values`."""

    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Assume:
    """`assume(condition)`, or `abortif` of its negation."""

    condition: Expression


@dataclass(frozen=True, slots=True)
class Assert:
    """`assert(condition)`."""

    condition: Expression


@dataclass(frozen=True, slots=True)
class Enforce:
    """`enforce condition`: no statement behind it is executed, up to the end of the block, where that fails."""

    condition: Expression


@dataclass(frozen=True, slots=True)
class Forget:
    """`dead names` or, with `is_declared`, `decl names` in a body: they have any value from here on."""

    names: tuple[Name, ...]
    is_declared: bool


@dataclass(frozen=True, slots=True)
class If:
    """`if condition then yes else no fi`."""

    condition: Expression
    yes: Block
    no: Block


@dataclass(frozen=True, slots=True)
class While:
    """`while condition do body od`."""

    condition: Expression
    body: Block


@dataclass(frozen=True, slots=True)
class Atomic:
    """`atomic_begin`, or `atomic_end`."""

    is_begin: bool


Kind: TypeAlias = (
    Skip | Assign | Call | Start | EndThread | Goto | Return | Assume | Assert | Enforce | Forget | If | While | Atomic
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement with its labels, at its place."""

    labels: tuple[str, ...]
    kind: Kind
    span: Span


Block: TypeAlias = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Function:
    """A function with parameters that returns `width` values."""

    name: str
    parameters: tuple[Name, ...]
    width: int
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class BooleanProgram:
    """Shared variables, and functions by name; `main` runs first."""

    variables: tuple[Name, ...]
    functions: dict[str, Function]


def kinds(block: Block) -> Iterator[Kind]:
    """What the statements of a block do, also those inside of others."""
    for statement in block:
        yield statement.kind
        match statement.kind:
            case If(_, yes, no):
                yield from kinds(yes)
                yield from kinds(no)
            case While(_, body):
                yield from kinds(body)
            case _:
                pass


def own_names(function: Function) -> tuple[Name, ...]:
    """The variables of a function: its parameters, and what its body declares."""
    declared = (kind.names for kind in kinds(function.body) if isinstance(kind, Forget) and kind.is_declared)
    return (*function.parameters, *(name for names in declared for name in names))


def names_in(expression: Expression) -> Iterator[Name]:
    """The variables in an expression."""
    match expression:
        case Name():
            yield expression
        case Not(operand):
            yield from names_in(operand)
        case Choice(left, right) | Binary(_, left, right):
            yield from names_in(left)
            yield from names_in(right)
        case _:
            pass


def show(expression: Expression) -> str:
    """An expression as it is written.

    >>> show(Not(Binary("&", Constant(True), Unknown())))
    '!(1 & *)'
    """
    match expression:
        case Name(name, _, is_next):
            return f"'{name}" if is_next else name
        case Constant(value):
            return "1" if value else "0"
        case Unknown():
            return "*"
        case Choice(yes, no):
            return f"schoose[{show(yes)}, {show(no)}]"
        case Not(operand):
            return f"!{_operand(operand)}"
        case Binary(operator, left, right):
            return f"{_operand(left)} {operator} {_operand(right)}"


def _operand(expression: Expression) -> str:
    return f"({show(expression)})" if isinstance(expression, Binary) else show(expression)
