"""The control flow graph of one template while it is built."""

from __future__ import annotations

from itertools import count

from duet.frontend.ctypes.origins import ObjectAddress
from duet.frontend.graph.again import passed_again
from duet.frontend.graph.builder import Builder
from duet.frontend.graph.events import Allocation, Giving, Spot, Taking
from duet.plip.accesses import Access, AccessKind
from duet.plip.syntax import FALSE, SKIP, TRUE, Assert, Assign, Command, Compute, Guard, Havoc, Lookup, Operation
from duet.plip.terms import add, compare, constant, negate, variable
from duet.result import Check
from tests.frontend.pointing import to

READ = Access(AccessKind.READ, "x", (), "x", False, ())
IS_ONE = compare(variable("$t"), "==", constant(1))


def builder() -> Builder:
    return Builder(count())


def instructions(found: Builder) -> list[object]:
    return [command.instruction for command in found.commands]


def test_commands_follow_each_other() -> None:
    found = builder()
    found.emit(Assign("a", constant(1)))
    found.emit(Assign("b", constant(2)))
    first, second = found.commands
    assert (first.source, first.target, second.target) == (found.entry, second.source, found.current)
    assert found.is_live


def test_what_never_passes_is_left_out() -> None:
    found = builder()
    target = found.fresh()
    found.edge(Guard(FALSE), target)
    assert found.commands == []
    assert target not in found.reached


def test_behind_a_jump_nothing_is_reached_until_a_label_is() -> None:
    found = builder()
    label = found.fresh()
    found.goto(label)
    assert not found.is_live
    found.emit(SKIP)
    behind = found.current
    assert behind not in found.reached
    found.at(label)
    assert found.is_live
    found.edge(SKIP, found.commands[1].source)
    assert behind in found.reached


def test_both_ways_of_a_test() -> None:
    found = builder()
    condition = compare(variable("a"), "<=", constant(3))
    yes, no = found.branch(condition)
    assert [(c.instruction, c.target) for c in found.commands] == [
        (Guard(condition), yes),
        (Guard(negate(condition)), no),
    ]
    assert not found.is_live


def test_known_conditions_jump() -> None:
    for condition, expected in ((TRUE, 0), (FALSE, 1)):
        found = builder()
        ways = found.fresh(), found.fresh()
        found.branch_to(condition, *ways)
        assert [(c.instruction, c.target) for c in found.commands] == [(SKIP, ways[expected])]


def test_a_condition_that_never_holds_ends_the_way() -> None:
    found = builder()
    found.assume(TRUE)
    assert found.commands == []
    found.assume(FALSE)
    assert not found.is_live


def test_a_fork_may_go_any_way() -> None:
    found = builder()
    ways = found.fork(3)
    assert [command.target for command in found.commands] == ways
    assert all(way in found.reached for way in ways)
    assert not found.is_live


def test_a_deferred_read_becomes_a_part_of_its_only_user() -> None:
    found = builder()
    found.defer("$t", "g")
    found.branch(IS_ONE)
    assert instructions(found)[0] == Guard(compare(variable("g"), "==", constant(1)))
    other = builder()
    other.defer("$t", "g")
    other.assign("a", add(variable("$t"), constant(1)), is_shared=False)
    assert instructions(other) == [Assign("a", add(variable("g"), constant(1)))]


def test_a_deferred_read_stays_a_command_where_it_must() -> None:
    read = Assign("$t", variable("g"))
    for is_shared, is_kept in ((True, False), (False, True)):
        found = builder()
        found.defer("$t", "g")
        found.assign("h", variable("$t"), is_shared=is_shared, is_kept=is_kept)
        assert instructions(found) == [read, Assign("h", variable("$t"))]
    unrelated = builder()
    unrelated.defer("$t", "g")
    unrelated.assume(compare(variable("a"), "==", constant(1)))
    assert instructions(unrelated)[0] == read


def test_what_is_emitted_comes_behind_the_deferred_read() -> None:
    found = builder()
    found.defer("$t", "g")
    found.check(compare(variable("a"), "==", constant(1)), Check("a.c", 1, 1, "f", "assertion", "a"))
    assert isinstance(instructions(found)[1], Assert)
    assert instructions(found)[0] == Assign("$t", variable("g"))


def test_a_computation_writes_its_target_at_once() -> None:
    found = builder()
    found.compute("$t", Operation.MUL, variable("a"), variable("b"))
    found.assign("c", variable("$t"), is_shared=True)
    assert instructions(found) == [Compute("c", Operation.MUL, (variable("a"), variable("b")))]
    kept = builder()
    kept.compute("$t", Operation.MUL, variable("a"), variable("b"))
    kept.assign("c", variable("$t"), is_shared=False, is_kept=True)
    assert len(kept.commands) == 2
    named = builder()
    named.compute("t", Operation.MUL, variable("a"), variable("b"))
    named.assign("c", variable("t"), is_shared=False)
    assert len(named.commands) == 2


def test_constants_are_known_on_the_one_way_that_leads_here() -> None:
    found = builder()
    found.emit(Assign("a", constant(1)))
    found.emit(Assign("b", variable("a")))
    assert (found.constant_of("a"), found.constant_of("b"), found.constant_of("c")) == (1, None, None)
    found.emit(Havoc("c"))
    assert found.constant_of("a") is None
    jumped = builder()
    jumped.emit(Assign("a", constant(1)))
    label = jumped.fresh()
    jumped.goto(label)
    jumped.at(label)
    assert jumped.constant_of("a") is None


def test_ways_back_are_found() -> None:
    found = builder()
    start = found.current
    found.emit(SKIP)
    middle = found.current
    assert passed_again(found.commands, found.entry, (), [[start]]) == [False]
    found.edge(SKIP, start)
    assert passed_again(found.commands, found.entry, (), [[start], [middle]]) == [True, True]
    assert list(found.successors(middle)) == [start]


def test_a_region_is_left_where_it_may_be_entered_from_outside() -> None:
    found = builder()
    found.gates.add(first := found.fresh())
    found.atomic.add(first)
    found.edge(SKIP, first)
    found.at(first)
    found.emit(SKIP)
    inner = found.current
    assert found.is_inside
    assert found.regions() == {first, inner}
    outside = found.outside()
    found.at(outside)
    found.edge(SKIP, inner)
    assert found.regions() == {first}


def test_notes_stand_at_their_places() -> None:
    found = builder()
    spot = Spot(begin=variable("p"))
    found.defer("$t", "g")
    found.note(READ, spot=spot)
    assert found.accesses == {found.current: {READ: spot}}
    found.note(READ, spot=Spot(begin=variable("q")))
    assert found.accesses[found.current][READ] == Spot()
    found.note(READ, place=77)
    assert 77 in found.accesses


def test_a_lock_is_taken_before_and_given_back_behind_what_is_noted() -> None:
    found = builder()
    taking, giving = Taking(variable("p"), to("m"), False), Giving(to("m"))
    start = found.current
    found.note_taking(taking)
    assert found.events.takings == {start: [taking]}
    assert found.current != start
    before = found.current
    found.note_giving(giving)
    assert found.events.givings == {found.current: [giving]}
    assert found.current != before
    new = Allocation(ObjectAddress("heap"), variable("q"))
    found.note_allocation(new)
    assert list(found.events.allocations.values()) == [[new]]


def test_commands_that_do_nothing_are_refilled() -> None:
    found = builder()
    found.emit(SKIP)
    end = found.current
    found.refill({0: [Havoc("a"), Havoc("b")]})
    assert instructions(found) == [Havoc("a"), Havoc("b"), SKIP]
    assert (found.commands[0].source, found.commands[-1].target) == (found.entry, end)


def test_a_test_of_a_table_entry_tells_of_the_index() -> None:
    found = builder()
    found.emit(Lookup("$t", (5, 1, 5), variable("i")))
    found.assume(IS_ONE)
    guard = found.commands[-1]
    assert isinstance(guard, Command)
    assert guard.instruction != Guard(IS_ONE)
    assert "i" in str(guard.instruction)
