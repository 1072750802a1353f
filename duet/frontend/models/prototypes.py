"""Prototypes of library functions, and whether a function that a program declares itself can be one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType

from pycparser import CParser, c_ast

from duet.frontend.ctypes.declarations import TypeTable
from duet.frontend.ctypes.scope import Scope
from duet.frontend.ctypes.signatures import known_declarations, prototype
from duet.frontend.ctypes.types import (
    VOID,
    ArrayType,
    CType,
    DataModel,
    FloatType,
    FunctionType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    VoidType,
    is_byte,
)
from duet.frontend.models.table import OPAQUE
from duet.frontend.source.gnu import rewrite
from duet.frontend.source.known import ALWAYS
from duet.frontend.source.preprocess import preprocess
from duet.options import FrontendOptions
from duet.source import Span

HEADERS = "headers.h"
"""The bundled file that includes all bundled headers of the C library, in `duet.frontend.source`."""
_RESERVED = "_"
_OPTIONS = FrontendOptions(defines=("_GNU_SOURCE=1",))


def library_prototype(name: str, data: DataModel) -> FunctionType | None:
    """The type of a function as the bundled headers have it; None for one that none of them declares."""
    return prototype(name, data) if name in known_declarations() else _declared(data).get(name)


@cache
def _declared(data: DataModel) -> Mapping[str, FunctionType]:
    """The functions that the bundled headers declare."""
    path = str(Path(str(resources.files("duet.frontend.source"))) / HEADERS)
    text = rewrite(preprocess(path, replace(_OPTIONS, data_model=data.name)).text, path, is_c23=False).text
    types = TypeTable(lambda *_: 1, lambda *_: VOID, lambda _: Span(path, 1, 1), OPAQUE, lambda _: False, data)
    scope, found = Scope(), {}
    for item in CParser().parse(f"{ALWAYS['__builtin_va_list']}\n{text}", path).ext:
        if isinstance(item, c_ast.Typedef):
            types.typedef(item.name, item, scope)
        elif isinstance(item, c_ast.Decl):
            kind = types.read(item, scope)
            if isinstance(kind, FunctionType):
                found[item.name] = kind
    return MappingProxyType(found)


def is_alike(own: FunctionType, known: FunctionType) -> bool:
    """Whether a function that is declared as `own` may be one whose prototype is `known`.

    Widths of integers and qualifiers do not tell, as programs get them wrong; without a prototype nothing does.
    """
    if own.parameters is None or known.parameters is None:
        return True
    return (
        own.variadic == known.variadic
        and len(own.parameters) == len(known.parameters)
        and all(map(_fits, own.parameters, known.parameters))
        and _fits(own.result, known.result)
    )


def converts(given: CType, known: CType) -> bool:
    """Whether an argument of a type may be meant for a parameter; pointers become `void *` by themselves."""
    is_pointer = isinstance(given, PointerType | ArrayType)
    return _fits(given, known) or (is_pointer and isinstance(known, PointerType) and known.target == VOID)


def _fits(own: CType, known: CType) -> bool:
    match known:
        case PointerType(target) | ArrayType(target):
            return isinstance(own, PointerType | ArrayType) and _leads_alike(_target(own), target)
        case IntType():
            return isinstance(own, IntType)
        case FloatType():
            return isinstance(own, FloatType) and own.is_complex == known.is_complex
        case StructType():
            return _is_same_tag(own, known)
        case VoidType() | OpaqueType():
            return isinstance(own, type(known))
        case FunctionType():
            return False


def _leads_alike(own: CType, known: CType) -> bool:
    """Whether pointers to two types may be the same parameter: any `char` and `void` stand for each other."""
    if is_byte(own) or isinstance(own, VoidType):
        return is_byte(known) or isinstance(own, VoidType) or isinstance(known, VoidType)
    match known:
        case IntType():
            return isinstance(own, IntType) and own.size == known.size
        case FunctionType():
            return isinstance(own, FunctionType)
        case OpaqueType(name=name):
            return isinstance(own, OpaqueType) and own.name == name
        case _:
            return _fits(own, known)


def _is_same_tag(own: CType, known: StructType) -> bool:
    """Whether a structure is one of the library's; where its tag is the library's business, as of `FILE`, any such."""
    if known.tag.startswith(_RESERVED):
        return isinstance(own, OpaqueType) or (isinstance(own, StructType) and own.tag.startswith(_RESERVED))
    return isinstance(own, StructType) and own.tag == known.tag


def _target(kind: PointerType | ArrayType) -> CType:
    return kind.target if isinstance(kind, PointerType) else kind.element
