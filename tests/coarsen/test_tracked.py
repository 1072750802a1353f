"""What one thread that runs at most once must have done by the time another thread is somewhere."""

from __future__ import annotations

from duet.coarsen.lasting import INITIAL, Writes
from duet.coarsen.lineages import Lineages
from duet.coarsen.tracked import Tracked
from tests.coarsen.fixpoints import at, fixpoint


class Case:
    """A program of which the thread `w` is tracked; `r := 1`, `r := 2`, ... mark locations of main."""

    def __init__(self, text: str, template: str = "w") -> None:
        self.found = fixpoint(f"global x = 0 {text}")
        self.program = self.found.graph.program
        lineages = Lineages(self.program, self.found.invariants)
        self.tracked = Tracked(lineages, template)
        self.writes = Writes(self.found.graph, lineages, self.tracked)

    def last(self, mark: int, limit: int = 1000) -> set[int] | None:
        """The values that the last write of x may have given it, -1 for the initial one; None for no answer."""
        arriving = self.tracked.arriving(self.writes, limit)
        place = self.program.commands[at(self.program, "r", mark)].source
        if arriving is None or place not in arriving:
            return None
        found = self.writes.last_writes(arriving[place], self.found.graph.packing.pack_of["x"])
        return {c if c == INITIAL else self.program.commands[c].instruction.value.constant for c in found}  # type: ignore[union-attr]


MAIN = "thread main { local r  r := 1  spawn w  r := 2  join w  r := 3 }"


def test_a_chain_leads_from_main_to_the_template() -> None:
    nested = "thread main { local r  spawn v  r := 1 } thread v { spawn w } thread w { x := 1 }"
    assert Case(nested).tracked.chain == ("main", "v", "w")
    assert Case(nested).tracked.later == {"w"}
    assert Case(nested, "v").tracked.later == {"v", "w"}
    many = "thread main { local r  while (*) { spawn w } r := 1 } thread w { x := 1 }"
    assert Case(many).tracked.chain == ()
    never = "thread main { local r  r := 1 } thread w { x := 1 }"
    assert Case(never).tracked.chain == ()


def test_before_the_start_nothing_and_behind_the_join_all_is_done() -> None:
    case = Case(f"{MAIN} thread w {{ x := 5  x := 6 }}")
    assert case.last(1) == {INITIAL}
    assert case.last(2) == {INITIAL, 5, 6}
    assert case.last(3) == {6}


def test_third_threads_may_have_written_too() -> None:
    main = MAIN.replace("r := 1  spawn w", "r := 1  spawn v  spawn w")
    case = Case(f"{main} thread w {{ x := 5 }} thread v {{ x := 7 }}")
    assert case.last(1) == {INITIAL}
    assert case.last(3) == {5, 7}


def test_a_location_that_the_last_writes_do_not_let_pass_is_not_reached() -> None:
    text = "thread main { local r  spawn w  join w  r := 1  [x == 5]  r := 2 } thread w { x := 5  x := 6 }"
    case = Case(text)
    assert case.last(1) == {6}
    assert case.last(2) is None


def test_too_many_states_give_no_answer() -> None:
    case = Case(f"{MAIN} thread w {{ x := 5  x := 6 }}")
    assert case.tracked.arriving(case.writes, 2) is None


def test_the_tracked_lineage_has_begun_where_it_is_in_its_template() -> None:
    case = Case(f"{MAIN} thread w {{ x := 5 }}")
    assert case.tracked.is_begun(case.program.templates["w"].entry)
    assert not case.tracked.is_begun(case.program.templates["main"].entry)
