"""C standards by name."""

from __future__ import annotations

import pytest

from duet.errors import UsageError
from duet.frontend.source.standards import Standard, flags_of, standard, standard_of
from duet.options import FrontendOptions, UnitFlags


@pytest.mark.parametrize(
    ("name", "version", "is_gnu", "is_c23", "has_trigraphs", "option"),
    [
        ("c89", "", False, False, True, "-std=c89"),
        ("gnu90", "", True, False, False, "-std=gnu90"),
        ("c99", "199901L", False, False, True, "-std=c99"),
        ("gnu9x", "199901L", True, False, False, "-std=gnu9x"),
        ("c11", "201112L", False, False, True, "-std=c11"),
        ("gnu17", "201710L", True, False, False, "-std=gnu17"),
        ("c23", "202311L", False, True, False, "-std=gnu2x"),
        ("gnu2x", "202311L", True, True, False, "-std=gnu2x"),
    ],
)
def test_what_depends_on_a_standard(
    name: str, version: str, is_gnu: bool, is_c23: bool, has_trigraphs: bool, option: str
) -> None:
    found = standard(name)
    assert found == Standard(name, version, is_gnu)
    assert (found.is_c23, found.has_trigraphs, found.option) == (is_c23, has_trigraphs, option)


@pytest.mark.parametrize("name", ["", "c12", "gnu", "c++17", "c999", "iso9899:1999"])
def test_unknown_standards_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="unknown --std"):
        standard(name)


def test_a_file_may_have_a_standard_of_its_own() -> None:
    options = FrontendOptions(std="c99", units=(UnitFlags("a.c", std="gnu11"), UnitFlags("b.c", macros=("-DX",))))
    assert standard_of("a.c", options).name == "gnu11"
    assert standard_of("b.c", options).name == "c99"
    assert flags_of("b.c", options).macros == ("-DX",)
    assert flags_of("c.c", options) == UnitFlags("c.c")
