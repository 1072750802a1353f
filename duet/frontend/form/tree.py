"""The form: typed expressions and symbolic places, with every name resolved.

Nothing here says which cells places are, or who runs a body. Nodes are compared by identity: each stands for one part
of the source, of which `node` is the tree.
"""

from __future__ import annotations

from typing import TypeAlias

from duet.frontend.ctypes.scope import Local
from duet.frontend.ctypes.types import CType, OpaqueType
from duet.frontend.ctypes.values import Object, Path, Value
from duet.frontend.source.nodes import Node
from duet.records import dataclass

UNKNOWN = OpaqueType("a type that is not known", 0, 1)
"""The static type of a call of a library function that is not declared and whose record does not tell it."""


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A part of a body."""

    node: Node


@dataclass(frozen=True, slots=True, eq=False)
class Typed(Form):
    """An expression, which has the type after decay, or a place, which has the type of what is there."""

    type: CType


@dataclass(frozen=True, slots=True, eq=False)
class Act(Form):
    """A statement: `control` has them."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What is known of an operand whose order of evaluation beside others C leaves open.

    It may be evaluated once only if it `has_effects`. `depends`: it reads memory that a function that is called may
    change: that of these locals if others have their addresses, and with None also memory that others may have in any
    case.
    """

    has_effects: bool
    depends: frozenset[Local | None]


Order: TypeAlias = tuple[Beside, ...] | None
"""One entry for each operand of a group; None where none of them calls anything."""


@dataclass(frozen=True, slots=True, eq=False)
class Length(Form):
    """The length of an array where its type is named: evaluated, or perhaps if C leaves that to what is known."""

    value: Expression
    is_certain: bool


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Typed):
    """An integer, or a null pointer."""

    value: int


@dataclass(frozen=True, slots=True, eq=False)
class Floating(Typed):
    """A floating constant."""


@dataclass(frozen=True, slots=True, eq=False)
class Evaluated(Typed):
    """An expression that lowering has evaluated already."""

    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Read(Typed):
    """What a place holds; of an array or a function its address."""

    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class AddressOf(Typed):
    """`&place`."""

    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Binary(Typed):
    """Two operands, both evaluated."""

    operator: str
    left: Expression
    right: Expression
    order: Order = None


@dataclass(frozen=True, slots=True, eq=False)
class Unary(Typed):
    """`+e`, `-e`, `~e`; other operators give any value."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Not(Typed):
    """`!e`."""

    operand: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Logic(Typed):
    """`a && b`, `a || b`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Choice(Typed):
    """`a ? b : c`; `nulls` tells which arms are null pointer constants."""

    condition: Expression
    yes: Expression
    no: Expression
    nulls: tuple[bool, bool]


@dataclass(frozen=True, slots=True, eq=False)
class Otherwise(Typed):
    """`a ?: b`, with `a` evaluated once."""

    condition: Expression
    no: Expression
    nulls: tuple[bool, bool]


@dataclass(frozen=True, slots=True, eq=False)
class Comma(Typed):
    """`a, b`: the value of the last part."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Convert(Typed):
    """A cast."""

    operand: Expression
    lengths: tuple[Length, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Assign(Typed):
    """`place operator= value`; the operator of a plain assignment is empty.

    `order` has the place as something that is read, the place itself, and the value.
    """

    operator: str
    place: Place
    value: Expression
    order: Order = None


@dataclass(frozen=True, slots=True, eq=False)
class Step(Typed):
    """`++place`, `place++` and with a minus."""

    place: Place
    sign: int
    is_postfix: bool


@dataclass(frozen=True, slots=True, eq=False)
class Call(Typed):
    """A call of a named function or of what a pointer leads to.

    `is_harmless`: it changes no memory that others read. `is_program`: it calls a function of the program, or perhaps.
    `order` is that of the arguments; of a call through a pointer that comes first.
    """

    callee: FunctionName | Implicit | Expression
    arguments: tuple[Expression, ...]
    is_harmless: bool
    is_program: bool
    order: Order = None


@dataclass(frozen=True, slots=True, eq=False)
class StatementExpression(Typed):
    """`({ ... })`: the value of `result`, if there is one, behind the statements."""

    items: tuple[Act, ...]
    result: Expression | None


@dataclass(frozen=True, slots=True, eq=False)
class LabelAddress(Typed):
    """`&&label`."""

    label: str


@dataclass(frozen=True, slots=True, eq=False)
class Selection(Typed):
    """A `_Generic` of which more than one expression may be selected, all of one type."""

    candidates: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SizeOf(Typed):
    """`sizeof`: of a type, or of a place or value, with lengths that are evaluated.

    `value` is None where it is no constant for C.
    """

    of: CType
    value: int | None
    operand: Expression | None = None
    lengths: tuple[Length, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class AlignOf(Typed):
    """`_Alignof`; None for that of an object, which may be more than that of its type."""

    value: int | None


@dataclass(frozen=True, slots=True, eq=False)
class OffsetOf(Typed):
    """`offsetof(type, part)`; None where an index is no constant."""

    value: int | None


@dataclass(frozen=True, slots=True, eq=False)
class TypeArgument(Typed):
    """A type as an argument of a call."""


Expression: TypeAlias = (
    Constant
    | Floating
    | Evaluated
    | Read
    | AddressOf
    | Binary
    | Unary
    | Not
    | Logic
    | Choice
    | Otherwise
    | Comma
    | Convert
    | Assign
    | Step
    | Call
    | StatementExpression
    | LabelAddress
    | Selection
    | SizeOf
    | AlignOf
    | OffsetOf
    | TypeArgument
)


@dataclass(frozen=True, slots=True, eq=False)
class Variable(Typed):
    """A local, or an object of static storage."""

    symbol: Local | Object


@dataclass(frozen=True, slots=True, eq=False)
class FunctionName(Typed):
    """A function that is declared."""

    key: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Implicit(Typed):
    """A function that is called and of which no declaration is visible."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Member(Typed):
    """`base.name`."""

    base: Place
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Element(Typed):
    """`pointer[index]`, in the order of the source."""

    left: Expression
    right: Expression
    order: Order = None


@dataclass(frozen=True, slots=True, eq=False)
class Deref(Typed):
    """`*pointer`; `is_arrow` where it is written as `pointer->member`."""

    pointer: Expression
    is_arrow: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class StringLiteral(Typed):
    """A string; `key` tells those at different places apart."""

    text: str
    key: str


@dataclass(frozen=True, slots=True, eq=False)
class CompoundLiteral(Typed):
    """`(type){ ... }`."""

    initialiser: Initialiser
    lengths: tuple[Length, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Of(Typed):
    """Where a value lies that is no lvalue."""

    value: Expression


Place: TypeAlias = Variable | FunctionName | Member | Element | Deref | StringLiteral | CompoundLiteral | Of


@dataclass(frozen=True, slots=True, eq=False)
class Entry(Typed):
    """A part of an object and what it is initialised with; None for 0 in all of the part."""

    path: Path
    value: Expression | None


@dataclass(frozen=True, slots=True, eq=False)
class Parts(Form):
    """An initialiser of parts, in order; `is_torn`: one overrides a part of what another one gives as a whole."""

    entries: tuple[Entry, ...]
    is_torn: bool
    order: Order = None


Initialiser: TypeAlias = Parts | Expression
