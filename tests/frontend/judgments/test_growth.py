"""What is added is counted once, and not at all while nothing that is lowered is kept."""

from duet.frontend.judgments.growth import Growing, Growth


def test_what_is_new_counts_and_what_is_known_does_not() -> None:
    growth = Growth()
    names = Growing[str](growth)
    names.add("x", "y")
    names.add("y")
    assert (names, growth.version) == ({"x", "y"}, 2)


def test_frozen_sets_stay_as_they_are() -> None:
    growth = Growth(is_frozen=True)
    names = Growing[str](growth)
    names.add("x")
    assert (names, growth.version) == (set(), 0)


def test_sets_of_one_growth_are_counted_together() -> None:
    growth = Growth()
    Growing[str](growth).add("x")
    Growing[str](growth).add("x")
    assert growth.version == 2
