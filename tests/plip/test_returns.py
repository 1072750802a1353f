"""Bodies that several calls share: behind a call, a thread's own cells are as before unless the body changes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from duet.absint import direct
from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.early import look
from duet.coarsen.evidence import assertions
from duet.deadline import Deadline
from duet.flow import returned
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.plip.returns import Return, returns, without_returns
from duet.plip.syntax import SKIP, Atomic, Command, Guard, Instruction, Program, Step, steps
from duet.reading import read
from tests.frontend.bodies import compiled, fails

SHARED = Budgets(inlined_commands=-1, inlined_commands_if_large=-1, small_commands=-1)
START = """#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <pthread.h>
#include <stdlib.h>
int any(void);
static int total, seen;
static jmp_buf back;
struct s { int a, b; };
static int leaf(int n) { int r = 0; for (int i = 0; i < n; i++) r += i; total++; return r; }
static int mid(int n) { int k = n > 3 ? 3 : 1, x = leaf(n); return x + k; }
static void set(int *p) { *p = 7; }
static void set_again(int *p) { set(p); }
static void fill(struct s *s, int v) { s->a = v; }
static void put(int *a, int i) { a[i] = 5; }
static void leave(int n) { if (n) longjmp(back, 1); }
static void leave_too(int n) { leave(n); total++; }
static void redirect(int **p, int *q) { *p = q; }
static void first(void) { seen = 3; }
static void first_then_set(int *p, int k) { first(); *p = k; }
static void first_then_twice(int *p, int k) { first_then_set(p, k); *p = *p + k; }
static int depth(int n) { int k = n; if (n > 0) { depth(n - 1); depth(n - 1); } seen = k; return k; }
static int odd(int n);
static int even(int n) { int k = n; if (n) odd(n - 1); if (k == 2) seen = 1; return k; }
static int odd(int n) { int k = n; if (n) even(n - 1); return k; }
static void *work(void *p) { *(int *)p = 9; return 0; }
static void start(int *p) { pthread_t t; if (pthread_create(&t, 0, work, p)) exit(1); pthread_join(t, 0); }
static void each(void (*f)(int *), int *p) { f(p); f(p); }
static void maybe(int n) { if (n) total = 7; }
static void maybe_too(int n) { maybe(n); if (n > 9) total = 8; }
static int *where;
static int place(int n) { if (n > 3) return -1; where = &seen; return 0; }
static int twice(int x) { x *= 2; return x; }
static int sum(int n, ...) {
  va_list l; int s = 0; va_start(l, n); for (int i = 0; i < n; i++) s += va_arg(l, int); va_end(l); return s;
}
"""
FAILING = {
    "changed through a pointer": "int i = 1, j = 2; set(&j); set(&i); assert(i == 1);",
    "changed by what the body calls": "int i = 1, j = 2; set_again(&j); set(&j); set_again(&i); assert(i == 1);",
    "a member": "struct s v = {1, 2}, w = v; fill(&w, 3); fill(&v, 9); assert(v.a == 1);",
    "an element": "int a[3] = {1, 2, 3}, b[3] = {0}; put(b, 2); put(a, 1); assert(a[1] == 2);",
    "a pointer": "int x = 1, y = 2, *p = &x, *q = &x; redirect(&q, &x); redirect(&p, &y); *p = 5; assert(y == 2);",
    "the result": "int i = twice(1), j = twice(2); assert(i == j);",
    "another result each time": "int i = twice(3); i = twice(i); assert(i != 12);",
    "a jump": "volatile int i = 1; leave(0); if (!setjmp(back)) { i = 2; leave(1); } assert(i == 1);",
    "a jump over bodies": "volatile int i = 1; leave(0); if (!setjmp(back)) { i = 2; leave_too(1); } assert(i != 2);",
    "recursion": "depth(1); depth(2); assert(seen == 0);",
    "two that call each other": "odd(3); even(4); assert(!seen);",
    "a thread": "int i = 1, j = 2; start(&j); start(&i); assert(i == 1);",
    "by way of a function that is given": "int i = 1, j = 2; each(set, &j); each(set, &i); assert(i == 1);",
    "one of two ways": "int i = 1; if (total) { i = 2; leaf(1); } else { i = 3; leaf(2); } leaf(3); assert(i != 3);",
    "the end of a loop": "int a[3] = {0}, i; for (i = 0; i < 3; i++) leaf(i); leaf(2); assert(i < 3); a[i] = 1;",
    "behind a call that begins the body": "int i = 1; first_then_set(&i, any()); assert(i == 1);",
    "what is reached behind a call that begins the body": "int i = 1; first_then_set(&i, any()); assert(i != 7);",
    "behind two calls that begin bodies": "int i = 1; first_then_twice(&i, any()); assert(i == 1 || i == 7);",
    "what is reached behind these": "int i = 1; first_then_twice(&i, any()); assert(i != 14);",
    "a global that a body may change": "total = 1; maybe(0); total = 2; maybe(1); assert(total == 2);",
    "one that what it calls may change": "total = 1; maybe_too(0); total = 2; maybe_too(1); assert(total == 2);",
    "one that it leaves as it was": "total = 1; maybe(1); total = 2; maybe(0); assert(total == 7);",
    "one that is not set where the body fails": "place(4); leaf(1); maybe(place(5)); assert(where);",
    "a status before it was set again": "int r = place(4); leaf(1); r = 0; leaf(2); if (!r) assert(where);",
    "a status of another call": "int r = place(1), s = place(any()); where = 0; leaf(s); if (!r) assert(where);",
    "a global status that a body may set": "if (!total) where = &seen; leaf(0); maybe(1); if (total) assert(!where);",
    "arguments": "int i = sum(2, 1, 2), j = sum(1, 5); assert(i == j);",
}
PROVED = {
    "what is given to nobody": "int i = 3, a[10]; leaf(2); a[i] = 1; i = 9; leaf(1); assert(i == 9); a[i] = 2;",
    "bodies in bodies": "int i = 3; mid(1); assert(i == 3); i++; mid(2); assert(i == 4); i = leaf(3); mid(i);",
    "in loops": "int i, a[4] = {0}; for (i = 0; i < 4; i++) { mid(i); a[i] = 1; } mid(3); assert(i == 4);",
    "before another call changes it": "int i = 1; leaf(1); assert(i == 1); set(&i); leaf(2); set(&i); assert(i == 7);",
    "a global that a body may change": "total = 1; maybe(any()); total = 2; maybe(any()); assert(total != 1);",
    "one that what it calls may": "total = 1; maybe_too(any()); total = 2; maybe_too(any()); assert(total != 1);",
    "one that is set since the body failed": "if (place(any())) exit(1); leaf(2); place(any()); assert(where);",
    "of two ways": "int i; if (any()) { i = 2; leaf(1); } else { i = 3; leaf(2); } leaf(3); assert(i == 2 || i == 3);",
    "a status behind other calls": "int r = place(any()); leaf(1); if (r) leaf(3); leaf(2); if (!r) assert(where);",
    "a status that other calls ask for": "int r = place(any()); leaf(r); maybe(r); leaf(r); if (!r) assert(where);",
    "relations": "int i = any(), n = any(); if (0 <= i && i < n) { leaf(3); assert(i < n); } leaf(4);",
}


def decided(body: str, folder: Path, change: Callable[[Program], Program] = lambda program: program) -> bool:
    """Whether all checks of a body are proved, where calls share bodies."""
    source = folder / "a.c"
    source.write_text(f"{START}\nint main(void) {{\n{body}\nreturn 0; }}\n", encoding="utf-8")
    options = FrontendOptions(properties=("assertion", "array-bounds"), budgets=SHARED)
    found = read((str(source),), options, Clock())
    program = change(found.program)
    analysis = analyse(program, AnalysisOptions())
    statuses = [assertion.status for assertion in assertions(analysis, found.checks)]
    assert statuses
    return look(program, AnalysisOptions(), Deadline()).is_all or all(status.is_safe for status in statuses)


@pytest.mark.parametrize("name", FAILING)
def test_what_a_body_changes_is_seen(name: str, tmp_path: Path) -> None:
    assert not decided(FAILING[name], tmp_path)


@pytest.mark.parametrize("name", PROVED)
def test_what_a_body_leaves_alone_is_as_before(name: str, tmp_path: Path) -> None:
    assert decided(PROVED[name], tmp_path)


def _at_once(program: Program) -> Program:
    """The program in which a call, and the one that begins its body, are made by one command."""
    commands = list(program.commands)
    for index, command in enumerate(commands):
        behind = program.outgoing[command.target]
        inner = commands[behind[0]] if len(behind) == len(program.incoming[command.target]) == 1 else command
        if inner is not command and all(any(map(_makes, steps(it.instruction))) for it in (command, inner)):
            both = [step for it in (command, inner) for step in steps(it.instruction) if isinstance(step, Step)]
            commands[index] = replace(command, instruction=Atomic(tuple(both)), target=inner.target)
            commands[behind[0]] = Command(inner.source, SKIP, inner.source)
    return replace(program, commands=tuple(commands))


def _makes(step: Instruction) -> bool:
    return isinstance(step, Guard) and step.call > 0


@pytest.mark.parametrize("name", [name for name in FAILING if "call that begins" in name])
def test_several_calls_by_one_command(name: str, tmp_path: Path) -> None:
    assert not decided(FAILING[name], tmp_path, _at_once)


def test_what_fails_does(tmp_path: Path) -> None:
    program = compiled(START, FAILING, tmp_path)
    if program is None:
        pytest.skip("there is no compiler with sanitizers")
    assert [name for at, name in enumerate(FAILING) if not fails(program, at)] == []


def _empty(program: Program) -> Sequence[Return]:
    return [Return(it.call, it.back, frozenset()) for it in returns(program)]


@pytest.mark.parametrize("name", ["the result", "another result each time", "arguments"])
def test_a_body_that_is_forgotten_is_noticed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direct, "returns", _empty)
    monkeypatch.setattr(returned, "returns", _empty)
    assert decided(FAILING[name], tmp_path)


def test_calls_of_which_there_are_copies_are_not_told_apart(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(f"{START}\nint main(void) {{ {PROVED['bodies in bodies']} }}\n", encoding="utf-8")
    program = read((str(source),), FrontendOptions(budgets=SHARED), Clock()).program
    (template,) = program.templates.values()
    found = returns(program)
    assert len(found) > 3
    first = program.commands[found[0].call]
    copied = (*program.commands, first.between(first.source, first.target))
    more = Program(program.cells, {"main": template}, copied, "main")
    assert len(returns(more)) == len(found) - 1
    assert returns(without_returns(program)) == []
