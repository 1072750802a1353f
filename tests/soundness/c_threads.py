"""Random C programs with threads, and executions of them under random schedules.

Values stay small, so checks against random constants both hold and fail. The scheduler of `tests/c/runtime` runs one
thread at a time, so that what is seen is sequentially consistent.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.c.schedules import RUNTIME, compile_runtime
from tests.soundness.c_objects import DECLARATIONS, on_objects
from tests.soundness.c_oracle import COMPILER, Seen

_DECLARATIONS = """#define _GNU_SOURCE 1
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
struct cell { int v; int *to; pthread_mutex_t lock; };
int x, y, z = 1; int flag; _Atomic int count; unsigned char narrow = 254; int items[3];
__thread int mine = 1;
struct cell shared; struct cell *where = &shared; int *to = &x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
union word { int whole; unsigned char bytes[4]; unsigned short halves[2]; };
union word word; int *heap; enum mode { OFF, ON = 2, BUSY } mode;
pthread_spinlock_t spin; pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER; sem_t permits;
pthread_mutex_t nested = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_once_t once = PTHREAD_ONCE_INIT;
void initialise(void) { flag = 2; }
int plain(int v) { y = v; return v & 3; }
int other(int v) { z = v; return 1; }
int (*operation)(int) = plain; int (*const operations[2])(int) = {plain, other};
int step(int v) { switch (v) { case 0: return 1; case 1: x = 2; case 2: return 3; default: return 0; } }
int set(int *p, int v) { *p = v; return v > 1 ? 0 : -1; }
int bump(void) { static int calls; calls++; return calls & 3; }
void __VERIFIER_atomic_pair(int v) { x = v; y = v; }"""
_SHARED = (
    *("x", "y", "z", "flag", "count", "narrow", "items[1]", "shared.v", "where->v", "*to", "mine"),
    *("word.bytes[0]", "word.whole", "heap[0]", "heap[1]", "mode"),
)
_PLAIN = ("x", "y", "z", "items[0]", "items[2]", "shared.v")


@dataclass
class Writer:
    """The function being written."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    locals: list[str] = field(default_factory=list)
    counters: list[str] = field(default_factory=list)  # of the loops around, each below 3
    number: int = 0
    held: int = 0

    def put(self, text: str) -> None:
        self.lines.append(text)

    def value(self) -> str:
        rng = self.rng
        if self.counters and rng.random() < 0.4:
            counter = rng.choice(self.counters)
            return rng.choice((counter, f"items[{counter}]", f"{counter} + 1"))
        kind = rng.randrange(5)
        if kind < 2:
            return str(rng.randrange(4))
        if kind == 2:
            return rng.choice(self.locals)
        place = rng.choice((*_SHARED, "items[k & 1]"))
        return place if kind == 3 else f"(({place} + {rng.randrange(1, 3)}) & 7)"

    def condition(self) -> str:
        rng = self.rng
        relation = rng.choice(("==", "!=", "<", "<=", ">"))
        left = rng.choice((*_SHARED, *self.locals, *self.counters, *(f"items[{name}]" for name in self.counters)))
        right = rng.choice((str(rng.randrange(4)), str(rng.randrange(4)), *self.locals))
        found = f"{left} {relation} {right}"
        return f"{found} {rng.choice(('&&', '||'))} {rng.choice(_SHARED)}" if rng.random() < 0.15 else found

    def check(self) -> None:
        self.put(f"__goblint_check({self.condition()});")

    def operation(self) -> None:
        rng = self.rng
        place, name = rng.choice(_PLAIN), rng.choice(self.locals)
        if self.counters and rng.random() < 0.4:
            place = f"items[{rng.choice(self.counters)}]"
        self.put(
            rng.choice((
                f"{rng.choice((*_SHARED, 'items[k & 1]', name))} = {self.value()};",
                f"{place} = {self.value()};",
                f"{name} = {self.value()};",
                f"{name} = {rng.choice(_SHARED)};",
                "narrow++;",
                "count++;",
                f"{name} = __sync_fetch_and_add(&{place}, 1);",
                f"{name} = __atomic_exchange_n(&{place}, {rng.randrange(3)}, 5);",
                f"{name} = __sync_bool_compare_and_swap(&{place}, {rng.randrange(2)}, {rng.randrange(3)});",
                f"{name} = __sync_val_compare_and_swap(&{place}, {rng.randrange(2)}, {name});",
                f"{name} = atomic_fetch_sub(&count, 1);",
                f"__atomic_store_n(&{place}, {self.value()}, 5);",
                f"__VERIFIER_atomic_pair({rng.randrange(4)});",
                f"{name} = set(&{place}, {self.value()});",
                f"if (set(to, {self.value()})) {place} = 3;",
                f"to = &{place};",
                f"shared.to = &{name}; *shared.to = 2; shared.to = &x;",
                f"{name} = bump();",
                f"mine = {self.value()};",
                f"word.{rng.choice(('whole', 'bytes[0]', 'bytes[1]', 'halves[0]'))} = {self.value()};",
                f"heap[{rng.randrange(2)}] = {self.value()};",
                f"{name} = operation({self.value()});",
                f"operation = {rng.choice(('plain', 'other'))};",
                f"{name} = operations[({name}) & 1]({self.value()});",
                f"{name} = step({self.value()});",
                f"mode = {rng.choice(('OFF', 'ON', 'BUSY'))};",
                f"where = &shared; where->to = &{place};",
                f"pthread_once(&once, initialise); {name} = flag;",
            ))
        )  # fmt: skip

    def statement(self, depth: int) -> None:
        rng = self.rng
        if rng.random() < 0.45:
            self.check()
        kind = rng.randrange(15) if depth else 0
        if kind < 6 and not self.held and rng.random() < 0.2:
            self.put(on_objects(rng, self.locals, self.value()))
        elif kind < 6:
            self.operation()
        elif kind == 6 and self.held < 2:
            self.locked(depth)
        elif kind == 7:
            self.put(f"if ({self.condition()}) {{")
            self.block(depth)
            if rng.random() < 0.5:
                self.put("} else {")
                self.block(depth)
            self.put("}")
        elif kind == 8:
            self.loop(depth)
        elif kind == 9 and not self.held:
            self.put(f"while (!({rng.choice(_PLAIN)} {rng.choice(('>', '!='))} 0)) {{ }}")
        elif kind == 10 and not self.held:
            self.put("__VERIFIER_atomic_begin();")
            self.operation()
            self.operation()
            self.put("__VERIFIER_atomic_end();")
        elif kind == 11 and not self.held:
            self.put("if (pthread_mutex_trylock(&m) == 0) {")
            self.held += 1
            self.block(depth)
            self.held -= 1
            self.put("pthread_mutex_unlock(&m); }")
        elif kind == 12 and not self.held:
            self.bracketed(depth)
        elif kind == 13:
            self.switched(depth)
        else:
            self.operation()

    def loop(self, depth: int) -> None:
        """A loop with a counter, which may be left or go on early, also while others wait."""
        rng = self.rng
        counter, last = f"i{self.number}", rng.randrange(1, 4)
        self.number += 1
        start, test, step, end = rng.choice((
            ("0", f"{counter} < {last}", f"{counter}++", last),
            (f"{last - 1}", f"{counter} >= 0", f"{counter} -= 1", -1),
        ))  # fmt: skip
        is_for = rng.random() < 0.7
        self.put(f"{{ int {counter} = {start};")
        self.put(f"for (; {test}; {step}) {{" if is_for else f"while ({test}) {{")
        self.counters.append(counter)
        self.block(depth)
        if rng.random() < 0.4:
            self.put(f"if ({self.condition()}) {'continue' if is_for and rng.random() < 0.5 else 'break'};")
            self.block(depth)
        self.counters.pop()
        self.put("}" if is_for else f"{step}; }}")
        self.put(f"__goblint_check({counter} == {end}); }}")

    def bracketed(self, depth: int) -> None:
        """Statements between two calls of another kind of synchronisation."""
        before, after = self.rng.choice((
            ("pthread_spin_lock(&spin);", "pthread_spin_unlock(&spin);"),
            ("pthread_rwlock_rdlock(&readers);", "pthread_rwlock_unlock(&readers);"),
            ("pthread_rwlock_wrlock(&readers);", "pthread_rwlock_unlock(&readers);"),
            ("sem_wait(&permits);", "sem_post(&permits);"),
            ("if (sem_trywait(&permits) == 0) {", "sem_post(&permits); }"),
            ("if (pthread_rwlock_trywrlock(&readers) == 0) {", "pthread_rwlock_unlock(&readers); }"),
            ("pthread_mutex_lock(&nested); pthread_mutex_lock(&nested);",
             "pthread_mutex_unlock(&nested); pthread_mutex_unlock(&nested);"),
        ))  # fmt: skip
        self.put(before)
        self.held += 1
        self.block(depth)
        self.held -= 1
        self.put(after)

    def switched(self, depth: int) -> None:
        """A switch over a shared place, with a case that goes on into the next one."""
        rng = self.rng
        self.put(f"switch ({rng.choice((*_PLAIN, 'mode', 'word.bytes[0]', *self.locals))}) {{")
        for case in sorted(rng.sample(range(4), 2)):
            self.put(f"case {case}:")
            self.block(depth)
            if rng.random() < 0.6:
                self.put("break;")
        self.put("default:")
        self.block(depth)
        self.put("}")

    def locked(self, depth: int) -> None:
        lock = "&n" if self.held else self.rng.choice(("&m", "&m", "&where->lock"))
        self.put(f"pthread_mutex_lock({lock});")
        self.held += 1
        if self.held == 1 and lock == "&m" and self.rng.random() < 0.3:
            self.put(f"while ({self.rng.choice(_PLAIN)} == 0) pthread_cond_wait(&changed, &m);")
        self.block(depth)
        if self.rng.random() < 0.3:
            self.put("pthread_cond_broadcast(&changed);")
        self.held -= 1
        self.put(f"pthread_mutex_unlock({lock});")

    def block(self, depth: int) -> None:
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(depth - 1)


def random_threads(seed: int) -> str:
    """The text of a program with one to three threads besides main, and checks."""
    writer = Writer(random.Random(seed))
    rng = writer.rng
    writer.lines = [*_DECLARATIONS.splitlines(), *DECLARATIONS.splitlines()]
    count = rng.randrange(1, 3)
    kinds = [rng.randrange(3) for _ in range(count)]
    for number, kind in enumerate(kinds):
        writer.put(f"void *thread{number}(void *argument) {{")
        writer.put(("int k = 1;", "int k = (int)(long)argument;", "int k = *(int *)argument;")[kind])
        writer.put("int a = 0;")
        writer.locals = ["k", "a"]
        for _ in range(rng.randrange(2, 5)):
            writer.statement(2)
        writer.put(f"return (void *)(long){rng.randrange(3)};" if kind else "return 0;")
        writer.put("}")
    writer.put("int main(void) {")
    writer.put(f"int k = {rng.randrange(3)}, a = 1; void *result = 0;")
    writer.locals = ["k", "a"]
    writer.put("heap = calloc(2, sizeof *heap); pthread_spin_init(&spin, 0); sem_init(&permits, 0, 1);")
    writer.put(f"pthread_t {', '.join(f't{number}' for number in range(count + 1))};")
    _body(writer, kinds)
    if rng.random() < 0.4:
        _team(writer, kinds)
    writer.put("return 0;")
    writer.put("}")
    return "\n".join(writer.lines) + "\n"


def _body(writer: Writer, kinds: list[int]) -> None:
    """Main: threads are started, some twice, and joined or not, between other statements."""
    rng = writer.rng
    starts = [*range(len(kinds)), *([rng.randrange(len(kinds))] if rng.random() < 0.4 else [])]
    running: list[int] = []
    borrowing: set[int] = set()  # threads that have the address of a local of main, which must not end before them
    for place, number in enumerate(starts):
        if rng.random() < 0.5:
            writer.statement(1)
        argument = ("0", f"(void *){rng.randrange(3)}L", "&a" if rng.random() < 0.6 else "&x")[kinds[number]]
        writer.put(f"pthread_create(&t{place}, 0, thread{number}, {argument});")
        running.append(place)
        if argument == "&a":
            borrowing.add(place)
        if rng.random() < 0.3:
            writer.put(f"pthread_join(t{running.pop()}, &result);")
            writer.check()
    for _ in range(rng.randrange(1, 4)):
        writer.statement(2)
    for place in running:
        if place in borrowing or rng.random() < 0.7:
            writer.put(f"pthread_join(t{place}, 0);")
    for _ in range(2):
        writer.check()


def _team(writer: Writer, kinds: list[int]) -> None:
    """Threads that are started in a loop, most of which are joined in another."""
    rng = writer.rng
    number, size = rng.randrange(len(kinds)), rng.randrange(1, 4)
    argument = ("0", "(void *)(long)i", "&items[i]")[kinds[number]]
    writer.put(f"pthread_t team[3]; int i; for (i = 0; i < {size}; i++) {{")
    writer.counters.append("i")
    if rng.random() < 0.3:
        writer.put("items[i] = i;")
    writer.put(f"pthread_create(&team[i], 0, thread{number}, {argument});")
    if rng.random() < 0.4:
        writer.check()
    writer.put(f"}} for (i = 0; i < {size}; i++) {{")
    writer.put("pthread_join(team[i], 0);" if rng.random() < 0.7 else "if (i) pthread_join(team[i], 0);")
    if rng.random() < 0.4:
        writer.check()
    writer.put("}")
    writer.counters.pop()
    for _ in range(3):
        writer.check()


def observed_threads(texts: Sequence[str], folder: Path, runs: int) -> list[Seen]:
    """What the checks of programs did under random schedules; all are compiled into one executable."""
    scheduler = compile_runtime(COMPILER, folder)
    objects = [_compiled(number, text, folder) for number, text in enumerate(texts)]
    cases = "\n".join(f"case {number}: return program_main_{number}();" for number in range(len(texts)))
    declarations = "\n".join(f"int program_main_{number}();" for number in range(len(texts)))
    harness = folder / "dispatch.c"
    body = f'int program_main() {{ switch (atoi(getenv("PROGRAM"))) {{ {cases} }} return 0; }}'
    harness.write_text(f"#include <stdlib.h>\n{declarations}\n{body}\n", encoding="utf-8")
    executable = folder / "threads"
    parts = [str(harness), *map(str, objects), str(scheduler)]
    subprocess.run([COMPILER, "-w", "-rdynamic", *parts, "-pthread", "-o", str(executable)], check=True)
    return [_executed(executable, number, runs) for number in range(len(texts))]


def _compiled(number: int, text: str, folder: Path) -> Path:
    source, target = folder / f"threads{number}.c", folder / f"threads{number}.o"
    # one file, so functions that are found by name when they run need not be local to it
    source.write_text(text.replace("__VERIFIER_atomic_pair", f"__VERIFIER_atomic_pair{number}"), encoding="utf-8")
    main = f"program_main_{number}"
    header = str(RUNTIME / "program.h")
    options = ["-std=gnu11", "-D_GNU_SOURCE", "-O0", "-w", f"-Dmain={main}", "-include", header, "-c"]
    instrument = ["-fsanitize=thread", "-finstrument-functions"]
    subprocess.run([COMPILER, *options, *instrument, str(source), "-o", str(target)], check=True)
    keep = [f"--keep-global-symbol={name}" for name in (main, f"__VERIFIER_atomic_pair{number}")]
    subprocess.run(["objcopy", *keep, str(target)], check=True)
    return target


def _executed(executable: Path, number: int, runs: int) -> Seen:
    environment = {**os.environ, "PROGRAM": str(number)}
    never = "399"  # a line that never fails, so that no run is left out
    done = subprocess.run(
        [str(executable), "0", str(runs), "1", never], check=True, capture_output=True, text=True, env=environment
    )
    told = (line for line in done.stdout.splitlines()[:-1] if line[:1].isdigit())  # not races, circles of locks
    rows = [tuple(map(int, line.split())) for line in told]
    return Seen(
        frozenset(line for line, reached, failed in rows if reached > failed),
        frozenset(line for line, _, failed in rows if failed),
        {},
    )
