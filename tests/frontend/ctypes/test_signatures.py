"""The types of functions that no declaration of the program tells."""

from __future__ import annotations

import pytest

from duet.frontend.ctypes.scope import Function, Scope
from duet.frontend.ctypes.signatures import known_declarations, known_type, signature
from duet.frontend.ctypes.types import (
    CHAR,
    INT,
    LP64,
    VOID_POINTER,
    FunctionType,
    PointerType,
    StructType,
)

SIZE_OF_TEXT = FunctionType(LP64.ulong, (PointerType(CHAR),))


def test_a_declaration_with_parameters_counts() -> None:
    declared = FunctionType(INT, (INT,))
    assert signature(Scope(), "strlen", declared, LP64) == declared


def test_without_parameters_what_compilers_know_counts() -> None:
    assert signature(Scope(), "strlen", FunctionType(INT, None), LP64) == SIZE_OF_TEXT
    assert signature(Scope(), "strlen", None, LP64) == SIZE_OF_TEXT
    assert signature(Scope(), "__builtin_strlen", None, LP64) == SIZE_OF_TEXT


def test_behind_the_prefix_is_what_the_program_declares() -> None:
    declared = FunctionType(INT, (INT,))
    scope = Scope(names={"mine": Function("mine", declared)})
    assert signature(scope, "__builtin_mine", None, LP64) == declared
    assert signature(scope, "mine", None, LP64) is None


def test_what_nobody_tells_stays_as_it_is() -> None:
    assert signature(Scope(), "unheard_of", None, LP64) is None
    assert signature(Scope(), "unheard_of", FunctionType(INT, None), LP64) == FunctionType(INT, None)
    assert known_type("unheard_of", LP64) is None


@pytest.mark.parametrize("name", sorted(known_declarations()))
def test_every_declaration_of_the_header_is_understood(name: str) -> None:
    found = known_type(name, LP64)
    assert found is not None
    kinds = [found.result, *(found.parameters or ())]
    for kind in kinds:
        while isinstance(kind, PointerType):
            kind = kind.target
        assert not isinstance(kind, StructType | FunctionType)


def test_structures_of_the_header_are_nobodys() -> None:
    found = known_type("fopen", LP64)
    assert found is None or found.result == VOID_POINTER
    opaque = [name for name in known_declarations() if (kind := known_type(name, LP64)) and kind.parameters is None]
    assert opaque
