"""Cells of one name have the same number in each round: what is known of them is known by their names."""

from __future__ import annotations

import pytest

from duet.frontend import lower
from duet.frontend.lower import Lowered
from duet.frontend.source.parse import parse
from duet.options import Budgets, FrontendOptions

LATE = """
int any(void);
int first, second, third;
void (*hook)(void), (*other)(void);
static int *same(int *p) { int *q = p; if (any()) q = p; return q; }
static void later(void) { *same(&third) = 3; }
static void sooner(void) { hook = later; }
int main(void) {
  while (any()) {
    if (hook) hook();
    *same(&first) = 1;
    *same(&second) = 2;
    if (other) other();
    other = sooner;
  }
  return 0;
}
"""
BUDGETS = {
    "small": Budgets(),
    "shared": Budgets(program_commands=5, inlined_commands_if_large=-1, small_commands=-1),
    "copied": Budgets(program_commands=5, inlined_commands_if_large=-1, small_commands=40),
}


def lowered(text: str, budgets: Budgets) -> Lowered:
    options = FrontendOptions(budgets=budgets, properties=("null-dereference", "array-bounds"))
    return lower.lower(parse(text, "a.c", options), options)


def led(found: Lowered) -> dict[str, set[str]]:
    """Where the copies of a variable lead."""
    names = ("first", "second", "third")
    cells = [cell for cell in found.program.cells if cell.startswith("same::q")]
    return {cell: {name for name in names if name in set(map(str, found.pointers[cell]))} for cell in cells}


@pytest.mark.parametrize("name", ["small", "copied"])
def test_a_copy_that_is_found_later_takes_no_name_of_others(name: str) -> None:
    found = led(lowered(LATE, BUDGETS[name]))
    assert sorted(map(sorted, found.values())) == [["first"], ["second"], ["third"]]


def test_copies_that_share_a_body_share_a_name() -> None:
    found = led(lowered(LATE, BUDGETS["shared"]))
    assert list(map(sorted, found.values())) == [["first", "second", "third"]]


def test_cells_of_one_round_have_different_names() -> None:
    text = "int any(void); int f(int n) { int m = n; if (any()) m++; return m; }\nint main(void) { "
    found = lowered(f"{text} for (int i = 0; i < 3; i++) f(f(i) + f(any())); return f(1) + f(2); }}", Budgets())
    cells = [cell for cell in found.program.cells if cell.startswith("f::m")]
    assert len(cells) == len(set(cells)) >= 5


def test_a_static_variable_has_one_name_whoever_is_found_to_call_first() -> None:
    counting = "return q; }", "static int *kept; kept = q; return kept; }"
    found = lowered(LATE.replace(*counting), BUDGETS["small"])
    assert {name for name in found.pointers if "::kept" in name} == {"same::kept"}
