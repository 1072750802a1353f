"""Sets of origins as bits."""

from __future__ import annotations

from duet.frontend.ctypes.origins import ANYTHING, EXTERNAL, NOTHING, ObjectAddress, Origins
from duet.frontend.judgments.numbered import Numbered
from tests.frontend.pointing import to


def test_bits_and_names_are_each_others_inverse() -> None:
    numbered = Numbered()
    mixed: Origins = frozenset((ANYTHING, EXTERNAL, ObjectAddress("z")))
    for origins in (NOTHING, to("x"), to("y", "x"), mixed):
        assert numbered.named(numbered.bits(origins)) == origins


def test_unions_are_those_of_the_bits() -> None:
    numbered = Numbered()
    assert numbered.named(numbered.bits(to("x", "y")) | numbered.bits(to("y", "z"))) == to("x", "y", "z")
    assert numbered.named(numbered.bits(to("x", "y")) & ~numbered.bits(to("y", "z"))) == to("x")


def test_origins_by_number() -> None:
    numbered = Numbered()
    bits = numbered.bits(to("x"))
    assert numbered.origins[bits.bit_length() - 1] is ObjectAddress("x")


def test_two_tables_number_apart() -> None:
    one, other = Numbered(), Numbered()
    one.bits(to("x"))
    assert other.named(other.bits(to("y"))) == to("y")
