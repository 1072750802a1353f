"""Numbers, sets of pointers, lists, counters of references, queues and bits, read with a kernel's own headers.

For each there is a check that its model makes provable, and one that fails in the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duet.frontend.cells import arithmetic, inside
from duet.frontend.ctypes.origins import NOTHING
from duet.plip.syntax import TRUE
from tests.linux.kernel_tree import GADGET, safe

DRIVER = """
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/idr.h>
#include <linux/find.h>
#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/wait.h>
#include <linux/kfifo.h>
#include <linux/string.h>
#include <linux/gadget.h>
struct thing { int value; };
struct pair { struct thing *left; struct thing *right; };
extern unsigned int any(void);
extern void other(void *given);
static DEFINE_IDA(ids);
static DEFINE_IDR(things);
static DEFINE_XARRAY(array);
static DEFINE_MUTEX(lock);
static DECLARE_WAIT_QUEUE_HEAD(queue);
static DEFINE_KFIFO(fifo, u8, 64);
static refcount_t users = { { 1 } };
static struct pair *kept;
static struct thing *last;
static unsigned long map[2];
static int table[8], ready;
static struct thing *made(int value)
{
	struct thing *thing = kzalloc(sizeof(*thing), GFP_KERNEL);

	if (thing)
		thing->value = value & 7;
	return thing;
}
static int visit(int id, void *pointer, void *data) { table[((struct thing *)pointer)->value] = 1; return 0; }
static int far(int id, void *pointer, void *data) { table[((struct thing *)pointer)->value + 1] = 1; return 0; }
static int start(struct gadget *g) { @START@ return 0; }
static void set_level(struct gadget *g, unsigned int to) { @LEVEL@ }
"""
DRIVER += GADGET.replace("@LOADING@", "")
CHECK = "__VERIFIER_assert"
PUT = "struct thing *t = made(to); if (!t) return; if (idr_alloc(&things, t, 0, 4, GFP_KERNEL) < 0) t->value = 0;"
TWO = """struct thing *a = made(2), *b = made(7); if (!a || !b) return;
idr_alloc(&things, a, 0, 4, GFP_KERNEL); idr_alloc(&things, b, 0, 4, GFP_KERNEL);"""
STORE = "struct thing *t = made(to); if (t) xa_store(&array, to, t, GFP_KERNEL);"
USE = "if (t) { table[t->value] = 1; }"
KEEP = """struct pair *pair = kzalloc(sizeof(*pair), GFP_KERNEL); if (!pair) return; pair->left = made(to); kept = pair;
last = made(to);"""
PAIRS: Mapping[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "a number up to a limit": (
        ("int id = ida_alloc_max(&ids, 7, GFP_KERNEL); if (id < 0) return id; table[id] = 1;", ""),
        ("int id = ida_alloc_max(&ids, 8, GFP_KERNEL); if (id < 0) return id; table[id] = 1;", ""),
    ),
    "a number may not be had": (
        (f"int id = ida_alloc_max(&ids, 7, GFP_KERNEL); {CHECK}(id >= -4095);", ""),
        ("int id = ida_alloc_max(&ids, 7, GFP_KERNEL); table[id] = 1;", ""),
    ),
    "a number below an end": (
        ("int id = ida_simple_get(&ids, 2, 8, GFP_KERNEL); if (id >= 0) table[id] = 1;", ""),
        ("int id = ida_simple_get(&ids, 2, 0, GFP_KERNEL); if (id >= 0) table[id] = 1;", ""),
    ),
    "a limit that is not known": (
        ("int k = any() & 7; int id = ida_alloc_max(&ids, k, GFP_KERNEL); if (id >= 0) table[id] = 1;", ""),
        ("int k = any() & 15; int id = ida_alloc_max(&ids, k, GFP_KERNEL); if (id >= 0) table[id] = 1;", ""),
    ),
    "a number of a pointer": (
        ("int id = idr_alloc(&things, g, 0, 8, GFP_KERNEL); if (id >= 0) table[id] = 1;", ""),
        ("int id = idr_alloc(&things, g, 0, 9, GFP_KERNEL); if (id >= 0) table[id] = 1;", ""),
    ),
    "any end": (
        (f"int id = idr_alloc(&things, g, 3, 0, GFP_KERNEL); if (id >= 0) {CHECK}(id >= 0);", ""),
        ("int id = idr_alloc(&things, g, 3, 0, GFP_KERNEL); if (id >= 0) table[id] = 1;", ""),
    ),
    "what is found was put in": (
        (f"struct thing *t = idr_find(&things, 3); {USE}", PUT),
        (f"struct thing *t = idr_find(&things, 3); if (t) {CHECK}(t->value != 5);", PUT),
    ),
    "nothing may be found": (
        (f"struct thing *t = idr_find(&things, 3); {CHECK}(!t || t->value < 8);", PUT),
        (f"struct thing *t = idr_find(&things, 3); {CHECK}(t != (void *)0);", PUT),
    ),
    "each of several may be found": (
        (f"struct thing *t = idr_find(&things, 3); if (t) {CHECK}(t->value < 8);", TWO),
        (f"struct thing *t = idr_find(&things, 3); if (t) {CHECK}(t->value == 7);", TWO),
    ),
    "two look-ups may find different ones": (
        ("struct thing *a = idr_find(&things, 0), *b = idr_find(&things, 0); ready = a == b;", PUT),
        (f"struct thing *a = idr_find(&things, 0), *b = idr_find(&things, 1); {CHECK}(!a || !b || a == b);", PUT),
    ),
    "what is taken out was put in": (
        (f"struct thing *t = idr_remove(&things, 3); {USE}", PUT),
        (f"struct thing *t = idr_remove(&things, 3); if (t) {CHECK}(t->value == 0);", PUT),
    ),
    "all that are there": (
        (
            "struct thing *t; int id = 0; while ((t = idr_get_next(&things, &id)))"
            f" {{ {CHECK}(id >= 0); {USE} ready = id++ & 3; }}",
            PUT,
        ),
        (f"struct thing *t; int id = 0; while ((t = idr_get_next(&things, &id))) {{ {CHECK}(id == 0); id = 0; }}", PUT),
    ),
    "a function for all that are there": (
        ("idr_for_each(&things, visit, g);", PUT),
        ("idr_for_each(&things, far, g);", PUT),
    ),
    "whether there is anything": (
        (f"bool empty = idr_is_empty(&things); {CHECK}(empty <= 1);", PUT),
        (f"{CHECK}(idr_is_empty(&things));", PUT),
    ),
    "a set that others may change": (
        (f"struct thing *t = idr_find(&things, 3); {USE}", PUT),
        (f"other(&things); struct thing *t = idr_find(&things, 3); {USE}", PUT),
    ),
    "an entry of an array": (
        (f"struct thing *t = xa_load(&array, 3); {USE}", STORE),
        (f"struct thing *t = xa_load(&array, 3); if (t) {CHECK}(t->value != 5);", STORE),
    ),
    "an entry that is erased": (
        (f"struct thing *t = xa_erase(&array, 3); {USE}", STORE),
        (f"struct thing *t = xa_erase(&array, 3); {CHECK}(!t);", STORE),
    ),
    "an array is empty, or not": (
        (f"bool empty = xa_empty(&array); {CHECK}(empty <= 1);", STORE),
        (f"{CHECK}(!xa_empty(&array));", STORE),
    ),
    "a free index": (
        ("struct xa_limit l = {7, 0}; u32 id = 0; xa_alloc(&array, &id, g, l, GFP_KERNEL); table[id] = 1;", ""),
        ("struct xa_limit l = {8, 0}; u32 id = 0; xa_alloc(&array, &id, g, l, GFP_KERNEL); table[id] = 1;", ""),
    ),
    "a bit that is not set": (
        ("unsigned long bit = find_first_zero_bit(map, 8); if (bit < 8) table[bit] = 1;", ""),
        ("unsigned long bit = find_first_zero_bit(map, 8); table[bit] = 1;", ""),
    ),
    "all bits that are set": (
        (f"unsigned long bit = find_next_bit(map, 8, 3); {CHECK}(bit >= 3); {CHECK}(bit <= 8);", ""),
        (f"unsigned long bit = find_next_bit(map, 8, 3); {CHECK}(bit != 8);", ""),
    ),
    "no bits behind the end": (
        (f"unsigned long bit = find_next_bit(map, 8, 9); {CHECK}(bit == 8);", ""),
        (f"unsigned long bit = find_next_bit(map, 8, 7); {CHECK}(bit == 8);", ""),
    ),
    "a counter of references": (
        (f"refcount_t own; refcount_set(&own, 1); refcount_inc(&own); {CHECK}(refcount_read(&own) == 2);", ""),
        (f"refcount_inc(&users); {CHECK}(refcount_read(&users) == 2);", ""),
    ),
    "a counter that is wrong sticks": (
        (f"refcount_t own; refcount_set(&own, 1); refcount_inc(&own); {CHECK}(refcount_read(&own) > 0);", ""),
        (f"refcount_t own; refcount_set(&own, 0); refcount_inc(&own); {CHECK}(refcount_read(&own) == 1);", ""),
    ),
    "a list of its own": (
        (f"struct list_head own = LIST_HEAD_INIT(own); {CHECK}(list_empty(&own));", ""),
        (
            "struct list_head own = LIST_HEAD_INIT(own), node; list_add(&node, &own);"
            f" if (any()) {CHECK}(list_empty(&own));",
            "",
        ),
    ),
    "a condition that is waited for": (
        (f"wait_event(queue, ready == 1); {CHECK}(table[7] == 0);", "ready = 1; wake_up(&queue);"),
        (f"wait_event_exclusive(queue, ready == 1); {CHECK}(ready == 1);", "ready = 1; wake_up(&queue);"),
    ),
    "a wait that a signal ends": (
        (f"long r = wait_event_exclusive(queue, ready); {CHECK}(r == 0 || r == -512);", "ready = 1;"),
        (f"long r = wait_event_exclusive(queue, ready); {CHECK}(r == 0);", "ready = 1;"),
    ),
    "time that is left": (
        (f"long r = schedule_timeout(8); {CHECK}(r <= 8); if (r < 8) table[r] = 1;", ""),
        ("long r = schedule_timeout(8); table[r] = 1;", ""),
    ),
    "what a queue gives": (
        ("u8 b[8]; unsigned int n = kfifo_out(&fifo, b, 8); if (n) table[n - 1] = 1;", ""),
        ("u8 b[8]; unsigned int n = kfifo_out(&fifo, b, 8); table[n] = 1;", ""),
    ),
    "what a queue takes": (
        (f"u8 b[8] = {{1}}; unsigned int n = kfifo_in(&fifo, b, 8); {CHECK}(n <= 8);", ""),
        (f"u8 b[8] = {{1}}; unsigned int n = kfifo_in(&fifo, b, 8); {CHECK}(n == 8);", ""),
    ),
    "an element that a queue gives": (
        ("u8 b = 0; if (kfifo_get(&fifo, &b)) { u8 all[256] = {0}; table[all[b] & 7] = 1; }", "kfifo_put(&fifo, 3);"),
        ("u8 b = 0; if (kfifo_get(&fifo, &b)) table[b & 15] = 1;", "kfifo_put(&fifo, (u8)to);"),
    ),
    "an element of a queue is what was put there, or 0": (
        ("u8 b = 0; if (kfifo_peek(&fifo, &b)) table[b] = 1;", "kfifo_put(&fifo, to & 7);"),
        (f"u8 b = 0; if (kfifo_peek(&fifo, &b)) {CHECK}(b == 3);", "kfifo_put(&fifo, 3); kfifo_put(&fifo, 4);"),
    ),
    "as much as there is room for": (
        ("u8 b[8]; kfifo_out(&fifo, b, 8); kfifo_in(&fifo, b, 8);", ""),
        ("u8 b[8]; kfifo_out(&fifo, b, 9);", ""),
    ),
    "as much as there is": (
        ("u8 b[8] = {1}; kfifo_in(&fifo, b, 8);", ""),
        ("u8 b[8] = {1}; kfifo_in(&fifo, b, 9);", ""),
    ),
    "a copy of what a user has": (
        ("struct thing *t = memdup_user(g, sizeof(*t)); if (IS_ERR(t)) return 0; t->value = 1;", ""),
        ("struct pair *t = memdup_user(g, sizeof(t)); if (IS_ERR(t)) return 0; t->right = 0;", ""),
    ),
    "a copy of what a user has may not be had": (
        (f"void *t = memdup_user(g, 4); {CHECK}(t != (void *)0);", ""),
        (f"void *t = memdup_user(g, 4); {CHECK}(!IS_ERR(t));", ""),
    ),
    "a copy of a string that a user has": (
        ("char *t = memdup_user_nul(g, 3); if (IS_ERR(t)) return 0; t[3] = 0;", ""),
        ("char *t = memdup_user_nul(g, 3); if (IS_ERR(t)) return 0; t[4] = 0;", ""),
    ),
    "a string of a user, up to a length": (
        ("char *t = strndup_user(g, 9); if (IS_ERR(t)) return 0; table[t[0] & 7] = 1;", ""),
        ("char *t = strndup_user(g, 9); if (IS_ERR(t)) return 0; t[8] = 0;", ""),
    ),
    "a pointer that may be null leads to one of several kinds of objects": (
        ("struct pair *p = kept; if (p) p->right = 0; struct thing *t = last; if (t) t->value = 3;", KEEP),
        ("struct thing *t = last; if (t) (t + 1)->value = 3;", KEEP),
    ),
    "a pointer to one of two new objects": (
        ("struct thing *t = any() ? made(1) : made(2); if (t) t->value = 3;", ""),
        ("struct pair *p = any() ? kzalloc(8, GFP_KERNEL) : kzalloc(16, GFP_KERNEL); if (p) p->right = 0;", ""),
    ),
    "an error that is no object": (
        (
            "struct thing *t = any() ? ERR_PTR(-(int)(map[0] & 15) - 1) : last;"
            f" if (!t || IS_ERR(t)) return 0; {CHECK}(t->value < 8);",
            KEEP,
        ),
        (f"struct thing *t = any() ? ERR_PTR(-5) : last; {CHECK}(!IS_ERR(t));", KEEP),
    ),
    "null that is moved far": (
        ("struct thing *t = any() ? last : (void *)0; if (t) t->value = 3;", KEEP),
        ("struct thing *t = any() ? last : (void *)((char *)0 + (1 << 25)); if (t) t->value = 3;", KEEP),
    ),
}
PROPERTIES = ("assertion", "array-bounds")


def results(directory: Path, bodies: tuple[str, str]) -> list[bool]:
    """Which checks of the driver are safe, with the bodies of its two callbacks."""
    return safe(directory, DRIVER.replace("@START@", bodies[0]).replace("@LEVEL@", bodies[1]), PROPERTIES)


@pytest.mark.parametrize("name", PAIRS)
def test_what_cannot_fail_is_proved(tmp_path: Path, name: str) -> None:
    assert all(results(tmp_path, PAIRS[name][0]))


@pytest.mark.parametrize("name", PAIRS)
def test_what_may_fail_is_not_proved(tmp_path: Path, name: str) -> None:
    assert not all(results(tmp_path, PAIRS[name][1]))


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "objects in slots are large enough": (
        lambda patch: patch.setattr(inside, "_within_slot", lambda *_: TRUE),
        "a pointer to one of two new objects",
    ),
    "any slot has what the largest object has": (
        lambda patch: patch.setattr(inside, "min", max, raising=False),
        "a pointer to one of two new objects",
    ),
    "null that is moved leads nowhere": (
        lambda patch: patch.setattr(arithmetic, "led", lambda *_: NOTHING),
        "null that is moved far",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_rules_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    seed(monkeypatch)
    assert all(results(tmp_path, PAIRS[shown][1]))
