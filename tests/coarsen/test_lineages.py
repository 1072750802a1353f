"""What is known of a program's threads, and of the globals at their locations."""

from __future__ import annotations

from duet.coarsen.lineages import Lineages
from duet.plip.syntax import Guard, Program
from tests.coarsen.fixpoints import at, fixpoint

TEXT = """global x = 0
thread main { local r  r := 1  spawn once  r := 2  while (*) { spawn many } r := 3 }
thread once { local q  q := 4  spawn child  x := 1  q := 5 }
thread child { local p  p := 6 }
thread many { local n  n := 7  [x == 1]  n := 8 }
"""
FOUND = fixpoint(TEXT)
PROGRAM: Program = FOUND.graph.program
NOTHING: frozenset[int] = frozenset()


def lineages() -> Lineages:
    return Lineages(PROGRAM, FOUND.invariants)


def place(cell: str, value: int) -> int:
    return PROGRAM.commands[at(PROGRAM, cell, value)].source


def test_templates_that_have_one_instance() -> None:
    assert lineages().ones == ("main", "once", "child")


def test_what_runs_although_a_template_was_never_spawned() -> None:
    assert lineages().before("main") == frozenset()
    assert lineages().before("once") == {"main", "many"}
    assert lineages().before("child") == {"main", "many", "once"}


def test_the_locations_behind_spawns() -> None:
    after = lineages().after_spawns("main", "child")
    assert place("r", 2) in after
    assert place("r", 3) in after
    assert place("r", 1) not in after


def test_who_may_run_beside_a_location() -> None:
    assert lineages().running(place("r", 1)) == {"main"}
    assert lineages().running(place("r", 2)) == {"main", "once", "child"}
    assert lineages().running(place("q", 4)) == {"main", "once", "many"}
    assert lineages().running(place("n", 7)) == set(PROGRAM.templates)
    bits = lineages().beside(place("r", 2))
    assert [bool(bits >> i & 1) for i in range(4)] == [True, True, True, False]


def test_locations_are_ordered_along_control() -> None:
    order = lineages().order
    assert order[place("r", 1)] < order[place("r", 2)] < order[place("r", 3)]
    assert len(set(order.values())) == len(order)


def test_commands_really_write_globals_but_guards_do_not() -> None:
    written = lineages().written
    pack = FOUND.graph.packing.pack_of["x"]
    guard = next(i for i, c in enumerate(PROGRAM.commands) if isinstance(c.instruction, Guard) and "x" in str(c))
    assert written[at(PROGRAM, "x", 1)][pack] is True
    assert pack not in written[guard]


def test_views_that_contradict_each_other_do_not_agree() -> None:
    known = lineages()
    before, after = known.view(place("r", 1), NOTHING), known.view(place("q", 5), NOTHING)
    assert before == known.view(PROGRAM.templates["main"].entry, NOTHING)
    assert known.agree(before, before)
    assert not known.agree(before, after)
    assert not known.agree(after, before)


def test_a_command_is_blocked_by_what_another_thread_knows() -> None:
    known = lineages()
    guard = next(
        i
        for i, c in enumerate(PROGRAM.commands)
        if isinstance(c.instruction, Guard) and PROGRAM.template_of[c.source] == "many" and "x" in str(c)
    )
    own = known.view(PROGRAM.commands[guard].source, NOTHING)
    zero, one = known.view(place("r", 1), NOTHING), known.view(place("q", 5), NOTHING)
    assert known.state(guard, own, one) is not None
    assert known.state(guard, own, zero) is None


def test_without_some_commands_less_can_have_happened() -> None:
    known = lineages()
    write = at(PROGRAM, "x", 1)
    here = place("n", 7)
    assert known.view(here, frozenset({write})) != known.view(here, NOTHING)
    assert known.agree(known.view(here, frozenset({write})), known.view(place("r", 1), NOTHING))


def test_without_sums_nothing_is_counted() -> None:
    known = lineages()
    state = FOUND.invariants.state(place("r", 1))
    assert known.counted(at(PROGRAM, "r", 1), state, (place("q", 4),), frozenset()) is state
