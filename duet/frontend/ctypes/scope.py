"""Scopes: what an identifier or a tag means where it stands."""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from duet.frontend.ctypes.types import INT, CType, FunctionType, IntType, StructType
from duet.frontend.ctypes.values import Object, Value
from duet.frontend.source.nodes import Node
from duet.records import dataclass


@dataclass(frozen=True, slots=True)
class Function:
    """A function, known by a key that is unique in the program."""

    key: str
    type: FunctionType


@dataclass(frozen=True, slots=True)
class TypeName:
    """A typedef name; `align` is the alignment that an attribute gives it.

    `is_plain`: it is neither an enumeration nor qualified, of which its type says nothing.
    """

    type: CType
    align: int | None = None
    is_plain: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Local:
    """A variable that a function declares, or a parameter: one for each declaration, found by identity.

    `duration` is "automatic", "static" or "thread". The length of an array may have to be evaluated.
    """

    name: str
    type: CType
    node: Node
    duration: str = "automatic"


@dataclass(frozen=True, slots=True)
class Bound:
    """A value that stands for a variable that nothing assigns."""

    value: Value


@dataclass(frozen=True, slots=True)
class Enumerator:
    """An enumeration constant; outside of `int` it has another type."""

    value: int
    type: IntType = INT


Symbol: TypeAlias = Object | Function | TypeName | Local | Enumerator


@dataclass
class Scope:
    """A block of declarations inside another; `file` is the path of the unit whose file scope it is."""

    parent: Scope | None = None
    names: dict[str, Symbol] = field(default_factory=dict)
    tags: dict[str, StructType] = field(default_factory=dict)
    file: str | None = None

    def of_parameters(self) -> Scope:
        """A scope for the names of parameters; tags that are declared there are those of this one."""
        return Scope(self, tags=self.tags, file=self.file)

    def find(self, name: str) -> Symbol | None:
        """What a name means here."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def find_function(self, name: str) -> Function | None:
        """The function of a name, also where something else hides it here: functions have linkage."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name)
            if isinstance(found, Function):
                return found
            scope = scope.parent
        return None

    def find_tag(self, tag: str) -> StructType | None:
        """What a struct or union tag means here."""
        scope: Scope | None = self
        while scope is not None:
            if tag in scope.tags:
                return scope.tags[tag]
            scope = scope.parent
        return None


@dataclass(frozen=True, slots=True)
class Definition:
    """The definition of a function: its tree and the file scope that it stands in."""

    key: str
    name: str
    node: Node
    scope: Scope
    unit: int
