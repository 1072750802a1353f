"""Each question about objects has a set of its own, and what any of them gains is counted."""

from duet.frontend.judgments.growth import Growing, Growth
from duet.frontend.judgments.objects import Objects


def test_each_set_grows_by_itself_and_counts() -> None:
    growth = Growth()
    objects = Objects(growth)
    sets = {name: found for name, found in vars(objects).items() if isinstance(found, Growing)}
    assert sets.keys() == vars(objects).keys()
    for number, found in enumerate(sets.values(), 1):
        Growing.add(found, "x")
        assert growth.version == number
        assert sum("x" in other for other in sets.values()) == number


def test_what_is_lost_is_told_apart_from_what_others_change() -> None:
    untracked = Objects(Growth()).untracked
    untracked.add_changed("x")
    assert (untracked, untracked.lost) == ({"x"}, set())
    untracked.add("x")
    assert (untracked, untracked.lost) == ({"x"}, {"x"})
