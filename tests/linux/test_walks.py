"""What a `seq_file` shows: the walk of its core from item to item, one reader after the other for each file.

*Source*: seq_read_iter() and traverse() in fs/seq_file.c of Linux 6.1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duet.linux import cycles
from duet.linux.cycles import Cycle
from duet.linux.mentions import Mentions
from tests.linux.kernel_tree import safe

DRIVER = """
#include <linux/module.h>
#include <linux/seq_file.h>
struct item { int kind; };
static struct item items[3];
static int counts[3], walking, again;
extern void *any_list(void *at);
extern int failing(void);
extern int register_opener(int (*function)(struct file *file));
static void *at(long long pos) { return pos >= 0 && pos < 3 ? &items[pos] : 0; }
static void *start(struct seq_file *m, long long *pos) { @START@ return at(*pos); }
static void *next(struct seq_file *m, void *v, long long *pos) { @NEXT@ return at(++*pos); }
static void stop(struct seq_file *m, void *v) { @STOP@ }
static int show(struct seq_file *m, void *v) { @SHOW@ return failing(); }
static @CONST@ struct seq_operations ops = { .start = start, .next = next, .stop = stop, .show = show };
static int opened(struct file *file) { @OPEN@ return seq_open(file, &ops); }
static int __init loading(void) { @LOAD@ return register_opener(opened); }
module_init(loading);
MODULE_LICENSE("GPL");
"""
IS_ITEM = "__VERIFIER_assert((struct item *)v >= items);"
PROVED: Mapping[str, dict[str, str]] = {
    "what is shown was given by the walk": {"SHOW": IS_ITEM},
    "what comes next follows something": {"NEXT": "__VERIFIER_assert(v != 0);"},
    "a member of the same name is assigned": {"SHOW": IS_ITEM, "LOAD": "struct seq_operations *o; o->start = 0;"},
}
OPEN: Mapping[str, dict[str, str]] = {
    "a walk that is over ends with nothing": {"STOP": "__VERIFIER_assert(v != 0);"},
    "a walk that is broken off ends with an item": {"STOP": "__VERIFIER_assert(v == 0);"},
    "the token of the beginning is shown": {"START": "if (*pos == 0) return (void *)1;", "SHOW": IS_ITEM},
    "a reader goes on later": {"START": "__VERIFIER_assert(*pos == 0);"},
    "a reader begins again": {"NEXT": "again = 1;", "START": "__VERIFIER_assert(*pos != 0 || !again);"},
    "several are shown before the end": {"SHOW": "__VERIFIER_assert(!walking); walking = 1;", "STOP": "walking = 0;"},
    "the function runs for others, too": {"SHOW": IS_ITEM, "LOAD": "register_opener((void *)show);"},
    "the table comes to somebody else": {"SHOW": IS_ITEM, "OPEN": "seq_read(file, &ops);"},
    "the table is copied": {"SHOW": IS_ITEM, "OPEN": "struct seq_operations o = ops; register_opener((void *)&o);"},
    "a member is assigned": {
        "CONST": "",
        "SHOW": IS_ITEM,
        "LOAD": "ops.start = (void *)any_list;",
    },
    "the driver moves the file on itself": {"NEXT": "*pos = 2; m->index = 7; __VERIFIER_assert(*pos == 2);"},
}  # fmt: skip


def driver(parts: Mapping[str, str]) -> str:
    text = DRIVER
    for name in ("START", "NEXT", "STOP", "SHOW", "OPEN", "LOAD"):
        text = text.replace(f"@{name}@", parts.get(name, ""))
    return text.replace("@CONST@", parts.get("CONST", "const"))


@pytest.mark.parametrize("name", PROVED)
def test_a_walk_is_known(tmp_path: Path, name: str) -> None:
    assert safe(tmp_path, driver(PROVED[name])) == [True]


@pytest.mark.parametrize("name", OPEN)
def test_what_a_walk_may_do(tmp_path: Path, name: str) -> None:
    assert safe(tmp_path, driver(OPEN[name])) == [False]


def _anything_is_taken(driver: str, cycle: Cycle, mentions: Mentions) -> bool:
    return True


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "tables come to the core only": (
        lambda patch: patch.setattr(cycles, "_is_taken", _anything_is_taken),
        "the table comes to somebody else",
    ),
    "nobody moves a file": (
        lambda patch: patch.setattr(cycles, "INDEX", "(nothing)"),
        "the driver moves the file on itself",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    assert safe(tmp_path, driver(OPEN[shown])) == [False]
    seed(monkeypatch)
    assert safe(tmp_path, driver(OPEN[shown])) == [True]
