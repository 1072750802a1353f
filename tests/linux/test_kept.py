"""Which functions are called through pointers of which little is known: by their types, and those that a driver keeps.

In each driver something must hold, or not, where a function runs; the comment of a case says why it does in a kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duet.frontend.cells import callees, contracts
from duet.linux import general, mentions, uses
from tests.linux.opened import filled, open_checks_of

KEEPING = """
#include <linux/module.h>
#include <linux/kernel.h>
#include <linux/gadget.h>
extern void other(const void *given);
extern void register_callback(int (*function)(int));
static int ready;
@BEFORE@
static int prepare(int number) { __VERIFIER_assert(ready); return number; }
struct kind { const char *name; int (*prepare)(int number); @MEMBERS@ };
static @CONST@ struct kind kinds[2] = { @KINDS@ };
@BEHIND@
static int __init loading(void)
{
	struct kind copy;
	int (*found)(int);

	other(kinds);
	@EARLY@
	ready = 1;
	@USE@
	return 0;
}
module_init(loading);
MODULE_LICENSE("GPL");
"""
USUAL = {
    "KINDS": '{ .name = "old", .prepare = prepare }, { .name = "new" }',
    "BEFORE": "",
    "MEMBERS": "",
    "CONST": "const",
    "BEHIND": "",
    "EARLY": "",
    "USE": "return kinds[0].prepare(3);",
}
ASSUMED = ("kernel-pointers", "function-types")
KEPT: Mapping[str, tuple[dict[str, str], bool]] = {
    # nobody but the driver knows what is in a kind, and the driver calls it when it is ready
    "only called": ({}, True),
    "called where it is there": ({"USE": "if (kinds[1].prepare) return kinds[1].prepare(3);"}, True),
    "called by its name": ({"USE": "return prepare(3);"}, True),
    "called as what the pointer leads to": ({"USE": "return (*kinds[0].prepare)(3);"}, True),
    "elements by their numbers": (
        {
            "KINDS": "[old] = { .prepare = prepare }, [new] = { .name = 0 }",
            "BEFORE": "enum { new, old };",
            "USE": "kinds[1].prepare(3);",
        },
        True,
    ),
    "a member of an element": ({"KINDS": "[1].prepare = prepare", "USE": "return kinds[1].prepare(3);"}, True),
    "assigned": ({"CONST": "", "USE": "kinds[1].prepare = prepare; return kinds[1].prepare(3);"}, True),
    "copied with its structure": ({"USE": "copy = kinds[0]; return copy.prepare(3);"}, True),
    # these hand it to the kernel, before it is ready, or may
    "handed over": (
        {"BEHIND": "static int early(void) { register_callback(prepare); return 0; }", "EARLY": "early();"},
        False,
    ),
    "handed over by the member": ({"EARLY": "register_callback(kinds[0].prepare);"}, False),
    "kept in a variable": ({"EARLY": "found = kinds[0].prepare; register_callback(found);"}, False),
    "assigned in a row": (
        {
            "CONST": "",
            "BEHIND": "static int (*hook)(int);",
            "EARLY": "hook = kinds[1].prepare = prepare; register_callback(hook);",
        },
        False,
    ),
    "its member's address is taken": ({"EARLY": "other(&kinds[0].prepare);"}, False),
    "in a structure of the kernel": (
        {"BEHIND": "static const struct gadget_ops ops = { .level = (void *)prepare };", "EARLY": "other(&ops);"},
        False,
    ),
    "in a structure of the kernel, by the member": (
        {"BEHIND": "static struct gadget_ops ops;", "EARLY": "ops.level = (void *)kinds[0].prepare; other(&ops);"},
        False,
    ),
    "in a structure of the kernel that is the first member of one of the driver": (
        {
            "BEHIND": "struct outer { struct gadget_ops ops; int more; };"
            " static const struct outer outer = { { .level = (void *)prepare } };",
            "EARLY": "other(&outer.ops);",
        },
        False,
    ),
    "in a structure of the kernel that is a member of one of the driver": (
        {
            "BEHIND": "struct outer { int more; struct gadget_ops ops; };"
            " static const struct outer outers[] = { [0] = { .ops = { .level = (void *)prepare } } };",
            "EARLY": "other(&outers[0].ops);",
        },
        False,
    ),
    "in a variable": ({"BEHIND": "static int (*hook)(int) = prepare;", "EARLY": "other(&hook);"}, False),
    "exported": ({"BEHIND": "EXPORT_SYMBOL(prepare); extern int (*hook)(int); int (*hook)(int) = prepare;"}, False),
    "what else is there is not understood": (
        {"BEHIND": "static int odd(void) { STRANGE(struct kind); return 0; }", "EARLY": "odd();"},
        False,
    ),
}


def _is_safe(directory: Path, name: str, assumed: tuple[str, ...] = ASSUMED) -> bool:
    parts, _ = KEPT[name]
    return "ready" not in open_checks_of(directory, filled(KEEPING, USUAL, parts), ("assertion",), False, assumed)


@pytest.mark.parametrize("name", KEPT)
def test_what_a_driver_keeps_is_called_by_the_driver(tmp_path: Path, name: str) -> None:
    assert _is_safe(tmp_path, name) == KEPT[name][1]


def test_without_the_assumption_the_kernel_may_call_what_it_finds(tmp_path: Path) -> None:
    assert not _is_safe(tmp_path, "only called", ())


TYPES = """
#include <linux/module.h>
#include <linux/kernel.h>
#include <linux/gadget.h>
struct own { int (*run)(struct own *own, unsigned int count); int level; };
static int changed;
@TYPE@ change(@PARAMETERS@) { changed = 1; return 0; }
static int keep(struct own *own, unsigned int count) { return 0; }
struct holder { void *held; };
static struct holder holder = { .held = change };
extern void other(void *given);
static int (*hooks[2])(struct own *own, unsigned int count) = { keep };
static int start(struct gadget *g)
{
	struct own *own = g->data;

	changed = 0;
	own->run(own, 2);
	__VERIFIER_assert(!changed);
	return 0;
}
static void level(struct gadget *g, unsigned int to) { }
static const struct gadget_ops ops = { .start = start, .level = level };
static struct gadget gadget = { .name = "g", .ops = &ops };
static int __init loading(void)
{
	other(&hooks);
	if (!holder.held)
		return -1;
	return gadget_register(&gadget);
}
module_init(loading);
MODULE_LICENSE("GPL");
"""
CALLED: Mapping[str, tuple[str, str, bool]] = {
    "one of another result": ("static long", "struct own *own, unsigned int count", True),
    "one of another parameter": ("static int", "struct gadget *other, unsigned int count", True),
    "one of a parameter of another size": ("static int", "struct own *own, unsigned long count", True),
    "one of more parameters": ("static int", "struct own *own, unsigned int count, int more", True),
    "one that takes more": ("static int", "struct own *own, unsigned int count, ...", True),
    "one of the type": ("static int", "struct own *own, unsigned int count", False),
    "one of the type, by another name": (
        "typedef int number; static number",
        "struct own *const own, unsigned count",
        False,
    ),
    "one of a qualified type": ("static int", "const struct own *own, unsigned int count", False),
    "one that takes nothing": ("static int", "", True),
}


def _changes(directory: Path, name: str, assumed: tuple[str, ...] = ASSUMED) -> bool:
    result, parameters, _ = CALLED[name]
    text = filled(TYPES, {}, {"TYPE": result, "PARAMETERS": parameters})
    return "!changed" in open_checks_of(directory, text, ("assertion",), True, assumed)


@pytest.mark.parametrize("name", CALLED)
def test_a_function_is_called_by_its_type_only(tmp_path: Path, name: str) -> None:
    assert _changes(tmp_path, name) != CALLED[name][2]


def test_without_the_assumption_any_function_may_be_called(tmp_path: Path) -> None:
    assert _changes(tmp_path, "one of another parameter", ("kernel-pointers",))


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "no value of a member is taken": (
        lambda patch: patch.setattr(mentions, "taken_members", lambda *_: frozenset()),
        "handed over by the member",
    ),
    "every use of a member is harmless": (
        lambda patch: patch.setattr(uses, "_is_harmless", lambda *_: True),
        "kept in a variable",
    ),
    "the kernel calls nothing": (
        lambda patch: patch.setattr(contracts, "runs_as", lambda *_: ()),
        "handed over",
    ),
    "all structures are the driver's": (
        lambda patch: patch.setattr(
            general, "find_kept", lambda _, found: (name for name in found.sites if found.known(name))
        ),
        "in a structure of the kernel",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_what_is_kept_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    seed(monkeypatch)
    assert _is_safe(tmp_path, shown)


def test_a_defect_of_what_types_are_called_as_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callees, "may_be_same", lambda left, right: left == right and left.variadic)
    assert not _changes(tmp_path, "one of the type")
