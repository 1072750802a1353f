"""The module parameters of a driver: what user space may give them, and when."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pycparser import c_ast

from duet.linux.buses import MARKER
from duet.linux.tables import Tables
from duet.linux.tree import name_of

WRITABLE = 0o222


@dataclass(frozen=True, slots=True)
class Parameters:
    """The variables of module parameters: plain ones, arrays, those that get numbers of elements.

    `writable` may be written while the module is loaded.
    """

    plain: tuple[str, ...]
    arrays: tuple[str, ...]
    counts: tuple[str, ...]
    writable: frozenset[str]


def find_parameters(tables: Tables) -> Parameters:
    """The module parameters."""
    mode, count = f"{MARKER}mode_", f"{MARKER}count_"
    return Parameters(
        plain=marked(tables, f"{MARKER}param_plain_"),
        arrays=marked(tables, f"{MARKER}param_array_"),
        counts=tuple(
            name_of(decl.init) for name, decl in tables.objects.items() if name.startswith(count) and name_of(decl.init)
        ),
        writable=frozenset(
            name.removeprefix(mode)
            for name, decl in tables.objects.items()
            if name.startswith(mode) and _mode(decl.init) & WRITABLE
        ),
    )


def marked(tables: Tables, marker: str) -> tuple[str, ...]:
    """The names that the model headers have marked by declaring them with something before them."""
    return tuple(name.removeprefix(marker) for name in tables.kinds if name.startswith(marker))


def _mode(node: c_ast.Node) -> int:
    """The permissions that an expression is; all of them where it is not plain."""
    match node:
        case c_ast.Constant() if re.fullmatch("0[0-7]*", node.value):
            return int(node.value, 8)
        case c_ast.BinaryOp(op="|"):
            return _mode(node.left) | _mode(node.right)
        case _:
            return 0o777
