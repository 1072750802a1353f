"""What the files of a program declare, kept apart by what it is."""

from duet.frontend.cells.declared import Declared


def test_two_programs_share_no_declarations() -> None:
    one, other = Declared(), Declared()
    one.library.add("printf")
    one.linked.add("x")
    one.mentioned["f"] = frozenset({"x"})
    assert other == Declared()
    assert (one.library, one.linked, one.elsewhere) == ({"printf"}, {"x"}, set())
