"""Each requirement on PLIP programs is checked: one broken program per requirement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from duet.errors import InternalError
from duet.plip.parser import parse_program
from duet.plip.syntax import (
    Assign,
    Atom,
    Atomic,
    Cell,
    Command,
    Compute,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Operation,
    Program,
    Relation,
    Spawn,
)
from duet.plip.wellformed import check_wellformed, violations

GOOD = parse_program(
    """
    global g = 0
    summary s = 0
    thread main {
      local t
      t := s  s := t + 1  atomic { if (t > 0) { g := 1 g := 2 } }  spawn child(p := t)  join child
    }
    thread child(p) { g := p }
    """
)
G, T, S = (Linear(((name, 1),)) for name in "gts")


def _first(instruction: Instruction) -> Program:
    """The good program with another first command of main."""
    commands = (replace(GOOD.commands[0], instruction=instruction), *GOOD.commands[1:])
    return replace(GOOD, commands=commands)


def _cell(cell: Cell) -> Program:
    return replace(GOOD, cells={**GOOD.cells, cell.name: cell})


def _main(**changes: object) -> Program:
    changed = replace(GOOD.templates["main"], **changes)  # type: ignore[arg-type]  # one field at a time
    return replace(GOOD, templates={**GOOD.templates, "main": changed})


MAIN, CHILD = GOOD.templates["main"], GOOD.templates["child"]
STRAY = Command(MAIN.entry, Guard(Atom(G, Relation.EQ)), MAIN.exit)
BROKEN: dict[str, tuple[Program, str]] = {
    "no main": (replace(GOOD, main="m"), "no template m"),
    "cell under another name": (replace(GOOD, cells={**GOOD.cells, "x": Cell("y")}), "listed as x"),
    "cell of no template": (_cell(Cell("x", template="none")), "does not exist"),
    "cell without initial value": (_cell(Cell("x", lo=1, hi=0)), "no initial value"),
    "cell named like a pseudo-cell": (_cell(Cell("<x>")), "angle brackets"),
    "template under another name": (replace(GOOD, templates={**GOOD.templates, "x": CHILD}), "listed as x"),
    "parameter that is global": (_main(parameters=("g",)), "parameter g"),
    "parameter of another template": (_main(parameters=("p",)), "parameter p"),
    "parameter twice": (_main(parameters=("t", "t")), "twice"),
    "command that does not exist": (_main(commands=(*MAIN.commands, 99)), "does not exist"),
    "command in two templates": (_main(commands=(*MAIN.commands, *CHILD.commands)), "listed by"),
    "command in no template": (replace(GOOD, commands=(*GOOD.commands, STRAY)), "in no template"),
    "location in two templates": (_main(exit=CHILD.exit), "is in"),
    "entry in a region": (_main(atomic=frozenset((MAIN.entry,))), "atomic region"),
    "exit in a region": (_main(atomic=frozenset((MAIN.exit,))), "atomic region"),
    "region elsewhere": (_main(atomic=frozenset((CHILD.exit,))), "atomic region"),
    "unsorted term": (_first(Assign("g", Linear((("t", 1), ("g", 1))))), "not sorted"),
    "cell twice in a term": (_first(Assign("g", Linear((("g", 1), ("g", 1))))), "not sorted"),
    "coefficient 0": (_first(Assign("g", Linear((("g", 0),)))), "coefficient 0"),
    "undeclared cell read": (_first(Assign("g", Linear((("x", 1),)))), "not declared"),
    "undeclared cell written": (_first(Havoc("x")), "not declared"),
    "local of another template": (_first(Assign("g", Linear((("p", 1),)))), "is used in main"),
    "summary in a guard": (_first(Guard(Atom(S, Relation.EQ))), "read otherwise"),
    "summary in a sum": (_first(Assign("g", Linear((("s", 1),), 1))), "read otherwise"),
    "summary scaled": (_first(Assign("g", Linear((("s", 2),)))), "read otherwise"),
    "summary as operand": (_first(Compute("g", Operation.MUL, (S, T))), "read otherwise"),
    "summary as spawn argument": (_first(Spawn("child", (("p", S),))), "read otherwise"),
    "empty havoc": (_first(Havoc("g", 2, 1)), "empty range"),
    "operation with three operands": (_first(Compute("g", Operation.MUL, (T, T, T))), "takes 2"),
    "wrap with two operands": (_first(Compute("g", Operation.WRAP, (T, T))), "takes 3"),
    "wrap with variable bounds": (_first(Compute("g", Operation.WRAP, (T, T, T))), "range of wrap"),
    "spawn of nothing": (_first(Spawn("none")), "does not exist"),
    "spawn argument of another template": (_first(Spawn("child", (("g", T),))), "not local to child"),
    "spawn argument twice": (_first(Spawn("child", (("p", T), ("p", G)))), "two values"),
    "join of nothing": (_first(Join("none")), "does not exist"),
    "spawn in an atomic block": (_first(Atomic((Spawn("child"),))), "no step"),  # type: ignore[arg-type]
    "bad step in an atomic block": (_first(Atomic((Havoc("x"),))), "not declared"),
}


def test_good_program() -> None:
    assert violations(GOOD) == ()
    check_wellformed(GOOD)


@pytest.mark.parametrize("name", BROKEN)
def test_violation_is_found(name: str) -> None:
    program, message = BROKEN[name]
    assert any(message in violation.message for violation in violations(program)), violations(program)
    with pytest.raises(InternalError, match="not well-formed"):
        check_wellformed(program)


def test_violation_has_the_place_of_the_command() -> None:
    (violation,) = violations(_first(Havoc("x")))
    assert violation.span == GOOD.commands[0].span
