"""Whether parts of two forms say the same, wherever they stand: names may mean other things in another file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass

from pycparser import c_ast

from duet.frontend.form.tree import FunctionName, StringLiteral
from duet.source import Span


def are_alike(left: object, right: object, are_same: Callable[[str, str], bool] = lambda *_: False) -> bool:
    """Whether two parts of forms differ in nothing but their places. *Requires*: their texts are the same.

    Functions of their files `are_same`, by their keys, where these are.
    """
    pending = [(left, right)]
    while pending:
        one, other = pending.pop()
        if type(one) is not type(other):
            return False
        match one, other:
            case (c_ast.Node() | Span(), _):
                continue
            case StringLiteral(type=kind, text=text), StringLiteral():
                pending.append(((kind, text), (other.type, other.text)))
            case FunctionName(key=key), FunctionName() if key != other.key:
                if not are_same(key, other.key):
                    return False
            case tuple(), tuple():
                if len(one) != len(other):
                    return False
                pending.extend(zip(one, other, strict=True))
            case frozenset(), frozenset():  # of what is told apart by its node
                if len(one) != len(other) or not all(any(are_alike(it, found) for found in other) for it in one):
                    return False
            case _ if is_dataclass(one):
                pending.extend((getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
            case _ if one != other:
                return False
    return True
