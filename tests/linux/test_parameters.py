"""Which variables module parameters write, and when."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.errors import SourceError
from tests.linux.drivers import body, harness, statuses

INCLUDE = "#include <linux/module.h>\n"
STARTED = "\nstatic int start(void) { %s return 0; } module_init(start);\n"
LOOK = "\nint look(void) { BUG_ON(%s); return 0; } EXPORT_SYMBOL(look);"
VARIABLES = """static int level = 4, list[2] = {4, 4}, given = 4; static char text[2] = {4, 4};
static struct { int n, list[2]; } set = { 4, {4, 4} };
"""
WRITABLE: dict[str, tuple[str, str]] = {
    "plain": ("module_param(level, int, 0644);", "level != 4"),
    "under another name": ("module_param_named(other, level, int, 0644);", "level != 4"),
    "under a name that may be written": (
        "module_param_named(one, level, int, 0644); module_param_named(two, level, int, 0444);",
        "level != 4",
    ),
    "under a name that may be written, behind": (
        "module_param_named(one, level, int, 0444); module_param_named(two, level, int, 0644);",
        "level != 4",
    ),
    "a member": ("module_param_named(other, set.n, int, 0644);", "set.n != 4"),
    "an array": ("module_param_array(list, int, NULL, 0644);", "list[1] != 4"),
    "an array under another name": ("module_param_array_named(other, list, int, NULL, 0644);", "list[1] != 4"),
    "an array that is a member": ("module_param_array_named(other, set.list, int, NULL, 0644);", "set.list[1] != 4"),
    "a string": ("module_param_string(other, text, sizeof(text), 0644);", "text[1] != 4"),
    "the number of elements": ("module_param_array(list, int, &given, 0644);", "given != 4"),
    "the number of elements in a member": ("module_param_array(list, int, &set.n, 0644);", "set.n != 4"),
    "hardware": ("module_param_hw(level, int, irq, 0644);", "level != 4"),
    "hardware under another name": ("module_param_hw_named(other, level, int, irq, 0644);", "level != 4"),
    "an array of hardware": ("module_param_hw_array(list, int, irq, &given, 0644);", "list[1] != 4 || given != 4"),
    "unsafe": ("module_param_unsafe(level, int, 0644);", "level != 4"),
}
RESET = "level = given = set.n = list[1] = text[1] = set.list[1] = 4;"


@pytest.mark.parametrize("name", WRITABLE)
def test_what_may_be_written_while_the_module_is_there(tmp_path: Path, name: str) -> None:
    declared, wrong = WRITABLE[name]
    assert statuses(tmp_path, VARIABLES + declared + STARTED % f"{RESET} BUG_ON({wrong});") == [False]


@pytest.mark.parametrize("name", WRITABLE)
def test_what_is_only_given_when_the_module_is_loaded(tmp_path: Path, name: str) -> None:
    declared, wrong = WRITABLE[name]
    declared = declared.replace("0644", "0444")
    assert statuses(tmp_path, VARIABLES + declared + STARTED % f"BUG_ON({wrong});") == [False]
    assert statuses(tmp_path, VARIABLES + declared + STARTED % f"{RESET} BUG_ON({wrong});") == [True]


@pytest.mark.parametrize(
    ("permissions", "writable"),
    [("0", False), ("0444", False), ("S_IRUGO", False), ("0644", True), ("S_IRUGO | S_IWUSR", True), ("LEVEL", True)],
)
def test_permissions(tmp_path: Path, permissions: str, writable: bool) -> None:
    text = f"{INCLUDE}enum {{ LEVEL = 0444 }}; static int level; module_param(level, int, {permissions});"
    made = harness(tmp_path, text + STARTED % "").text
    assert ("__duet_spawn(__duet_run_sysfs);" in body(made, "main")) == writable
    assert not writable or "__duet_havoc(level);" in body(made, "__duet_run_sysfs")


def test_parameters_that_functions_of_the_driver_write_are_refused(tmp_path: Path) -> None:
    for text in ("module_param_cb(level, &ops, &level, 0644);", "module_param_call(level, set, get, level, 0644);"):
        with pytest.raises(SourceError):
            harness(tmp_path, INCLUDE + "static int level; " + text + STARTED % "")
