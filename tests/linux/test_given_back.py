"""Memory that is given back by other functions than `kfree`: behind readers, of a device, if it is no constant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.linux.drivers import statuses
from tests.linux.kernel_tree import safe
from tests.linux.test_general import driver

USE = "struct rule *rule = kzalloc(sizeof(*rule), GFP_KERNEL); if (!rule) return -1; rule->level = 1; @ return 0;"
RULE = """
#include <linux/slab.h>
#include <linux/rcupdate.h>
#include <linux/device.h>
struct rule { int level; struct rcu_head head; };
"""
FAILS = {
    "used behind it": "kfree_rcu(rule, head); rule->level = 2;",
    "given back twice": "kfree_rcu(rule, head); kfree(rule);",
    "given back in one way": "if (rule->level) kfree_rcu(rule, head); rule->level = 2;",
}
HOLDS = {
    "used before": "rule->level = 2; kfree_rcu(rule, head);",
    "given back in each way": "if (rule->level) kfree_rcu(rule, head); else kfree(rule);",
    "kept": "rule->level = 2;",
}


OTHERS = {
    "given back by its device": "devm_kfree((struct device *)0, rule); rule->level = 2;",
    "given back if it is not constant": "kfree_const(rule); rule->level = 2;",
}


def with_kernel(directory: Path, body: str) -> list[bool]:
    text = driver("return 0;", "", loading=USE.replace("@", body).replace(" return 0;", ""), more=RULE)
    return safe(directory, text, ("use-after-free",))


def bundled(directory: Path, body: str) -> list[bool]:
    text = f"{RULE}static int start(void) {{ {USE.replace('@', body)} }}\nmodule_init(start);\n"
    return statuses(directory, text, "use-after-free")


@pytest.mark.parametrize("name", FAILS)
def test_what_is_used_too_late_is_not_proved(tmp_path: Path, name: str) -> None:
    assert not all(with_kernel(tmp_path, FAILS[name]))
    assert not all(bundled(tmp_path, FAILS[name]))


@pytest.mark.parametrize("name", OTHERS)
def test_what_other_functions_give_back_is_not_proved(tmp_path: Path, name: str) -> None:
    body = OTHERS[name]
    assert not all(with_kernel(tmp_path, body))
    assert all(with_kernel(tmp_path, body.replace("; rule->level = 2;", ";")))


@pytest.mark.parametrize("name", HOLDS)
def test_what_is_used_in_time_is_proved(tmp_path: Path, name: str) -> None:
    assert all(with_kernel(tmp_path, HOLDS[name]))
    assert all(bundled(tmp_path, HOLDS[name]))
