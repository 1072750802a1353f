"""What lowering makes of threads, shared accesses, locks, checks and options."""

from __future__ import annotations

import pytest

from duet.errors import SourceError
from duet.frontend.lower import Lowered, lower
from duet.frontend.source.parse import parse
from duet.options import Budgets, FrontendOptions
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.printer import show_instruction
from duet.plip.syntax import Assert, Instruction, Join, Spawn
from duet.plip.wellformed import violations

TWO = """typedef unsigned long pthread_t; void *w(void *a) { %s return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); %s return 0; }"""


def lowered(text: str, options: FrontendOptions | None = None) -> Lowered:
    options = options or FrontendOptions()
    found = lower(parse(text, "program.c", options), options)
    assert violations(found.program) == ()
    return found


def commands(found: Lowered, template: str = "main") -> list[str]:
    return [show_instruction(instruction) for instruction in instructions(found, template)]


def instructions(found: Lowered, template: str = "main") -> list[Instruction]:
    return [found.program.commands[index].instruction for index in found.program.templates[template].commands]


def test_each_access_to_a_shared_cell_is_a_step_of_its_own() -> None:
    texts = commands(lowered("int c; int main(void) { c = c + 1; return 0; }"))
    assert len(texts) == 2
    assert texts[0].endswith(":= c")
    assert texts[1].startswith("c := ")


def test_a_condition_on_one_shared_read_is_a_guard_on_the_cell() -> None:
    texts = commands(lowered("int ready; int main(void) { while (!ready) ; ready = 0; return 0; }"))
    assert [text for text in texts if text != "skip"] == ["[ready != 0]", "[ready == 0]", "ready := 0"]


def test_a_condition_on_two_shared_reads_reads_each_first() -> None:
    texts = commands(lowered("int a, b; int main(void) { if (a == b) a = b = 1; return 0; }"))
    assert texts[0].endswith(":= a")
    assert all("b" in text and " a " not in text for text in texts[1:3])


def test_a_mutex_is_an_atomic_wait_for_zero() -> None:
    found = lowered(
        "typedef struct { int __x; } pthread_mutex_t; struct d { pthread_mutex_t m; } d;"
        "int main(void) { pthread_mutex_lock(&d.m); pthread_mutex_unlock(&d.m); return 0; }"
    )
    assert commands(found) == ["atomic { [d.m == 0]; d.m := 1; }", "d.m := 0"]


def test_trylock_branches_directly() -> None:
    found = lowered(
        "typedef struct { int __x; } pthread_mutex_t; pthread_mutex_t m; int g;"
        "int main(void) { if (pthread_mutex_trylock(&m) == 0) g = 1; return 0; }"
    )
    assert commands(found) == ["atomic { [m == 0]; m := 1; }", "[m != 0]", "g := 1"]


def test_constant_results_go_straight_to_the_matching_branch() -> None:
    found = lowered(
        "int g; int ok(int v) { if (v > 9) return -22; return 0; }"
        "int main(void) { int v = __VERIFIER_nondet_int(); if (ok(v)) g = 1; else g = 2; return 0; }"
    )
    texts = commands(found)
    assert [text for text in texts if text.startswith("[")] == ["[ok::v >= 10]", "[ok::v <= 9]"] or [
        text for text in texts if text.startswith("[")
    ] == ["[main::v >= 10]", "[main::v <= 9]"]


def test_every_spawn_site_has_a_template_of_its_own() -> None:
    found = lowered(TWO % ("", ""))
    kinds = multiplicities(found.program)
    assert list(found.program.templates) == ["main", "w", "w#2"]
    assert set(kinds.values()) == {Multiplicity.ONE}


CREATING = "void *w(void *a) { return a; } unsigned long t; int main(int n, char **v) { int i; %s return 0; }"


@pytest.mark.parametrize(
    "loop",
    [
        "for (i = 0; i < n; i++) pthread_create(&t, 0, w, 0);",
        "for (i = 0; i < 100; i++) pthread_create(&t, 0, w, 0);",
        "for (i = 0; i < 2; i++) { pthread_create(&t, 0, w, 0); if (n) i = 0; }",
        "for (i = 0; i < 2; i++) { int *p = &i; pthread_create(&t, 0, w, 0); *p = 0; }",
        "int *p = &i; for (i = 0; i < 2; i++) { pthread_create(&t, 0, w, 0); *p = 0; }",
        "again: for (i = 0; i < 2; i++) pthread_create(&t, 0, w, 0); if (n) goto again;",
        "for (i = 0; i < 2; i++) { inside: pthread_create(&t, 0, w, 0); } if (n) goto inside;",
        "if (n) i = 0; else i = -9; for (; i < 2; i++) pthread_create(&t, 0, w, 0);",
        "unsigned char k; for (k = 0; k < 300; k++) pthread_create(&t, 0, w, 0);",
        "i = 0; while (i < 2) { pthread_create(&t, 0, w, 0); if (n) continue; i++; }",
    ],
)
def test_a_spawn_in_a_loop_that_may_run_many_times_is_many(loop: str) -> None:
    assert multiplicities(lowered(CREATING % loop).program)["w"] is Multiplicity.MANY


@pytest.mark.parametrize(
    ("loop", "count"),
    [
        ("for (i = 0; i < 2; i++) pthread_create(&t, 0, w, 0);", 2),
        ("for (i = 3; i > 0 && n < 5; --i) if (pthread_create(&t, 0, w, 0)) break;", 3),
        ("for (i = 0; i < 5; i += 2) { if (n) continue; pthread_create(&t, 0, w, 0); }", 3),
        ("i = 0; while (i < 2) { pthread_create(&t, 0, w, 0); i++; }", 2),
        ("const int m = 2; for (i = 0; i < m; i++) for (int k = i; k < m; k++) pthread_create(&t, 0, w, 0);", 3),
    ],
)
def test_each_spawn_of_a_short_loop_has_a_template_of_its_own(loop: str, count: int) -> None:
    found = multiplicities(lowered(CREATING % loop).program)
    assert set(found) == {"main", "w", *(f"w#{number}" for number in range(2, count + 1))}
    assert set(found.values()) == {Multiplicity.ONE}


def test_join_needs_one_known_thread() -> None:
    known = lowered(TWO % ("", "pthread_join(s, 0);"))
    assert [i.template for i in instructions(known) if isinstance(i, Join)] == ["w"]
    mixed = lowered(TWO % ("", "if (__VERIFIER_nondet_bool()) s = t; pthread_join(s, 0);"))
    assert [i.template for i in instructions(mixed) if isinstance(i, Join)] == ["w", "w#2"]
    before = {c.source: c for c in mixed.program.commands if isinstance(c.instruction, Join)}
    tests = {c.target: str(c.instruction) for c in mixed.program.commands if c.target in before}
    assert all("==" in test for test in tests.values()), "each join is of the thread that the id is found to mean"


def test_places_that_start_a_thread_share_its_template_in_a_very_large_program() -> None:
    found = lowered(TWO % ("", "pthread_join(s, 0);"), FrontendOptions(budgets=Budgets(template_commands=-1)))
    kinds = multiplicities(found.program)
    assert kinds == {"main": Multiplicity.ONE, "w#shared": Multiplicity.MANY}
    assert not [i for i in instructions(found) if isinstance(i, Join)], "one of them is joined, not all"


def test_an_escaping_local_is_shared_and_a_summary_for_many_instances() -> None:
    text = """void *w(void *a) { *(int *)a = 1; return 0; }
    void *p(void *a) { int x = 0; unsigned long t; pthread_create(&t, 0, w, &x); return 0; }
    int main(void) { unsigned long t; %s pthread_create(&t, 0, p, 0); return 0; }"""
    one = lowered(text % "").program.cells["p::x"]
    assert (one.template, one.summary) == (None, False)
    many = lowered(text % "while (__VERIFIER_nondet_bool())").program.cells["p::x"]
    assert (many.template, many.summary) == (None, True)


def test_conjunctions_are_checked_path_by_path_as_one_check() -> None:
    found = lowered("int a, b; int main(void) { assert(a == 0 && (b == 0 || b == 1)); a = b = 2; return 0; }")
    copies = [i for i in instructions(found) if isinstance(i, Assert)]
    assert len(copies) > 2
    assert len({copy.check for copy in copies}) == 1


def test_checks_of_functions_that_nothing_calls_are_listed() -> None:
    found = lowered("void f(int x) { assert(x); } int main(void) { return 0; }")
    assert [check.function for check in found.checks] == ["f"]


def test_parameterized_entries_are_spawned_in_loops_after_init() -> None:
    text = "int g; void init(void) { g = 1; } void a(int x) { g = x; } int b(void) { return g; }"
    found = lowered(text, FrontendOptions(parameterized=True, entries=("all",)))
    assert found.entries == ("a", "b")
    assert found.mode == "parameterized"
    kinds = multiplicities(found.program)
    assert kinds["a"] is kinds["b"] is Multiplicity.MANY
    assert commands(found)[0] == "g := 1"
    once = lowered(text, FrontendOptions(entries=("a",)))
    assert [i.template for i in instructions(once) if isinstance(i, Spawn)] == ["a"]
    assert multiplicities(once.program)["a"] is Multiplicity.ONE


def test_no_main_is_an_error_that_names_the_option() -> None:
    with pytest.raises(SourceError, match="--entries"):
        lowered("int f(void) { return 0; }")


def test_unknown_functions_are_reported_and_change_what_they_reach() -> None:
    found = lowered("int get(int *); int main(void) { int x = 0; get(&x); assert(x == 0); return 0; }")
    assert [warning.code for warning in found.warnings] == ["unknown-function"]
    assert any(text.startswith("main::x := *") for text in commands(found))


def test_a_region_that_branches_is_atomic() -> None:
    found = lowered(
        "int a, b; int main(void) { __VERIFIER_atomic_begin(); if (a) b = 1; else { b = 2; a = 3; }"
        "__VERIFIER_atomic_end(); return 0; }"
    )
    assert all(text.startswith(("atomic", "[")) for text in commands(found))
