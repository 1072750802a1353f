"""What a driver allocates for itself, and locals that it hands out: accesses are inside, whatever else is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duet.frontend.cells import gate, inside
from duet.frontend.cells.memory import SLOT
from duet.frontend.ctypes.origins import NOTHING
from duet.frontend.ctypes.scope import Local
from duet.frontend.form import bodies, settled
from duet.frontend.form.control import Declare
from duet.frontend.form.tree import Form
from duet.frontend.form.walk import every
from duet.options import Budgets
from tests.linux.kernel_tree import GADGET, safe

DRIVER = """
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/overflow.h>
#include <linux/refcount.h>
#include <linux/gadget.h>
struct cell { int low; int high; };
struct group { int count; struct cell cells[4]; int last; };
struct list { int count; int limit; struct cell cells[]; };
struct pair { int count; int spare; struct cell cells[1]; };
extern unsigned int any(void);
extern void other(void *given);
static int table[8];
static struct cell *kept;
static refcount_t users;
static void *made(size_t size) { return kzalloc(size, GFP_KERNEL); }
static int counted(struct group *group) { other(&group->count); return group->last; }
@MORE@
static int start(struct gadget *g) { @START@ return 0; }
static void set_level(struct gadget *g, unsigned int to) { @LEVEL@ }
"""
DRIVER += GADGET.replace("@LOADING@", "")
SIZED = "struct list *l = kzalloc(@, GFP_KERNEL); if (!l) return -1; other(l); l->count = 1; l->limit = 2;"
GROUP = "struct group *p = kzalloc(sizeof(*p), GFP_KERNEL); if (!p) return -1; other(p);"
ALSO = "struct group *q = made(sizeof(*q)); if (q) counted(q);"
FAR = -(SLOT + 8) // 8
Bodies = tuple[str, str]
PAIRS: Mapping[str, tuple[Bodies, Bodies]] = {
    "the members in front of a flexible array": (
        (SIZED.replace("@", "size_add(sizeof(*l), size_mul(any(), sizeof(struct cell)))"), ""),
        (SIZED.replace("@", "size_mul(any(), sizeof(struct cell))"), ""),
    ),
    "the first element of a flexible array": (
        (SIZED.replace("@", "size_add(sizeof(*l), size_mul((size_t)any() + 1, 8))") + " l->cells[0].high = 1;", ""),
        (SIZED.replace("@", "size_add(sizeof(*l), size_mul(any(), 8))") + " l->cells[0].high = 1;", ""),
    ),
    "elements of a flexible array by an index": (
        (SIZED.replace("@", "sizeof(*l) + 32") + " l->cells[any() & 3].high = 1;", ""),
        (SIZED.replace("@", "sizeof(*l) + 32") + " l->cells[(int)(any() & 3) - 1].high = 1;", ""),
    ),
    "the end of a flexible array": (
        (SIZED.replace("@", "sizeof(*l) + 32") + " l->cells[3].high = 1;", ""),
        (SIZED.replace("@", "sizeof(*l) + 28") + " l->cells[3].high = 1;", ""),
    ),
    "an array of at least one": (
        (SIZED.replace("@", "size_mul((size_t)any() + 1, sizeof(*l))"), ""),
        (SIZED.replace("@", "size_mul((unsigned int)(any() + 1), sizeof(*l))"), ""),
    ),
    "the largest size": (
        (SIZED.replace("@", "size_add((size_t)-4, sizeof(*l))"), ""),
        (SIZED.replace("@", "(size_t)-4 + sizeof(*l)"), ""),
    ),
    "no size but a large one": (
        (SIZED.replace("@", "any() & 1 ? 8 : 64"), ""),
        (SIZED.replace("@", "any() & 1 ? 4 : 64"), ""),
    ),
    "a pointer into a local": (
        ("unsigned char b[9]; unsigned char *const d = &b[1]; other(b); d[0] = 1; d[7] = 1;", ""),
        ("unsigned char b[9]; unsigned char *const d = &b[1]; other(b); d[0] = 1; d[8] = 1;", ""),
    ),
    "a pointer to a local of another type": (
        ("int b[2]; unsigned char *d = (unsigned char *)b; other(b); d[7] = 1;", ""),
        ("int b[2]; unsigned char *d = (unsigned char *)b; other(b); d[8] = 1;", ""),
    ),
    "a pointer of no type to a local": (
        ("int b = 7; const void *d = &b; table[*(const int *)d] = 1; other(table);", ""),
        ("int b = 8; const void *d = &b; table[*(const int *)d] = 1; other(table);", ""),
    ),
    "bytes behind a pointer of no type": (
        ("int b[2] = {1, 2}; void *d = b; *((char *)d + 7) = 1; other(table);", ""),
        ("int b[2] = {1, 2}; void *d = b; *((char *)d + 8) = 1; other(table);", ""),
    ),
    "a pointer of no type into an array": (
        ("struct group b; void *d = &b.cells[3]; ((struct cell *)d)->high = 1; other(&b);", ""),
        ("struct group b; void *d = &b.cells[3]; ((struct cell *)d)[2].high = 1; other(&b);", ""),
    ),
    "what is behind a member of a local": (
        ("struct group b; struct cell *d = b.cells; other(&b); d[3].low = 1;", ""),
        ("struct group b; struct cell *d = b.cells; other(&b); d[5].low = 1;", ""),
    ),
    "a pointer to an element that is kept": (
        (GROUP + "kept = &p->cells[any() & 3]; p->last = 1; p->cells[3].high = 2;", ""),
        (GROUP + "kept = p->cells + any(); p->last = 1; kept->high = 2;", ""),
    ),
    "what is around an element that is kept": (
        (GROUP + "kept = &p->cells[0]; struct cell *c = kept; p->last = 1;", ""),
        (GROUP + "kept = &p->cells[any() & 3]; struct group *q = (void *)kept; q->last = 1;", ""),
    ),
    "an element of an array that may go on": (
        ("struct pair *p = made(sizeof(*p)); if (!p) return -1; kept = &p->cells[0]; p->count = 1;", ""),
        (
            "other(made(8)); struct pair *p = made(sizeof(*p)); if (!p) return -1;"
            f" struct cell *c = &p->cells[{FAR}]; struct pair *q = (void *)c; q->count = 1;",
            "",
        ),
    ),
    "a pointer that is moved far": (
        ("struct pair *p = made(sizeof(*p)); if (!p) return -1; struct cell *c = p->cells; c->low = 1;", ""),
        (
            "other(made(8)); struct pair *p = made(sizeof(*p)); if (!p) return -1;"
            f" struct cell *c = p->cells; c += {FAR}; struct pair *q = (void *)c; q->count = 1;",
            "",
        ),
    ),
    "one reference more": (
        ("__refcount_add(1, &users, 0);", "__refcount_add(1, &users, 0);"),
        ("__refcount_add(1, &users, 0); table[any()] = 1;", ""),
    ),
}
SHARED: Mapping[str, tuple[Bodies, Bodies]] = {
    "an allocation through a function that several call": (
        ("struct group *p = made(sizeof(*p)); if (p) p->last = 1;", "struct cell *c = made(8); if (c) c->high = 1;"),
        ("struct group *p = made(8); if (p) p->last = 1;", "struct cell *c = made(4); if (c) c->high = 1;"),
    ),
    "an argument behind a call that returns to others": (
        ("struct group *p = made(sizeof(*p)); if (p) counted(p);", ALSO),
        ("struct group *p = made(8); if (p) counted(p);", ALSO),
    ),
    "a local behind such a call": (
        ("struct group *p; p = made(sizeof(*p)); if (!p) return -1; counted(p); p->last = 1;", ALSO),
        (
            "struct group *p; if (any()) goto out; p = made(sizeof(*p)); if (!p) return -1; counted(p);"
            " out: p->last = 1;",
            ALSO,
        ),
    ),
    "an index behind such a call": (
        ("int i = any() & 7; other(&table[i]); table[i] = 1;", "int i = any() & 7; table[i] = 1;"),
        ("int i; if (any()) i = 3; table[i] = 1;", "int i; i = any() & 7; table[i] = 1;"),
    ),
    "a local that is mentioned before": (
        ("int i; i = 3; table[i] = 1;", ""),
        ("int i; table[i] = 1; i = 3;", ""),
    ),
    "a local of its own value": (
        ("int i = 3; table[i] = 1;", ""),
        ("int i = i + 1; table[i] = 1;", ""),
    ),
}  # fmt: skip
PROPERTIES = ("array-bounds", "overflow")
SHARING = Budgets(program_commands=0, callback_inlined_commands=-1)


def results(directory: Path, found: Bodies, budgets: Budgets | None = None, more: str = "") -> list[bool]:
    """Which checks of the driver are safe, with the bodies of its two callbacks."""
    text = DRIVER.replace("@MORE@", more).replace("@START@", found[0]).replace("@LEVEL@", found[1])
    return safe(directory, text, PROPERTIES, budgets=budgets or Budgets())


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_inside_is_proved(tmp_path: Path, name: str) -> None:
    assert all(results(tmp_path, PAIRS[name][0]))


@pytest.mark.parametrize("name", PAIRS)
def test_what_may_be_outside_is_not_proved(tmp_path: Path, name: str) -> None:
    assert not all(results(tmp_path, PAIRS[name][1]))


@pytest.mark.parametrize("name", SHARED)
def test_what_is_inside_is_proved_where_calls_share_bodies(tmp_path: Path, name: str) -> None:
    assert all(results(tmp_path, SHARED[name][0], SHARING))


@pytest.mark.parametrize("name", SHARED)
def test_what_may_be_outside_is_not_proved_where_calls_share_bodies(tmp_path: Path, name: str) -> None:
    assert not all(results(tmp_path, SHARED[name][1], SHARING))


def _all_locals(block: Form) -> frozenset[Local]:
    return frozenset(item.local for item in every(block) if isinstance(item, Declare))


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, Bodies, Budgets]] = {
    "all locals are assigned before they are read": (
        lambda patch: patch.setattr(bodies, "settled", _all_locals),
        SHARED["a local that is mentioned before"][1],
        SHARING,
    ),
    "nothing jumps over an assignment": (
        lambda patch: patch.setattr(settled, "Goto", int),
        SHARED["a local behind such a call"][1],
        SHARING,
    ),
    "an object of unknown size is as large as can be": (
        lambda patch: patch.setattr(inside, "least_size", lambda *_: 4096),
        PAIRS["the members in front of a flexible array"][1],
        Budgets(),
    ),
    "a flexible array has any element": (
        lambda patch: patch.setattr(gate, "rest_check", lambda *_: None),
        PAIRS["the end of a flexible array"][1],
        Budgets(),
    ),
    "what was moved is in the slot where it was": (
        lambda patch: patch.setattr(inside, "marks", lambda _: NOTHING),
        PAIRS["a pointer that is moved far"][1],
        Budgets(),
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_rules_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown, budgets = DEFECTS[name]
    seed(monkeypatch)
    before = results(tmp_path, shown, budgets)
    monkeypatch.undo()
    assert before != results(tmp_path, shown, budgets)


@pytest.mark.parametrize(
    ("do", "expected"),
    [
        ("refcount_inc_not_zero(&users);", []),
        ("if (refcount_inc_not_zero(&users)) __VERIFIER_assert(0);", [False]),
        ("if (!refcount_inc_not_zero(&users)) __VERIFIER_assert(0);", [False]),
        ("refcount_set(&users, refcount_read(&users) + 1);", [False]),
    ],
)
def test_a_reference_that_is_taken_unless_there_is_none(tmp_path: Path, do: str, expected: list[bool]) -> None:
    text = DRIVER.replace("@START@", do).replace("@LEVEL@", "refcount_set(&users, to);").replace("@MORE@", "")
    assert safe(tmp_path, text, ("overflow", "assertion")) == expected
