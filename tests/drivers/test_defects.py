"""Seeded defects in drivers that are read with a kernel's own headers: each of a small driver is caught."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli
from tests.linux.kernel_tree import make

sys.path.insert(0, str(Path(__file__).parents[2] / "drivers-bench"))

import seeded  # the scripts lie beside the drivers, in no package
from defects import Driver, applied, every

TEXT = """/* A gadget with a level. */
#include <linux/module.h>
#include <linux/bug.h>
#include <linux/mutex.h>
#include <linux/gadget.h>
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
static DEFINE_MUTEX(lock);
static int table[8], level;

static void set_level(struct gadget *g, unsigned int to)
{
	int i;

	if (to > 7) /* "too far"; */
		return;
	mutex_lock(&lock);
	level = table[to];
	for (i = 0; i < ARRAY_SIZE(table); i++)
		table[i] = to;
	mutex_unlock(&lock);
}

static const struct gadget_ops ops = {
	.level = set_level,
};
static struct gadget gadget = { .name = "g", .ops = &ops };

static int __init loading(void)
{
	return gadget_register(&gadget);
}
module_init(loading);
MODULE_LICENSE("GPL");
"""
KINDS = {"dropped check", "off by one", "dropped lock", "one too far", "order"}


def test_defects_keep_the_lines() -> None:
    driver = Driver(TEXT)
    found = list(every(driver))
    assert found == list(every(Driver(TEXT)))
    assert {defect.kind for defect in found} == KINDS
    for defect in found:
        right, wrong = (applied(driver, (defect,), is_wrong) for is_wrong in (False, True))
        assert right is not None
        assert wrong is not None
        assert right != wrong
        assert right.count("\n") == wrong.count("\n") == TEXT.count("\n")


def test_no_text_has_two_defects_in_one_function() -> None:
    found = list(every(Driver(TEXT)))
    groups = list(seeded.dealt(found, len(found)))
    assert sorted(map(repr, (defect for group in groups for defect in group))) == sorted(map(repr, found))
    assert all(len({defect.function for defect in group}) == len(group) for group in groups)


def test_each_defect_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gadget.c").write_text(TEXT)
    kernel = str(make(tmp_path))
    setting = seeded.Setting(tmp_path, kernel, seed=1, defects=5, texts=5, seconds=100)
    # in this process, which saves starting one each time
    monkeypatch.setattr(seeded, "reported", lambda command: json.loads(CliRunner().invoke(cli, command[3:]).stdout))
    reports: dict[str, object] = {}
    analyse = seeded.analyse
    monkeypatch.setattr(seeded, "analyse", lambda s, n, text: reports.setdefault(text, analyse(s, n, text)))
    found = list(seeded.findings(setting, "gadget.c"))
    assert {finding.kind for finding in found} >= KINDS - {"off by one"}
    assert {finding.result for finding in found} == {"caught"}
