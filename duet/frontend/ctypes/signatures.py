"""The types of functions that compilers know without a declaration, or behind `__builtin_`, or that no header tells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import NoReturn

from pycparser import CParser

from duet.errors import InternalError
from duet.frontend.ctypes.declarations import TypeTable
from duet.frontend.ctypes.scope import Function, Scope
from duet.frontend.ctypes.types import VOID_POINTER, CType, DataModel, FunctionType, PointerType, StructType
from duet.frontend.source.known import ALWAYS
from duet.frontend.source.nodes import Node

HEADER = "builtins.h"
"""The bundled header with the prototypes of these functions, in `duet.frontend.source`."""
BUILTIN = "__builtin_"
"""Starts the name under which compilers have a function of the library even where the program has another one."""
_DECLARATION = re.compile(r"^[a-z][\w ]*?[ *]\(?\*?(\w+)\([^;]*\);", re.MULTILINE)


def signature(scope: Scope, name: str, declared: FunctionType | None, data: DataModel) -> FunctionType | None:
    """The type of a function: as declared with parameters, else as compilers know it; None where nobody tells."""
    if declared is not None and declared.parameters is not None:
        return declared
    plain = name.removeprefix(BUILTIN)
    found = scope.find(plain) if plain != name else None
    return (
        known_type(name, data) or known_type(plain, data) or (found.type if isinstance(found, Function) else declared)
    )


@cache
def known_declarations() -> Mapping[str, str]:
    """The prototypes of the bundled header by name, as text: few of them are ever asked for."""
    text = resources.files("duet.frontend.source").joinpath(HEADER).read_text(encoding="utf-8")
    return MappingProxyType({found[1]: found[0] for found in _DECLARATION.finditer(text)})


@cache
def prototype(name: str, data: DataModel) -> FunctionType | None:
    """The type of a function that the bundled header declares; structures of it are not those of the program."""
    declaration = known_declarations().get(name)
    if declaration is None:
        return None
    types = TypeTable(_unexpected, _unexpected, _unexpected, frozenset(), _unexpected, data)
    scope = Scope()
    prelude, item = CParser().parse(f"{ALWAYS['__builtin_va_list']} {declaration}", HEADER).ext
    types.typedef(prelude.name, prelude, scope)
    kind = types.read(item, scope)
    assert isinstance(kind, FunctionType), name
    return kind


@cache
def known_type(name: str, data: DataModel) -> FunctionType | None:
    """The type of a function that the bundled header declares, as far as it names no structure.

    Parameters are left open where one leads to a structure or function, and a result that does is a `void *`.
    """
    kind = prototype(name, data)
    return _without_structures(kind) if kind is not None else None


def _unexpected(node: Node, *_: object) -> NoReturn:
    raise InternalError(f"{HEADER}: {node.coord}: only prototypes of basic types are expected")


def _without_structures(kind: FunctionType) -> FunctionType:
    parameters = kind.parameters
    if parameters is not None and any(map(_leads_to_structure, parameters)):
        parameters = None
    return FunctionType(VOID_POINTER if _leads_to_structure(kind.result) else kind.result, parameters, kind.variadic)


def _leads_to_structure(kind: CType) -> bool:
    while isinstance(kind, PointerType):
        kind = kind.target
    return isinstance(kind, StructType | FunctionType)
