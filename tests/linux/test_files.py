"""The private data of files: what an opening has left there the other operations of the file find."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duet.frontend.cells import private
from duet.frontend.models import registrations
from duet.linux import cycles
from duet.plip.syntax import Assign
from duet.plip.terms import constant
from tests.linux.opened import filled, open_checks_of

DRIVER = """
#include <linux/module.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/fs.h>
struct own { int level; };
extern int any(void);
extern void other(void *given);
extern int look(struct file *file);
extern int change(void **place);
static int level;
@BEFORE@
static int opened(struct inode *inode, struct file *file)
{
	struct own *own = kzalloc(sizeof(*own), GFP_KERNEL);

	if (!own)
		return -1;
	@OPEN@
	return 0;
}
static long reading(struct file *file, char *buffer, size_t size, long long *position)
{
	struct own *by_read = file->private_data;

	@READ@
	return by_read->level;
}
static long control(struct file *file, unsigned int command, unsigned long argument)
{
	struct own *by_control = file->private_data;

	return by_control->level;
}
static int closed(struct inode *inode, struct file *file)
{
	struct own *by_release = file->private_data;

	@CLOSE@
	return by_release->level;
}
static @CONST@struct file_operations operations = {
	.open = opened, .read = reading, .unlocked_ioctl = control, .release = closed };
static int __init loading(void) { @LOAD@ return register_chrdev(5, "n", &operations); }
module_init(loading);
MODULE_LICENSE("GPL");
"""
USUAL = dict.fromkeys(("BEFORE", "READ", "CLOSE", "LOAD"), "") | {
    "OPEN": "file->private_data = own;",
    "CONST": "const ",
}
PROVED: Mapping[str, dict[str, str]] = {
    "it is set": {},
    "it is set by a function": {
        "BEFORE": "static void set(struct file *file, void *data) { file->private_data = data; }",
        "OPEN": "set(file, own);",
    },
    "it is set before the position is taken away": {
        "OPEN": "file->private_data = own; return nonseekable_open(inode, file);"
    },
    "it is set behind what the kernel does": {"OPEN": "if (look(file)) return -2; file->private_data = own;"},
    "the opening fails otherwise": {"OPEN": "if (any()) return -2; file->private_data = own;"},
    "the release sets it to null": {"CLOSE": "file->private_data = 0;"},
    "what is not the file goes to the kernel": {"OPEN": "file->private_data = own; other(own);"},
}
OPEN: Mapping[str, tuple[dict[str, str], set[str]]] = {
    "it is not set": ({"OPEN": ""}, {"by_read", "by_control", "by_release"}),
    "it is not set in one way": ({"OPEN": "if (any()) file->private_data = own;"}, {"by_read", "by_release"}),
    "it is set to null": ({"OPEN": "file->private_data = 0;"}, {"by_read", "by_control", "by_release"}),
    "the kernel may set it": ({"OPEN": "file->private_data = own; return look(file);"}, {"by_read", "by_release"}),
    "the kernel opens it": ({"OPEN": "return single_open(file, 0, own);"}, {"by_read", "by_release"}),
    "an operation sets it to null": (
        {"READ": "if (any()) file->private_data = 0;"},
        {"by_read", "by_control", "by_release"},
    ),
    "it is set to null once it is open": (
        {
            "BEFORE": "static int release(struct file *file) { file->private_data = 0; return 0; }",
            "OPEN": "file->private_data = own; if (any()) return release(file);",
        },
        {"by_read", "by_control", "by_release"},
    ),
    "the address of it": ({"READ": "change(&file->private_data);"}, {"by_control", "by_release"}),
    "any other function sets it": (
        {
            "BEFORE": "static struct file *kept; static void end(void *given) { kept->private_data = 0; }"
            " extern void offer(void (*function)(void *));",
            "OPEN": "file->private_data = own; kept = file;",
            "LOAD": "offer(end);",
        },
        {"by_read", "by_control", "by_release"},
    ),
    "a function is called for other files": ({"LOAD": "other((void *)reading);"}, {"by_read"}),
    "files without an opening": (
        {"LOAD": 'anon_inode_getfd("n", &operations, 0, 0);'},
        {"by_read", "by_control", "by_release"},
    ),
    "files that get other operations": (
        {
            "BEFORE": "static const struct file_operations operations; static void move(struct file *file)"
            " { file->f_op = &operations; } extern void offer(void (*function)(struct file *));",
            "LOAD": "offer(move);",
        },
        {"by_read", "by_control", "by_release"},
    ),
    "operations that something else has, too": (
        {"LOAD": "other((void *)&operations);"},
        {"by_read", "by_control", "by_release"},
    ),
    "operations that are in another structure": (
        {
            "BEFORE": "static const struct file_operations operations;"
            " static struct holder { const struct file_operations *held; } holder = { &operations };",
            "LOAD": "other(&holder);",
        },
        {"by_read", "by_control", "by_release"},
    ),
    "operations that are copied": (
        {"BEFORE": "static struct file_operations copy;", "LOAD": "copy = operations; other(&copy);"},
        {"by_read", "by_control", "by_release"},
    ),
    "operations that are not there at first": (
        {"CONST": "", "LOAD": "operations.open = 0;"},
        {"by_read", "by_control", "by_release"},
    ),
    "another table without an opening": (
        {
            "BEFORE": "static long reading(struct file *file, char *buffer, size_t size, long long *position);"
            " static const struct file_operations plain = { .read = reading };",
            "LOAD": 'register_chrdev(6, "m", &plain);',
        },
        {"by_read"},
    ),
    "an opening that is not understood": (
        {"OPEN": "for_each_thing(own) { level = 1; }"},
        {"by_read", "by_control", "by_release"},
    ),
}


def open_checks(directory: Path, changed: Mapping[str, str]) -> set[str]:
    """The names of the pointers in operations that may be null."""
    found = open_checks_of(directory, filled(DRIVER, USUAL, changed), ("null-dereference",), is_whole=False)
    return {text.partition(" ")[0] for text in found if text.startswith("by_")}


@pytest.mark.parametrize("name", PROVED)
def test_operations_find_what_an_opening_has_set(tmp_path: Path, name: str) -> None:
    assert not open_checks(tmp_path, PROVED[name])


@pytest.mark.parametrize("name", OPEN)
def test_what_operations_may_find_null(tmp_path: Path, name: str) -> None:
    changed, expected = OPEN[name]
    assert open_checks(tmp_path, changed) >= expected


def _eight(name: str, *_: int) -> Assign:
    """A pointer that is not null."""
    return Assign(name, constant(8))


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "whoever has operations opens files": (
        lambda patch: patch.setattr(cycles, "_is_taken", lambda *_: True),
        "operations that something else has, too",
    ),
    "nobody else writes to files": (
        lambda patch: patch.setattr(private, "loosen", lambda *_: None),
        "any other function sets it",
    ),
    "the kernel sets nothing": (
        lambda patch: patch.setattr(registrations, "_fill", lambda *_: None),
        "the kernel may set it",
    ),
    "files have nothing at first": (
        lambda patch: patch.setattr(private, "Havoc", _eight),
        "it is not set in one way",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_rules_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    seed(monkeypatch)
    changed, expected = OPEN[shown]
    assert not open_checks(tmp_path, changed) >= expected
