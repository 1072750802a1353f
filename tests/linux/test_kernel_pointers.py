"""Accesses through pointers that the kernel keeps or hands over: where a check of `array-bounds` stays open.

What a driver computes for one access only leaves nothing behind; what it may keep, and what is around a member of which
nobody knows where it comes from, does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.frontend.bodies import inline
from duet.frontend.cells import bounds, inside, moved
from duet.frontend.cells.memory import SLOT
from duet.frontend.ctypes.origins import NOTHING, Failed
from duet.frontend.judgments import pointers
from duet.frontend.judgments.layouts import Layouts
from duet.frontend.judgments.pointers import Pointers
from duet.frontend.models import linux
from duet.options import AnalysisOptions, FrontendOptions
from duet.plip.syntax import TRUE
from duet.reading import read
from tests.linux import kernel_tree
from tests.linux.kernel_tree import GADGET

DRIVER = """
#include <linux/module.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/gadget.h>
struct own { int a; int b; struct gadget inner; unsigned char table[8]; char *base; };
extern void other(void *given);
extern void *found(void *given);
extern int any(void);
static struct gadget gadget;
static int level;
static char *kept;
static inline int ignoring(const char *address) { return 3; }
static inline int keeping(char *address) { kept = address; return 3; }
static int first_of(int count, ...)
{
	__builtin_va_list arguments;
	struct own *own;

	__builtin_va_start(arguments, count);
	own = __builtin_va_arg(arguments, void *);
	__builtin_va_end(arguments);
	return own->b;
}
static int start(struct gadget *g) { @START@ return 0; }
static void set_level(struct gadget *g, unsigned int to) { @LEVEL@ }
"""
DRIVER += GADGET.replace("@LOADING@", "")
USED = "struct own *own = g->data; level = own->b;"
NEW = "struct own *own = kzalloc(sizeof(*own), GFP_KERNEL); if (!own) return -1; other(&own->b); "
OPEN: Mapping[str, tuple[str, str, set[str]]] = {
    "what the kernel keeps": ("", USED, set()),
    "an address that is moved for a function that ignores it": (
        "struct own *own = g->data; return ignoring(own->base + 4);",
        USED,
        set(),
    ),
    "an address that is moved for one access": (
        "unsigned char *bytes = g->data; return bytes[2] + *(bytes + 3);",
        USED,
        {"bytes[2]", "*(bytes + 3)"},
    ),
    "an element of a table": ("struct own *own = g->data; return own->table[any() & 7];", USED, set()),
    "an element of a table that may be behind it": (
        "struct own *own = g->data; return own->table[any()];",
        USED,
        {"own->table[any()]"},
    ),
    "a moved address that is kept in a variable": ("kept = g->data; kept += 4;", USED, {"own->b", "g->data"}),
    "a moved address that is given to the kernel": ("other((char *)g->data + 4);", USED, {"own->b", "g->data"}),
    "a moved address that a function keeps": ("keeping((char *)g->data + 4);", USED, {"own->b", "g->data"}),
    "the address of an element": (
        "char *bytes = g->data; g->data = &bytes[4];",
        USED,
        {"own->b", "g->data"},
    ),
    "a moved address that is followed later": (
        "char *bytes = g->data; struct own *own = (void *)(bytes + 4); level = own->b;",
        "",
        {"own->b", "g->data"},
    ),
    "an address that is moved step by step": (
        "char *bytes = g->data; while (any()) level = *bytes++;",
        USED,
        {"*(bytes++)", "own->b", "g->data"},
    ),
    "a new object": (NEW + "own->a = 1; own->inner.count = 2;", "", set()),
    "a new object that is kept by the kernel": (NEW + "g->data = own; own->a = 1;", USED, set()),
    "a new object that is too small": (
        "struct own *own = kzalloc(8, GFP_KERNEL); if (!own) return -1; other(&own->b); own->a = 1; own->base = 0;",
        "",
        {"own->base = 0"},
    ),
    "what is behind a new object": (
        NEW + "(own + 1)->a = 1;",
        "",
        {"(own + 1)->a = 1"},
    ),
    "what is far behind a new object": (
        NEW + f"struct own *far = (void *)((char *)own + {SLOT}); far->a = 1;",
        "",
        {"far->a = 1"},
    ),
    "a part of a new object as the whole": (
        NEW + "struct own *part = (void *)&own->b; part->base = 0;",
        "",
        {"part->base = 0"},
    ),
    "a member of what may be less than it seems": (
        "static int small; struct own *own = found(&small); other(&own->b);",
        USED,
        {"&own->b"},
    ),
    "what is around a member": (
        "struct own *own = container_of(g, struct own, inner); own->a = own->b;",
        USED,
        {"container_of(g)"},
    ),
    "what is around a member of a new object": (
        NEW + "container_of(&own->inner, struct own, inner)->a = 1;",
        "",
        set(),
    ),
    "what is not around a new object": (
        "struct gadget *new = kzalloc(sizeof(*new), GFP_KERNEL); if (!new) return -1; other(&new->count);"
        " struct own *around = container_of(new, struct own, inner); around->b = 1;",
        "",
        {"container_of(new)", "around->b = 1"},
    ),
    "what is not around an object of its own": (
        "struct own *around = container_of(&gadget, struct own, inner); around->b = 1;",
        "",
        {"container_of(&gadget)", "around->b = 1"},
    ),
    "as many bytes of a table as the device says": (
        "struct own *own = g->data; int n = any(); memset(own->table, 0, n); level = n;",
        USED,
        {"memset(own->table, 0, n)"},
    ),
    "more bytes than a table has": (
        "struct own *own = g->data; memset(own->table, 0, sizeof(*own)); (own + 1)->a = 1;",
        "",
        {"memset(own->table, 0, sizeof(*own))", "(own + 1)->a = 1"},
    ),
    "as many bytes of a structure as the device says": (
        "struct own *own = g->data; memset(own, 0, any());",
        USED,
        {"memset(own, 0, any())"},
    ),
    "a copy from a table": (
        "struct own *own = g->data; static char all[64]; int n = any(); if (n < 0 || n > 64) return 0;"
        " memcpy(all, own->table, n);",
        "",
        {"memcpy(all, own->table, n)"},
    ),
    "as many bytes of a table by another type": (
        "struct own *own = g->data; memset((int *)own->table, 0, any());",
        USED,
        {"memset((int *) own->table, 0, any())"},
    ),
    "a table without a length": (
        "struct list { int count; unsigned char items[]; } *list = g->data; memset(list->items, 0, 4);",
        "",
        {"memset(list->items, 0, 4)"},
    ),
    "no more bytes than a table has": (
        "struct own *own = g->data; int n = any(); if (n < 0 || n > sizeof(own->table)) return 0;"
        " memset(own->table, 0, n); memset(own, 0, sizeof(*own)); memset(&own->b, 0, sizeof(*own) - 4);"
        " memset(g->data, 0, any());",
        USED,
        {"memset(g->data, 0, any())"},
    ),
}
ASSUMED: Mapping[str, tuple[str, str, set[str]]] = {
    "what is around a member": (*OPEN["what is around a member"][:2], set()),
    "what is not around a new object": OPEN["what is not around a new object"],
    "what is not around an object of its own": OPEN["what is not around an object of its own"],
    "a pointer that the kernel may have given is moved, which is to no object of the driver": (
        NEW + "kept = any() ? (char *)own : g->data; kept += any(); own->b = 2;"
        " struct own *other_one = (void *)kept; other_one->b = 3;",
        "",
        {"other_one->b = 3"},
    ),
    "bytes that are moved to, as a structure": (
        "char *bytes = g->data; bytes += any(); struct own *own = (void *)bytes; own->a = 1;",
        "",
        {"own->a = 1"},
    ),
    "bytes that are moved to and kept, as a structure": (
        "kept = g->data; kept += any(); struct own *own = (void *)kept; own->a = 1;",
        "",
        {"own->a = 1"},
    ),
    "bytes that are moved to, by way of a pointer to void": (
        "void *bytes = g->data; bytes += any(); struct own *own = bytes; own->a = 1;",
        "",
        {"own->a = 1"},
    ),
    "bytes that are moved to, by way of an integer": (
        "struct own *own = (void *)((unsigned long)g->data + 8); own->a = 1;",
        "",
        {"own->a = 1"},
    ),
    "a structure that is moved to, as a variable argument": (
        "struct own *own = g->data; own++; level = first_of(1, own);",
        "",
        {"own->b", "__builtin_va_arg(arguments, void *)"},
    ),
    "bytes that are moved to, as a variable argument and as a structure": (
        "kept = g->data; level = first_of(1, kept + any());",
        "",
        {"own->b", "__builtin_va_arg(arguments, void *)"},
    ),
    "a structure, as a variable argument": ("struct own *own = g->data; level = first_of(1, own);", "", set()),
    "bytes that are moved to in memory that the kernel knows": (
        "struct own *first = g->data; first->base += any();",
        "struct own *again = g->data; struct two { int a, b; } *two = (void *)again->base; two->b = 1;",
        {"two->b = 1"},
    ),
    "bytes at the end of a structure, as another one": (
        "struct packet { int kind; char rest[2]; } *packet = g->data; struct own *own = (void *)packet->rest;"
        " own->b = 1;",
        "",
        {"own->b = 1"},
    ),
    "bytes of a structure, as another one that fits": (
        "struct packet { int kind; char rest[64]; } *packet = g->data;"
        " struct two { int a, b; } *two = (void *)packet->rest;"
        " two->b = 1;",
        "",
        set(),
    ),
    "another structure": ("struct two { int a, b; } *two = g->data; two->b = 1;", USED, set()),
    "a pointer to an object of the driver is moved": (
        NEW + "g->data = own; kept = (char *)(own + any()); own->b = 2; ((struct own *)kept)->b = 3;",
        "",
        {"((struct own *) kept)->b = 3"},
    ),
    "an element behind a pointer": OPEN["an address that is moved for one access"],
    "an element of a table": OPEN["an element of a table that may be behind it"],
    "what is behind a structure": ("struct own *own = g->data; (own + 1)->a = 1;", USED, {"(own + 1)->a = 1"}),
    "a structure that is moved to": ("struct own *own = g->data; own++; g->data = own;", USED, {"own->b"}),
    "the address of an element": (
        "struct own *all = g->data; g->data = &all[any()];",
        USED,
        {"all[any()]"},
    ),
    "an address that is moved to an element": (
        "struct own *all = g->data; g->data = all + any();",
        USED,
        {"own->b"},
    ),
    "an element that is looked at at once": (
        "struct own *all = g->data; level = (&all[any()])->b;",
        USED,
        {"all[any()]"},
    ),
    "a member of an element": (
        "struct own *all = g->data; g->data = &all[any()].inner;",
        "struct gadget *inner = g->data; level = inner->count; level = container_of(inner, struct own, inner)->b;",
        {"all[any()]"},
    ),
    "what is behind a member of an element": (
        "struct own *all = g->data; struct gadget *inner = &all[any()].inner; g->data = inner + 1;",
        "struct gadget *inner = g->data; level = inner->count;",
        {"all[any()]", "inner->count", "g->data"},
    ),
    "what is around a structure that is moved to": (
        "struct gadget *inner = g->data; inner += any(); struct own *own = container_of(inner, struct own, inner);"
        " level = own->a; g->data = own; other(own);",
        USED,
        {"container_of(inner)"},
    ),
    "what is around what may be a structure that was moved to": (
        "struct gadget *inner = g->data; g->data = inner + any();",
        "struct own *own = container_of((struct gadget *)g->data, struct own, inner); level = own->b; level = own->a;",
        {"container_of((struct gadget *) g->data)", "g->data"},
    ),
    "what is behind what is around a structure that is moved to": (
        "struct gadget *inner = g->data; inner += any(); struct own *own = container_of(inner, struct own, inner);"
        " g->data = own + 1;",
        USED,
        {"container_of(inner)", "own->b"},
    ),
    "what is around an element": (
        "struct gadget *all = g->data; g->data = &all[any()];",
        "struct gadget *one = g->data; level = container_of(one, struct own, inner)->b;",
        {"all[any()]", "container_of(one)"},
    ),
    "an element as a larger structure": (
        "struct gadget *all = g->data; struct own *own = (struct own *)&all[any()]; level = own->b;",
        "",
        {"all[any()]", "own->b"},
    ),
    "what is around what is around a structure that is moved to": (
        "struct outer { int first; struct own own; } *out; struct gadget *inner = g->data; inner += any();"
        " struct own *own = container_of(inner, struct own, inner); out = container_of(own, struct outer, own);"
        " level = out->first;",
        "",
        {"container_of(inner)", "container_of(own)"},
    ),
    "members of two objects, one of them moved": (
        "static char text[8]; kept = text + (any() & 7); struct own *own = g->data; static char all[64];"
        " memcpy(all, own->table, sizeof(own->table));",
        "",
        set(),
    ),
    "more than a structure, another object moved": (
        "static char text[8]; kept = text + (any() & 7); struct own *own = g->data; static char all[64];"
        " memcpy(all, own->table, sizeof(*own));",
        "",
        {"memcpy(all, own->table, sizeof(*own))"},
    ),
    "bytes that are moved to": ("kept = g->data; kept += 4; level = *kept;", USED, {"*kept"}),
}


def open_checks(
    directory: Path,
    start: str,
    level: str,
    assumed: tuple[str, ...] = (),
    property_name: str = "array-bounds",
    domain: str = "interval",
) -> set[str]:
    """What stands in the source where a check stays open."""
    kernel = kernel_tree.found(directory)
    source = directory / "driver.c"
    source.write_text(DRIVER.replace("@START@", start).replace("@LEVEL@", level))
    options = FrontendOptions(model="linux", kernel=str(kernel), properties=(property_name,), assumed=assumed)
    found = read((str(source),), options, Clock())
    assert not found.unknown
    analysis = analyse(found.program, AnalysisOptions(domain=domain))
    verdicts = analysis.fixpoints[0].verdicts
    return {check.expression for check in verdicts if not analysis.status_of(check).is_safe}


@pytest.mark.parametrize("name", OPEN)
def test_what_stays_open(tmp_path: Path, name: str) -> None:
    start, level, expected = OPEN[name]
    assert open_checks(tmp_path, start, level) == expected


@pytest.mark.parametrize("name", ASSUMED)
def test_what_stays_open_where_the_kernel_is_taken_to_give_whole_objects(tmp_path: Path, name: str) -> None:
    start, level, expected = ASSUMED[name]
    assert open_checks(tmp_path, start, level, ("kernel-pointers",)) == expected


def _nothing(*_: object) -> None:
    """Forgets what it is told."""


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "moved pointers are kept nowhere": (
        lambda patch: patch.setattr(Layouts, "keep", _nothing),
        "a moved address that is given to the kernel",
    ),
    "every function ignores its parameters": (
        lambda patch: patch.setattr(inline, "ignored_by", lambda *_: frozenset({0})),
        "a moved address that a function keeps",
    ),
    "new objects are large enough": (
        lambda patch: patch.setattr(inside, "_within_slot", lambda *_: TRUE),
        "a part of a new object as the whole",
    ),
    "what was moved for an access needs no check": (
        lambda patch: patch.setattr(bounds, "MOVED", "<nothing>"),
        "an address that is moved for one access",
    ),
    "there is room for all bytes": (
        lambda patch: patch.setattr(bounds, "_bytes_of_type_check", _nothing),
        "as many bytes of a table as the device says",
    ),
    "what fails by its type certainly fails": (
        lambda patch: patch.setattr(inside, "disjunction", lambda formulas: next(iter(formulas))),
        "more bytes than a table has",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_rules_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    seed(monkeypatch)
    start, level, expected = OPEN[shown]
    assert not open_checks(tmp_path, start, level) >= expected


def test_a_defect_of_elements_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "bounds_check", _nothing)
    start, level, expected = ASSUMED["the address of an element"]
    assert not open_checks(tmp_path, start, level, ("kernel-pointers",)) >= expected


ASSUMED_DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "memory that is not tracked forgets what was moved": (
        lambda patch: patch.setattr(Pointers, "lose", lambda *_, **__: None),
        "bytes that are moved to in memory that the kernel knows",
    ),
    "variable arguments forget what was moved": (
        lambda patch: patch.setattr(pointers, "Passed", Failed),
        "bytes that are moved to, as a variable argument and as a structure",
    ),
    "cells forget what was moved": (
        lambda patch: patch.setattr(pointers, "kept_marks", lambda _: NOTHING),
        "bytes that are moved to, as a structure",
    ),
    "what is around what was moved is there": (
        lambda patch: patch.setattr(linux, "unknown_check", _nothing),
        "what is around a structure that is moved to",
    ),
    "every structure has room for any other one": (
        lambda patch: patch.setattr(moved, "_has_room", lambda *_: True),
        "bytes at the end of a structure, as another one",
    ),
}


@pytest.mark.parametrize("name", ASSUMED_DEFECTS)
def test_a_defect_of_what_is_taken_as_whole_is_noticed(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed, shown = ASSUMED_DEFECTS[name]
    seed(monkeypatch)
    start, level, expected = ASSUMED[shown]
    assert open_checks(tmp_path, start, level, ("kernel-pointers",)) != expected


NOT_NULL: Mapping[str, tuple[str, str, set[str]]] = {
    "the argument of a callback": ("level = g->count;", "", set()),
    "what is around it": ("level = container_of(g, struct own, inner)->a;", "", set()),
    "what it holds": ("struct own *own = g->data; level = own->a;", "", {"own != 0"}),
    "a string": ("", "level = *g->name;", {"g->name != 0"}),
}


@pytest.mark.parametrize("name", NOT_NULL)
def test_what_may_be_null_where_callbacks_are_taken_to_be_given_structures(tmp_path: Path, name: str) -> None:
    start, level, expected = NOT_NULL[name]
    assert open_checks(tmp_path, start, level, ("callback-arguments",), "null-dereference") == expected
    assert open_checks(tmp_path, start, level, (), "null-dereference") >= expected | {"g != 0"}


MADE_OF_NULL = "struct gadget *got = @; struct own *own = container_of(got, struct own, inner); @THEN@"
ASKED = "__VERIFIER_assert(got != 0); level = (own != 0);"
LATER: Mapping[str, tuple[str, str, set[str]]] = {
    "whether it was null": ("g->data", ASKED, {"got != 0"}),
    "whether it was null, in one way": ("g->data", "if (!got) __VERIFIER_assert(0); level = own->a;", {"0"}),
    "where it was not null": ("g->data", f"if (!got) return 0; {ASKED}", set()),
    "where the kernel gives a structure": ("g", ASKED, set()),
}


@pytest.mark.parametrize("name", LATER)
def test_what_is_asked_of_a_pointer_behind_what_is_around_it(tmp_path: Path, name: str) -> None:
    given, then, expected = LATER[name]
    start = MADE_OF_NULL.replace("@THEN@", then).replace("@", given)
    assert open_checks(tmp_path, start, "", ("callback-arguments",), "assertion", "octagon") == expected


def test_a_defect_of_what_is_around_null_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linux, "disjunction", lambda formulas: next(iter(formulas)))
    start = MADE_OF_NULL.replace("@THEN@", ASKED).replace("@", "g->data")
    assert not open_checks(tmp_path, start, "", (), "assertion", "octagon")
