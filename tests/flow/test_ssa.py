"""Which definitions of a thread's own cells commands see, and where these meet."""

from __future__ import annotations

from dataclasses import replace

from duet.flow.effects import effects
from duet.flow.ssa import Definitions, Join, _seen_only, single_assignment
from duet.plip.live import live_cells
from duet.plip.parser import parse_program
from duet.plip.syntax import Assert, Guard, Program


def definitions(text: str) -> tuple[Program, Definitions]:
    program = parse_program(text, "t.plip")
    number = {name: at for at, name in enumerate(program.cells)}
    own = {name for name, cell in program.cells.items() if cell.template is not None}
    entries = {template.entry for template in program.templates.values()}
    places = {at for at, arriving in program.incoming.items() if len(arriving) != 1} | entries
    live = {at: {number[name] for name in cells} for at, cells in live_cells(program, places).items()}
    found = effects(program)
    uses = [{number[name] for name in item.reads & own} for item in found]
    defined = [{number[name] for name in item.modifies & own} for item in found]
    return program, single_assignment(program, uses, defined, live)


def of_kind(program: Program, kind: type) -> list[int]:
    return [number for number, command in enumerate(program.commands) if isinstance(command.instruction, kind)]


def loops(count: int) -> str:
    cells = " ".join(f"local r{n} = 0" for n in range(count))
    return f"thread main {{ {cells} " + " ".join(f"while (r{n} < 9) {{ r{n} := r{n} + 1 }}" for n in range(count)) + "}"


def test_what_is_overwritten_is_not_seen() -> None:
    program, found = definitions("thread main { local r  local s  r := 1  r := 2  s := r  assert s == 2 }")
    (reader,) = of_kind(program, Assert)
    (copied,) = found.seen[reader].values()
    assert copied is not None
    (read,) = found.seen[copied].values()
    assert read == copied - 1
    assert found.joins == []


def test_definitions_of_two_ways_meet() -> None:
    _, found = definitions("thread main { local r  if (*) { r := 1 } else { r := 2 }  assert r <= 2 }")
    (join,) = found.joins
    assert len({brought for _, brought in join.inputs}) == 2
    assert [seen for seen in found.seen if seen] == [{join.cell: ~0}]


def test_what_is_not_read_later_has_no_join() -> None:
    _, found = definitions("thread main { local r  if (*) { r := 1 } else { r := 2 }  r := 3  assert r == 3 }")
    assert found.joins == []


def test_a_loop_joins_what_comes_in_and_what_comes_back() -> None:
    program, found = definitions(
        "thread main { local r  local s  r := 0  s := 5  skip  while (r < 3) { r := r + 1 }  assert s == 5 }"
    )
    names = {list(program.cells)[join.cell] for join in found.joins}
    assert names == {"r"}  # nothing in the loop changes the other one
    assert any(len({brought for _, brought in join.inputs}) == 2 for join in found.joins)


def test_a_join_is_a_definition() -> None:
    _, found = definitions("""thread main { local r  r := 0
      if (*) { if (*) { r := 1 } else { r := 2 }  skip }  assert r <= 2 }""")
    inner, outer = sorted(found.joins, key=lambda join: any((brought or 0) < 0 for _, brought in join.inputs))
    assert all((brought or 0) > 0 for _, brought in inner.inputs)
    assert [seen for seen in found.seen if seen] == [{outer.cell: ~found.joins.index(outer)}]


def test_what_passes_a_guard_is_another_definition() -> None:
    program, found = definitions("thread main { local r  if (r == 1) { assert r == 1 } else { assert r != 1 } }")
    asserted = [found.seen[number] for number in of_kind(program, Assert)]
    assert len(asserted) == 2
    assert {seen for both in asserted for seen in both.values()} <= set(of_kind(program, Guard))


def test_a_join_of_one_definition_is_that_one() -> None:
    circle = [Join(5, 0, [(1, 3), (2, ~1)]), Join(6, 0, [(4, ~0)])]
    two, unseen = Join(7, 0, [(5, ~1), (6, 4)]), Join(8, 0, [(7, 3), (8, 4)])
    found = _seen_only(Definitions([*circle, unseen, two], [{0: ~1}, {0: ~3}]), ())
    assert found == Definitions([replace(two, inputs=[(5, 3), (6, 4)])], [{0: 3}, {0: ~0}])
    found = _seen_only(Definitions(circle, [{0: ~1}]), {5})
    assert found == Definitions([replace(circle[0], inputs=[(1, 3), (2, ~0)])], [{0: ~0}])


def test_code_that_nobody_reaches_sees_nothing() -> None:
    text = "thread main { local r = 0  while (true) { r := r + 1 }  assert r == 0 }"
    _, found = definitions(text)
    assert all(join.inputs or join.location == 0 for join in found.joins)


def test_joins_grow_with_the_program_and_not_with_its_square() -> None:
    few, many = (len(definitions(loops(count))[1].joins) for count in (20, 80))
    assert many <= 4 * few + 4
