"""The form: statements and declarations, and the bodies of functions."""

from __future__ import annotations

from typing import TypeAlias

from duet.frontend.ctypes.scope import Local
from duet.frontend.ctypes.types import CType, FunctionType
from duet.frontend.form.tree import Act, Expression, Initialiser, Length
from duet.frontend.source.nodes import Node
from duet.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Block(Act):
    """Statements in order."""

    items: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class If(Act):
    """`if`."""

    condition: Expression
    yes: Statement
    no: Statement | None


@dataclass(frozen=True, slots=True, eq=False)
class Loop(Act):
    """`while`, `do`, `for`. `is_late`: the body comes before the first test. `invariants` are checked before each."""

    first: Statement | None
    condition: Expression | None
    body: Statement
    step: Expression | None
    is_late: bool
    invariants: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Case(Act):
    """A label of a switch, with its statements: values from `low` to `high`, or the default without them."""

    low: int | None
    high: int | None
    items: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Switch(Act):
    """`switch`; its labels are somewhere in the body."""

    condition: Expression
    cases: tuple[Case, ...]
    body: Statement


@dataclass(frozen=True, slots=True, eq=False)
class Return(Act):
    """`return`."""

    value: Expression | None


@dataclass(frozen=True, slots=True, eq=False)
class Goto(Act):
    """`goto`."""

    label: str


@dataclass(frozen=True, slots=True, eq=False)
class ComputedGoto(Act):
    """`goto *target`: to any of the labels whose addresses the function takes."""

    target: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Break(Act):
    """`break`."""


@dataclass(frozen=True, slots=True, eq=False)
class Continue(Act):
    """`continue`."""


@dataclass(frozen=True, slots=True, eq=False)
class Label(Act):
    """`label: statement`."""

    name: str
    statement: Statement


@dataclass(frozen=True, slots=True, eq=False)
class Declare(Act):
    """An automatic object comes into being; or a static one, which has its value since the program started."""

    local: Local
    initialiser: Initialiser | None
    lengths: tuple[Length, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Evaluate(Act):
    """An expression for its effects."""

    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Measure(Act):
    """The lengths in a declaration that makes no object."""

    lengths: tuple[Length, ...]


Statement: TypeAlias = (
    Block
    | If
    | Loop
    | Case
    | Switch
    | Return
    | Goto
    | ComputedGoto
    | Break
    | Continue
    | Label
    | Declare
    | Evaluate
    | Measure
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a definition; None for one without a name."""

    local: Local | None
    type: CType
    node: Node


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """The body of a function.

    `changed`: the locals that it assigns or whose address it takes. `ignored`: the positions of the parameters that it
    does not mention. `declared`: the functions that it declares, by name
    with their types. `labels`: those whose address it takes.
    `settled`: the locals that are assigned before anything else is done with them. `has_endings`: something is called
    where variables of it go out of scope, by the attribute `cleanup`. `moved`: the differences of pointers of which one
    is the other one, moved.
    """

    key: str
    result: CType
    parameters: tuple[Parameter, ...]
    lengths: tuple[Length, ...]
    block: Statement
    changed: frozenset[Local]
    ignored: frozenset[int]
    declared: tuple[tuple[str, FunctionType], ...]
    labels: tuple[str, ...]
    settled: frozenset[Local]
    has_endings: bool
    moved: frozenset[Node]
