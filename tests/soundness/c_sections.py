"""Random C programs about elements with locks of their own: mostly under the right lock, sometimes not."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

_DECLARATIONS = """#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
struct item { pthread_mutex_t lock; pthread_rwlock_t gate; int v, w; struct item *next; };
struct item few[3], many[20]; pthread_mutex_t locks[3]; int parts[3]; struct item *last;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER; int *kept, x;
static void enter(struct item *p) { pthread_mutex_lock(&p->lock); }
static void leave(struct item *p) { pthread_mutex_unlock(&p->lock); }
static struct timespec soon;
static void rest(struct item *p) { pthread_cond_timedwait(&changed, &p->lock, &soon); }"""


@dataclass
class _Writer:
    """The function being written; `array` is what the program is about."""

    rng: random.Random
    array: str
    lines: list[str] = field(default_factory=list)

    def put(self, text: str) -> None:
        self.lines.append(text)

    def place(self) -> str:
        """A member of the element that a section is about, or of another one."""
        member = self.rng.choice(("v", "v", "w"))
        return self.rng.choice((f"p->{member}", f"p->{member}", f"{self.array}[i].{member}", f"q->{member}"))

    def value(self) -> str:
        number = self.rng.randrange(4)
        return self.rng.choice((str(number), "a", f"(({self.place()} + {number}) & 3)", "k"))

    def check(self) -> None:
        rng = self.rng
        relation = rng.choice(("==", "!=", "<=", ">=", "<"))
        left = rng.choice((self.place(), self.place(), "a", "p->v + p->w", "p->v - p->w", f"{self.array}[1].v"))
        self.put(f"__goblint_check({left} {relation} {rng.choice((str(rng.randrange(5)), 'a', 'p->v'))});")

    def operation(self, depth: int) -> None:
        rng = self.rng
        if rng.random() < 0.4:
            self.check()
        kind = rng.randrange(12)
        if kind < 2:
            self.put(rng.choice(("p->v++; p->w--;", "if (p->v > 0) { p->v--; p->w++; }", f"{self.place()}++; p->w++;")))
        elif kind < 4:
            self.put(f"{self.place()} = {self.value()};")
        elif kind == 4:
            self.put(f"a = {self.place()} & 3;")
        elif kind == 5:
            place = self.place()
            self.put(f"if ({place} < 3) {place}++;")
        elif kind == 6 and depth:
            self.put(f"if ({rng.choice(('a', 'k', self.place()))} {rng.choice(('==', '<'))} {rng.randrange(3)}) {{")
            self.block(depth - 1)
            self.put("}")
        elif kind == 7:
            self.put(rng.choice(("q = p;", "q = p;", f"q = &{self.array}[k & 1];", "i = k & 1;", f"q = {self.array};")))
        elif kind == 8:
            self.put(rng.choice(("kept = &x;", "if (kept) *kept = 2;", f"kept = &{self.place()};", "*p = *p;")))
        elif kind == 9:
            self.put(f"__sync_fetch_and_add(&{rng.choice(('x', 'x', self.place()))}, 1);")
        else:
            self.put(f"p->w = {self.value()};")

    def block(self, depth: int) -> None:
        for _ in range(self.rng.randrange(1, 4)):
            self.operation(depth)

    def section(self) -> None:
        """Statements that mean one element, most of them while its lock is held."""
        rng, array = self.rng, self.array
        self.put(
            f"{{ int i = {rng.choice(('k & 1', 'rand() & 1', '0', 'k & 1'))}; struct item *p = &{array}[i], *q = p;"
        )
        before, after = rng.choice((
            *(3 * [("enter(p);", "leave(p);")]),
            (f"pthread_mutex_lock(&{array}[i].lock);", "leave(p);"),
            ("pthread_rwlock_wrlock(&p->gate);", "pthread_rwlock_unlock(&p->gate);"),
            ("pthread_rwlock_rdlock(&p->gate);", "pthread_rwlock_unlock(&p->gate);"),
            ("if (!pthread_mutex_trylock(&p->lock)) {", "leave(p); }"),
            ("int got = pthread_mutex_trylock(&p->lock);", "if (!got) leave(p);"),
            ("if (a) enter(p); else enter(q);", "leave(p);"),
            ("int b = a; if (b) enter(p);", "if (b) leave(p);"),
            (f"int j = rand() & 1; if (i < j) {{ enter(p); q = &{array}[j]; enter(q);", "leave(q); leave(p); }"),
            ("enter(p); while (p->v == 1) { p->v = 2; rest(p); }", "leave(p);"),
            ("", ""),
        )) if rng.random() < 0.5 else ("enter(p);", "leave(p);")  # fmt: skip
        if rng.random() < 0.1:
            self.operation(0)
        self.put(before)
        self.block(1)
        if rng.random() < 0.1 and before == "enter(p);":
            self.put("leave(p); enter(p);")
            self.block(0)
        self.put(after)
        if rng.random() < 0.1:
            self.operation(0)
        self.put("}")


def random_sections(seed: int) -> str:
    """The text of a program with threads that use elements under their locks, and checks."""
    rng = random.Random(seed)
    writer = _Writer(rng, rng.choice(("few", "many")))
    writer.lines = _DECLARATIONS.splitlines()
    for number in range(2):
        writer.put(f"void *thread{number}(void *argument) {{ int k = (int)(long)argument, a = 0;")
        for _ in range(rng.randrange(1, 3)):
            writer.section()
        writer.put("return 0; }")
    writer.put("int main(void) { int k = 1, a = 0; pthread_t t[3];")
    if rng.random() < 0.7:
        writer.put(f"for (int i = 0; i < 3; i++) {{ {writer.array}[i].v = {rng.randrange(3)};")
        if rng.random() < 0.6:
            writer.put(f"{writer.array}[{rng.choice(('i', 'i', 'rand() & 1'))}].w = {rng.choice(('i', '1', '2'))};")
        writer.put("}")
    if rng.random() < 0.3:
        writer.section()
    for place in range(rng.randrange(2, 4)):
        writer.put(f"pthread_create(&t[{place}], 0, thread{place % 2}, (void *){rng.randrange(2)}L);")
    if rng.random() < 0.4:
        writer.section()
    writer.put(
        f"pthread_join(t[0], 0); pthread_join(t[1], 0); {{ int i = 1; struct item *p = &{writer.array}[0], *q = p;"
    )
    for _ in range(2):
        writer.check()
    writer.put("} return 0; }")
    return "\n".join(writer.lines) + "\n"
