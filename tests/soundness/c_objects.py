"""Statements on many objects: with locks beside them, the right ones or others; allocated, filled and published."""

from __future__ import annotations

import random
from collections.abc import Sequence

DECLARATIONS = """struct item { pthread_mutex_t lock; int v, w; struct item *next; };
struct item many[20]; pthread_mutex_t locks[20]; int parts[20]; struct item *last;
static void enter(struct item *p) { pthread_mutex_lock(&p->lock); }
static void leave(struct item *p) { pthread_mutex_unlock(&p->lock); }
static void publish(struct item *p) { p->next = last; last = p; }"""


def on_objects(rng: random.Random, names: Sequence[str], value: str) -> str:
    """Some statements in a block of their own, given the names of integer variables; they take no other lock."""
    here, there = (f"({rng.choice(names)} & 1)" for _ in range(2))
    other = rng.choice((here, here, there, f"({here} + 1)", "1"))
    name = rng.choice(names)
    use = rng.choice((f"p->v = {value};", f"{name} = p->w;", "p->w++;", f"if (p->v == 1) p->v = {value};"))
    return f"{{ {rng.choice((_locked, _beside, _allocated, _seen))(rng, (here, other), use, name)} }}"


def _locked(rng: random.Random, places: tuple[str, str], use: str, name: str) -> str:
    here, other = places
    near = rng.choice(("i", "i", "i + 1"))
    return rng.choice((
        f"struct item *p = &many[{here}]; enter(p); {use} leave(p);",
        f"struct item *p = &many[{here}], *q = p; enter(q); {use} leave(p); {rng.choice(('', use))}",
        f"struct item *p = &many[{other}]; enter(&many[{here}]); {use} leave(&many[{here}]);",
        f"struct item *p = &many[{here}]; enter(p); if ({name}) {{ leave(p); }} {use} if (!{name}) leave(p);",
        f"struct item *p = &many[{here}]; if (!pthread_mutex_trylock(&p->lock)) {{ {use} leave(p); }}",
        f"struct item *p = &many[{here}]; int got = pthread_mutex_trylock(&p->lock); {use} if (!got) leave(p);",
        f"int i = {here}; enter(many + i); struct item *p = many + {near}; {use} leave(many + i);",
    ))  # fmt: skip


def _beside(rng: random.Random, places: tuple[str, str], use: str, name: str) -> str:
    here, other = places
    access = rng.choice((f"parts[{other}] = {name} & 3;", f"{name} = parts[{other}];"))
    return f"pthread_mutex_lock(&locks[{here}]); {access} pthread_mutex_unlock(&locks[{here}]);"


def _allocated(rng: random.Random, places: tuple[str, str], use: str, name: str) -> str:
    made = rng.choice(("calloc(1, sizeof *p)", "malloc(sizeof *p)"))
    known = rng.choice((
        "",
        "publish(p);",
        "last = p;",
        f"if ({name}) publish(p);",
        "many[3].next = p;",
        "struct item *q = p; publish(q);",
        "struct item **q = &last; *q = p;",
        "__atomic_store_n(&last, p, 5);",
    ))  # fmt: skip
    return f"struct item *p = {made}; p->v = p->w = 1; {use} {known} {rng.choice(('', use))}"


def _seen(rng: random.Random, places: tuple[str, str], use: str, name: str) -> str:
    return f"struct item *p = {rng.choice(('last', 'last', 'many[3].next'))}; if (p) {{ {use} }}"
