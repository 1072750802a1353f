"""Types and constants for snippets without headers: each is what its own text says, and what the headers say."""

from __future__ import annotations

import pytest
from pycparser import CParser, c_ast

from duet.frontend.source.known import ALWAYS, CONSTANTS, common


@pytest.mark.parametrize(("name", "text"), [*ALWAYS.items(), *common("LP64").items(), *common("ILP32").items()])
def test_each_text_declares_its_name(name: str, text: str) -> None:
    (item,) = CParser().parse(text).ext
    assert isinstance(item, c_ast.Typedef)
    assert item.name == name


@pytest.mark.parametrize("text", CONSTANTS.values())
def test_each_constant_is_an_initialiser(text: str) -> None:
    (item,) = CParser().parse(f"void *x = {text};").ext
    assert item.init is not None


def test_no_name_stands_twice() -> None:
    assert ALWAYS.keys().isdisjoint(common("LP64"))
    assert CONSTANTS.keys().isdisjoint(common("LP64"))
