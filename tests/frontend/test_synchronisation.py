"""Models of synchronisation: what is assumed of weak orders, and results that programs branch on."""

from pathlib import Path

import pytest

from duet.frontend.lower import Lowered, lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import FrontendOptions
from duet.plip.printer import show_instruction
from duet.plip.syntax import Join
from duet.plip.touched import writes

ATOMIC = "_Atomic int x; int r, expected; int main(void) { %s return 0; }"


def lowered(text: str) -> Lowered:
    options = FrontendOptions()
    return lower(parse(text, "program.c", options), options)


def weak(found: Lowered) -> list[str]:
    return [text for text in found.assumptions if "memory_order_seq_cst" in text]


@pytest.mark.parametrize(
    "operation",
    [
        "atomic_store_explicit(&x, 1, 0);",
        "r = atomic_load_explicit(&x, 2);",
        "r = __atomic_fetch_add(&x, 1, 4);",
        "r = atomic_compare_exchange_strong_explicit(&x, &expected, 1, 5, 0);",
        "r = __sync_lock_test_and_set(&x, 1);",
        "r = atomic_exchange_explicit(&x, 2, r);",
    ],
)
def test_a_weak_order_is_an_assumption_that_names_its_place(operation: str) -> None:
    (text,) = weak(lowered(ATOMIC % f"\n{operation}"))
    assert text.endswith("program.c:2")


def test_all_weak_places_are_one_assumption() -> None:
    (text,) = weak(lowered(ATOMIC % "\natomic_store_explicit(&x, 1, 0);\nr = 1;\nr = atomic_load_explicit(&x, 0);"))
    assert text.endswith("program.c:2, program.c:4")


@pytest.mark.parametrize(
    "operation",
    [
        "atomic_store(&x, 1);",
        "r = atomic_load_explicit(&x, 5);",
        "r = __sync_fetch_and_add_4(&x, 1);",
        "x += 1;",
        "r = __atomic_compare_exchange_n(&x, &expected, 1, 0, 5, 5);",
    ],
)
def test_sequentially_consistent_operations_assume_nothing(operation: str) -> None:
    assert not weak(lowered(ATOMIC % operation))


KERNEL = """#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
int x, r; unsigned long bits; atomic_t counter; atomic64_t wide; atomic_long_t words;
int main(void) {
%s
return 0; }"""


@pytest.mark.parametrize(
    ("operation", "is_weak"),
    [
        ("r = READ_ONCE(x);", True),
        ("WRITE_ONCE(x, 1);", True),
        ("smp_store_release(&x, 1);", True),
        ("r = smp_load_acquire(&x);", True),
        ("atomic_inc(&counter);", True),
        ("r = atomic64_read(&wide);", True),
        ("atomic_long_set(&words, 1);", True),
        ("set_bit(2, &bits);", True),
        ("r = atomic_long_add_return_relaxed(1, &words);", True),
        ("r = atomic64_inc_return(&wide);", False),
        ("r = atomic_add_unless(&counter, 1, 0);", False),
        ("r = test_and_set_bit(2, &bits);", False),
        ("smp_mb(); x = 1;", False),
    ],
)
def test_operations_of_the_kernel_that_order_nothing_are_weak(tmp_path: Path, operation: str, is_weak: bool) -> None:
    options, path = FrontendOptions(model="linux"), tmp_path / "program.c"
    path.write_text(KERNEL % operation, encoding="utf-8")
    text = preprocess(str(path), options).text
    found = weak(lower(parse(text, str(path), options), options))
    assert [text.endswith("program.c:6") for text in found] == [True] * is_weak


def starts(found: Lowered) -> list[str]:
    return [text for text in found.assumptions if text.startswith("threads are started")]


CREATING = "typedef unsigned long pthread_t; void *w(void *a) { return a; } pthread_t t; int r; int main(void) {%s}"


@pytest.mark.parametrize("creation", ["pthread_create(&t, 0, w, 0);", "(void)pthread_create(&t, 0, w, 0), r = 1;"])
def test_threads_start_where_nobody_asks(creation: str) -> None:
    (text,) = starts(lowered(CREATING % f"\n{creation}"))
    assert text.endswith("program.c:2")


@pytest.mark.parametrize("creation", ["r = pthread_create(&t, 0, w, 0);", "if (pthread_create(&t, 0, w, 0)) r = 1;"])
def test_threads_may_not_start_where_somebody_asks(creation: str) -> None:
    assert not starts(lowered(CREATING % creation))


def test_a_thread_whose_code_is_not_known_may_use_what_it_is_given_at_any_time() -> None:
    found = lowered(
        "int x, y; void hook(void) { y = 1; } struct job { void (*run)(void); int *where; } job = {hook, &x};"
        "void *elsewhere(void *a); int main(void) { unsigned long t; pthread_create(&t, 0, elsewhere, &job); x = y; }"
    )
    assert set(found.program.templates) == {"main", "elsewhere", "hook"}
    place = {found.program.template_of[c.source] for c in found.program.commands if "x" in writes(c.instruction)}
    assert place == {"main", "elsewhere"}


def test_only_weak_exchanges_fail_without_reason() -> None:
    call = "if (atomic_compare_exchange_%s(&x, &expected, 1)) r = 1; else r = 2;"

    def tests(kind: str) -> list[str]:
        found = lowered(ATOMIC % (call % kind))
        texts = [show_instruction(command.instruction) for command in found.program.commands]
        return [text for text in texts if text.startswith("expected :=")]

    assert len(tests("weak")) > len(tests("strong"))


@pytest.mark.parametrize(("count", "is_ordered"), [("2", True), ("n", False)])
def test_a_barrier_orders_something_iff_its_count_is_known(count: str, is_ordered: bool) -> None:
    found = lowered(
        f"""typedef unsigned long pthread_t; typedef struct {{ int __s; }} pthread_barrier_t;
        pthread_barrier_t b; int n;
        void *w(void *a) {{ pthread_barrier_wait(&b); return 0; }}
        int main(void) {{ pthread_t t; pthread_barrier_init(&b, 0, {count}); pthread_create(&t, 0, w, 0);
        pthread_barrier_wait(&b); return 0; }}"""
    )
    texts = [show_instruction(command.instruction) for command in found.program.commands]
    assert any("arrival" in text for text in texts) == is_ordered


@pytest.mark.parametrize("spoiler", ["pthread_detach(t);", "pthread_cancel(t);"])
def test_joining_a_thread_that_is_detached_or_cancelled_orders_nothing(spoiler: str) -> None:
    text = (
        "typedef unsigned long pthread_t; void *w(void *a) { return 0; }"
        "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); %s pthread_join(t, 0); return 0; }"
    )
    assert any(isinstance(c.instruction, Join) for c in lowered(text % "").program.commands)
    assert not any(isinstance(c.instruction, Join) for c in lowered(text % spoiler).program.commands)


@pytest.mark.parametrize(
    ("call", "text"), [("flockfile(stdout);", "has locked a stream"), ("fork();", "no lock that another thread has")]
)
def test_locks_that_deadlocks_know_nothing_of_are_assumptions_with_their_places(call: str, text: str) -> None:
    source = f"struct _IO_FILE; extern struct _IO_FILE *stdout;\nint main(void) {{\n{call} return 0; }}"
    for properties, count in ((("deadlock",), 1), (("assertion",), 0)):
        options = FrontendOptions(properties=properties)
        found = lower(parse(source, "program.c", options), options).assumptions
        assert sum(text in item and item.endswith("program.c:3") for item in found) == count
