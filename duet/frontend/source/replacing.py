"""Definitions of model headers in the place of those that the kernel's own headers have under the same name.

A header of the overlay includes the kernel's header of its name and goes on with its own macros, functions and types.
Macros replace others as they do in C. A function that the overlay defines or declares loses its body in the kernel's
headers. A type that the overlay defines stands where the kernel's headers define it, so that what is between the two
has the same type. The user's own definitions stay as they are: a function of the overlay that the user's files define
is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from duet.frontend.source.items import Item, declared


def replaced(items: Sequence[Item], is_model: Callable[[str], bool], is_library: Callable[[str], bool]) -> list[Item]:
    """The items with those of the overlay in effect."""
    functions: set[str] = set()
    types: dict[str, int] = {}
    users = (item for item in items if item.is_function and not is_model(item.file) and not is_library(item.file))
    defined = frozenset[str]().union(*map(declared, users))
    found = list(items)
    for number, item in enumerate(items):
        if not is_model(item.file):
            continue
        if item.is_function and not defined.isdisjoint(declared(item)):
            found[number] = replace(item, text="\n", body=-1)
            continue
        if item.is_function or (item.body < 0 and "(" in item.text):
            functions |= declared(item)
        elif "{" in item.text:
            types.update(dict.fromkeys(declared(item), number))
    for number, item in enumerate(items):
        if is_model(item.file) or not is_library(item.file):
            continue
        names = declared(item) if item.is_function or "{" in item.text else frozenset()
        if item.is_function:
            if not functions.isdisjoint(names):
                found[number] = replace(item, text=f"{item.text[: item.body].rstrip()};", body=-1)
        elif chosen := sorted({types[name] for name in names if name in types}):
            found[number] = replace(item, text=_in_place(item, items[chosen[0]]))
            for other in chosen:
                found[other] = replace(items[other], text="\n", body=-1)
    return found


def _in_place(item: Item, model: Item) -> str:
    """The text of a model, with the line markers that are in the text of the item that it replaces."""
    markers = [line for line in item.text.split("\n") if line.lstrip().startswith("#")]
    plain = "\n".join(line for line in model.text.split("\n") if not line.lstrip().startswith("#"))
    return "\n".join((markers[0] if markers else "", plain.strip(), *markers[-1:], ""))
