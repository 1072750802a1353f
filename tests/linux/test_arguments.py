"""Arguments that the kernel never gives as null pointers, by the members of structures where it finds a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.linux import general
from duet.linux.lvalues import Site
from duet.linux.mentions import Mentions
from duet.options import AnalysisOptions, FrontendOptions
from duet.reading import read
from tests.linux import kernel_tree

DRIVER = """
#include <linux/module.h>
#include <linux/kernel.h>
#include <linux/platform_device.h>
extern void other(void *given);
extern int hand_over(int (*function)(struct device *device));
struct own { struct dev_pm_ops inner; int (*call)(struct device *device); };
static void *volatile kept;
@BEFORE@
static int wake(struct device *device) { kept = device->parent; return 0; }
@TABLE@
static int __init loading(void) { @LOAD@ return 0; }
module_init(loading);
MODULE_LICENSE("GPL");
"""
TABLE = "static const struct dev_pm_ops power = { .resume = wake };"
HANDED = "other((void *)&power);"
PROVED: Mapping[str, tuple[str, str, str]] = {
    "a table": ("", TABLE, HANDED),
    "two tables": ("", TABLE + "static const struct dev_pm_ops second = { .suspend = wake };", HANDED),
    "an array of tables": ("", "static const struct dev_pm_ops power[] = { { .resume = wake } };", HANDED),
    "a call by name besides": ("", TABLE, HANDED + "static struct device mine; wake(&mine);"),
    "a member that is assigned": ("", "static struct dev_pm_ops power;", "power.resume = wake; other(&power);"),
    "a member behind a pointer": (
        "",
        "static struct dev_pm_ops power;",
        "struct dev_pm_ops *ops = &power; ops->resume = wake; other(ops);",
    ),
    "a variable of an inner block has the same name": (
        "",
        "static struct dev_pm_ops power; static struct own own;",
        "struct dev_pm_ops *ops = &power; { struct own *ops = &own; ops->call = 0; }"
        " for (struct own *ops = &own; ops->call; ) ; ops->resume = wake; other(ops); other(&own);",
    ),
    "a member of a member": ("", "static struct own own;", "(&own)->inner.resume = wake; other(&own);"),
}
OPEN: Mapping[str, tuple[str, str, str]] = {
    "a structure without a record": ("", "static struct own own = { .call = wake };", "other(&own);"),
    "an assignment to one": ("", "static struct own own;", "own.call = wake; other(&own);"),
    "a table and an argument": ("", TABLE, HANDED + "hand_over(wake);"),
    "a table and a variable": ("", TABLE + "static void *other_way = wake;", HANDED + "other(&other_way);"),
    "a table that does not tell its members": ("", "static struct dev_pm_ops power = { 0, wake };", "other(&power);"),
    "a call through a pointer": ("", TABLE, HANDED + "int (*call)(struct device *) = wake; call(0);"),
    "a call with null": ("", TABLE, HANDED + "wake(0);"),
    "a function that others may name": ("int wake(struct device *);", TABLE, HANDED),
    "two variables of one name": (
        "",
        "static struct own own;",
        "{ struct dev_pm_ops *ops = &own.inner; ops->suspend = 0; }"
        " { struct own *ops = &own; ops->call = wake; } other(&own);",
    ),
    "a variable of an inner block that is over": (
        "",
        "static struct dev_pm_ops power; struct hidden { int (*resume)(struct device *); };"
        " static struct hidden hidden, *ops = &hidden;",
        "{ struct dev_pm_ops *ops = &power; ops->suspend = 0; } ops->resume = wake; other(&hidden);",
    ),
    "a variable of an inner block": (
        "",
        "static struct dev_pm_ops power, *ops = &power; struct hidden { int (*resume)(struct device *); };"
        " static struct hidden hidden;",
        "{ struct hidden *ops = &hidden; ops->resume = wake; } other(&hidden); other(&ops);",
    ),
    "a type of a function that has the name of another": (
        "",
        "",
        "struct dev_pm_ops { int (*resume)(struct device *); }; static struct dev_pm_ops power;"
        " power.resume = wake; other(&power);",
    ),
    "what depends on more than it is": ("", TABLE, HANDED + "kept = wake + 0;"),
}


def open_checks(directory: Path, before: str, table: str, load: str) -> set[str]:
    """The pointers that may be null."""
    text = DRIVER.replace("@BEFORE@", before).replace("@TABLE@", table).replace("@LOAD@", load)
    if before:
        text = text.replace("static int wake", "int wake")
    source = directory / "driver.c"
    source.write_text(text)
    kernel = str(kernel_tree.found(directory))
    options = FrontendOptions(model="linux", kernel=kernel, properties=("null-dereference",))
    found = read((str(source),), options, Clock())
    assert not found.unknown
    analysis = analyse(found.program, AnalysisOptions(domain="interval"))
    verdicts = analysis.fixpoints[0].verdicts
    return {check.expression for check in verdicts if not analysis.status_of(check).is_safe}


@pytest.mark.parametrize("name", PROVED)
def test_what_a_member_is_given_is_not_null(tmp_path: Path, name: str) -> None:
    assert not open_checks(tmp_path, *PROVED[name])


@pytest.mark.parametrize("name", OPEN)
def test_what_may_be_null(tmp_path: Path, name: str) -> None:
    assert open_checks(tmp_path, *OPEN[name]) == {"device != 0"}


def _sites(self: Mentions, name: str) -> tuple[Site, ...]:
    """The sites of whatever has one."""
    return self.sites.get(name, ())


def _first(found: Mentions, name: str) -> tuple[int, ...]:
    """The first parameter, whatever the structure is."""
    return (0,) if found.known(name) else ()


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "what is mentioned elsewhere is called from tables alone": (
        lambda patch: patch.setattr(Mentions, "known", _sites),
        "a table and an argument",
    ),
    "all structures have a record": (
        lambda patch: patch.setattr(general, "never_null", _first),
        "a structure without a record",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_rules_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    seed(monkeypatch)
    assert not open_checks(tmp_path, *OPEN[shown])
