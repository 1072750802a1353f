"""What data races go back to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from duet.check.races import Site
from duet.check.shown_races import Race
from duet.coarsen.race_causes import race_causes
from duet.plip.accesses import ANY_MEMORY, Access, AccessKind, Call, Storage
from duet.result import Cause, CauseKind, Chance
from duet.source import Span


def site(name: str, line: int, declared: int = 0, unknown: str = "", kind: AccessKind = AccessKind.WRITE) -> Site:
    where = Span("a.c", declared, 1) if declared else None
    stack = (Call("f", Span("a.c", line, 1)),)
    return Site(line, "f", Access(kind, name, (), name, False, stack, declared=where, unknown=unknown))


def test_a_pointer_that_leads_anywhere_is_the_cause() -> None:
    found = (site(ANY_MEMORY, 5), site("x", 7), site("y", 8))
    races = [Race("x", (0, 1), 1), Race("y", (0, 2), 1)]
    assert set(race_causes(races, found)) == {Cause(CauseKind.LOST, "where this pointer leads is not known", "a.c", 5)}


def test_an_access_to_many_objects_is_the_cause() -> None:
    names = ("u", "v", "w", "x")
    found = (*(site(name, 5) for name in names), *(site(name, 7 + at) for at, name in enumerate(names)))
    races = [Race(name, (at, 4 + at), 1) for at, name in enumerate(names)]
    assert set(race_causes(races, found)) == {Cause(CauseKind.LOST, "this access may be to 4 objects", "a.c", 5)}


def test_else_the_memory_is() -> None:
    found = (site("x", 5, declared=2), site("x", 7, declared=2))
    (cause,) = race_causes([Race("x.n", (0, 1), 1)], found)
    text = "x is shared, and accessed without a common lock"
    assert cause == Cause(CauseKind.WRITE, text, "a.c", 2, Chance.EVEN)


@pytest.mark.parametrize(
    ("storage", "interrupts", "chance"),
    [
        (Storage.STATIC, False, Chance.EVEN),
        (Storage.HEAP, False, Chance.SOMETIMES),
        (Storage.LOCAL, False, Chance.RARELY),
        (Storage.STATIC, True, Chance.MOSTLY),
        (Storage.LOCAL, True, Chance.RARELY),
    ],
)
def test_where_the_object_is_tells_how_likely_it_is(storage: Storage, interrupts: bool, chance: Chance) -> None:
    found = [replace(one, access=replace(one.access, storage=storage)) for one in (site("x", 5), site("x", 7))]
    found[1] = replace(found[1], template="handler")
    (cause,) = race_causes([Race("x", (0, 1), 1, interrupts=interrupts)], found)
    assert cause.chance is chance


def test_a_handler_that_interrupts_nothing_but_itself_comes_late() -> None:
    (cause,) = race_causes([Race("x", (0, 1), 1, interrupts=True)], (site("x", 5), site("x", 7)))
    assert cause.chance is Chance.SOMETIMES


def test_all_that_a_handler_interrupts_is_one_cause() -> None:
    found = [site("x", 5, declared=2), site("x", 9), site("y", 6, declared=3), site("y", 8)]
    found[1], found[3] = (replace(found[at], template="on_signal") for at in (1, 3))
    races = [Race("x", (0, 1), 1, interrupts=True), Race("y", (2, 3), 1, interrupts=True)]
    one, other = race_causes(races, found, {"on_signal": "stop"})
    assert one == other
    assert (one.line, one.text.partition(" ")[0], one.chance) == (8, "stop", Chance.MOSTLY)


def test_what_unknown_code_calls_is_one_cause_that_is_lost() -> None:
    found = [site("x", 5, declared=2), replace(site("x", 9), template="any"), site("y", 6, declared=3)]
    races = [Race("x", (0, 1), 1), Race("x", (1, 1), 1), Race("y", (2, 2), 1)]
    one, other, rest = race_causes(races, found, {}, ("any",))
    assert one == other
    assert (one.kind, one.line, rest.kind) == (CauseKind.LOST, 9, CauseKind.WRITE)


def test_a_function_without_a_body_is_where_it_is_not_given_the_memory() -> None:
    named = site("<memory>", 9, unknown="look")
    found = (site("x", 5), site("x", 9), named, site("y", 6), site("y", 9), site("y", 9, kind=AccessKind.READ))
    own, passed = race_causes([Race("x", (0, 1), 1), Race("y", (3, 4), 1)], found)
    assert own == Cause(CauseKind.LOST, "look has no body here: it may change all that it was ever given", "a.c", 9)
    assert passed.text == "y is shared, and accessed without a common lock"
