"""Whether parts of two forms say the same, wherever they stand: names may mean other things in another file."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from pycparser import c_ast

from duet.source import Span


def are_alike(left: object, right: object) -> bool:
    """Whether two parts of forms differ in nothing but their places. *Requires*: their texts are the same."""
    pending = [(left, right)]
    while pending:
        one, other = pending.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, c_ast.Node | Span):
            continue
        if isinstance(one, tuple) and isinstance(other, tuple):
            if len(one) != len(other):
                return False
            pending.extend(zip(one, other, strict=True))
        elif is_dataclass(one):
            pending.extend((getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
        elif one != other:
            return False
    return True
