"""The module parameters of a driver: what user space may give them, and when."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pycparser import c_ast

from duet.linux.buses import MARKER
from duet.linux.tables import Tables
from duet.linux.tree import text

WRITABLE = 0o222
KINDS = {f"{MARKER}plain_parameter_": False, f"{MARKER}array_parameter_": True}
"""What the macros of the model headers put before the names of parameters; whether these are arrays."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """What user space gives a value, any number of elements of one if it `is_array`, as C text.

    `counts` get the number of elements that were given. One that `is_writable` may be written at any time.
    """

    variable: str
    is_array: bool
    counts: tuple[str, ...]
    is_writable: bool


def find_parameters(tables: Tables) -> tuple[Parameter, ...]:
    """The module parameters; one that has several names is writable if it is by any of them."""
    found: dict[tuple[str, bool], Parameter] = {}
    for parameter in _parameters(tables):
        key = parameter.variable, parameter.is_array
        known = found.get(key, parameter)
        counts = tuple(dict.fromkeys((*known.counts, *parameter.counts)))
        found[key] = replace(known, counts=counts, is_writable=known.is_writable or parameter.is_writable)
    return tuple(found.values())


def _parameters(tables: Tables) -> Iterator[Parameter]:
    """The module parameters by their names."""
    for name, decl in tables.objects.items():
        kind = next((kind for kind in KINDS if name.startswith(kind)), None)
        if kind is not None:
            variable, mode, count = decl.init.exprs
            counts = tuple(filter(None, (_pointed(count.expr),)))
            yield Parameter(text(variable.expr), KINDS[kind], counts, bool(_mode(mode) & WRITABLE))


def marked(tables: Tables, marker: str) -> tuple[str, ...]:
    """The names that the model headers have marked by declaring them with something before them."""
    return tuple(name.removeprefix(marker) for name in tables.kinds if name.startswith(marker))


def _pointed(node: c_ast.Node) -> str:
    """What a pointer leads to, empty for a null pointer."""
    while isinstance(node, c_ast.Cast):
        node = node.expr
    match node:
        case c_ast.Constant(value="0"):
            return ""
        case c_ast.UnaryOp(op="&"):
            return text(node.expr)
        case _:
            return f"*({text(node)})"


def _mode(node: c_ast.Node) -> int:
    """The permissions that an expression is; all of them where it is not plain."""
    match node:
        case c_ast.Constant() if re.fullmatch("0[0-7]*", node.value):
            return int(node.value, 8)
        case c_ast.BinaryOp(op="|"):
            return _mode(node.left) | _mode(node.right)
        case _:
            return 0o777
