"""The state of forming, and what its parts ask of each other: each is a class that extends the one before."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from pycparser import c_ast

from duet.errors import SourceError, Unsupported
from duet.frontend.ctypes.declarations import TypeTable
from duet.frontend.ctypes.library import Library
from duet.frontend.ctypes.scope import Definition, Scope
from duet.frontend.ctypes.types import CType, FunctionType
from duet.frontend.form import kinds
from duet.frontend.form.control import Case, Statement
from duet.frontend.form.tree import (
    UNKNOWN,
    Expression,
    Initialiser,
    Length,
    Place,
    Read,
)
from duet.frontend.source.nodes import Node
from duet.source import Span


@dataclass
class Surroundings:
    """What is around all bodies: types, functions that are defined, the records of those of the library.

    `enumerators`: the trees of names that stand for enumeration constants.
    """

    types: TypeTable
    library: Library
    span: Callable[[Node], Span]
    functions: Mapping[str, Definition]
    enumerators: set[Node] = field(default_factory=set)


class Former(ABC):
    """Forms what stands in a scope. `function` is the definition around it, if there is one."""

    def __init__(self, around: Surroundings, scope: Scope, function: Definition | None = None) -> None:
        self.around = around
        self.types = around.types
        self.scope = scope
        self.function = function
        self.declared: dict[str, FunctionType] = {}
        self.labels: dict[str, None] = {}
        self.switches: list[tuple[CType, list[Case | None]]] = []

    @abstractmethod
    def expression(self, node: Node) -> Expression:
        """An expression."""

    @abstractmethod
    def place(self, node: Node) -> Place:
        """The place that an lvalue denotes, or where a value lies."""

    @abstractmethod
    def lengths(self, node: Node) -> tuple[Length, ...]:
        """The lengths in a type tree that are evaluated where it stands."""

    @abstractmethod
    def initialiser(self, kind: CType, node: Node, is_static: bool = False) -> Initialiser:
        """The initialiser of an object of a type."""

    @abstractmethod
    def completed(self, kind: CType, node: Node | None) -> CType:
        """The type of an object, with the length that its initialiser gives."""

    @abstractmethod
    def statement(self, node: Node | None) -> Statement:
        """A statement or declaration."""

    def kind(self, node: Node) -> CType:
        """The type that a type tree denotes."""
        return self.types.read(node, self.scope)

    def constant(self, node: Node) -> int | None:
        """The value of an integer constant expression; None for others."""
        return kinds.constant(self.types, self.expression(node))

    def type_at(self, node: Node) -> CType:
        """The type of an operand of `sizeof`: a type name, or an expression, before decay."""
        return (
            self.kind(node) if isinstance(node, c_ast.Typename) else self.type_before_decay(self.expression(node), node)
        )

    def type_before_decay(self, form: Expression, node: Node) -> CType:
        """The type of an expression, of an lvalue that of the place. *Raises*: Unsupported where it is not known."""
        kind = form.place.type if isinstance(form, Read) else form.type
        if kind is UNKNOWN:
            raise self.unsupported("the type of a library function that is not declared is not known", node)
        return kind

    def unsupported(self, message: str, node: Node) -> Unsupported:
        """The error for what is not modelled at a node."""
        return Unsupported(message, self.around.span(node))

    def wrong(self, message: str, node: Node) -> SourceError:
        """The error for what is no C at a node."""
        return SourceError(message, self.around.span(node))

    @contextmanager
    def block(self) -> Iterator[None]:
        """A scope inside the current one."""
        before = self.scope
        self.scope = Scope(before)
        try:
            yield
        finally:
            self.scope = before
