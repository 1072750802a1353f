"""A harness that is printed and passed back says the same as the one that is derived: drivers of every kind."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from duet.clock import Clock
from duet.errors import SourceError
from duet.linux.cycles import CYCLES
from duet.options import FrontendOptions
from duet.pipeline import Job, perform
from duet.reading import read_units
from tests.linux import kernel_tree, test_handed, test_kept, test_maps, test_operations, test_order, test_registered
from tests.linux.opened import INTERVAL, filled
from tests.linux.test_walks import IS_ITEM, driver

AT, OF = test_registered, test_operations
REGISTERED = AT.LED + AT.LED_ON + AT.TIMER + "mod_timer(&own->timer, 5);" + AT.WORK + "schedule_work(&own->work);"
OPERATING = OF.WATCHDOG + OF.CLOCK + OF.CLOCK_ON + OF.SENSOR + OF.CHIP + OF.GROUPS + OF.REGISTER
LIVES = {
    cycle.driver: partial(test_order.driver, cycle=cycle, probe=test_order.MAY_FAIL, later=test_order.REACHED)
    for cycle in test_order.LIVES
}
TEXTS = {
    "seq_operations": driver({"SHOW": IS_ITEM}),
    "what is registered": filled(AT.DRIVER, AT.USUAL, {"PROBE": REGISTERED}),
    "operations of cores": filled(OF.DRIVER, OF.USUAL, {"PROBE": OPERATING}),
    "what a core has in hand": filled(
        test_handed.DRIVER,
        {"BODY": test_handed.SET + test_handed.RTC[0], "LOAD": test_handed.RTC[1]},
        {"MEMBER": ".set_time = set", "DO": "kept = table[t->tm_mon];"},
    ),
    "maps": filled(test_maps.DRIVER, {"MORE": "", "LOAD": ""}, {"BODY": test_maps.MAKE + "; " + test_maps.READ}),
    "what is kept": filled(test_kept.KEEPING, test_kept.USUAL, {}),
    "parameters": "#include <linux/module.h>\n#include <linux/gadget.h>\nstatic int table[4], level, levels[4], count;"
    "module_param(level, int, 0600); module_param_array(levels, int, &count, 0);"
    "static int start(struct gadget *g) { return table[level & 7] + table[count & 3]; }"
    "static void set_level(struct gadget *g, unsigned int level) { }"
    + kernel_tree.GADGET.replace("@LOADING@", ""),
}  # fmt: skip


def verdicts(source: Path, options: FrontendOptions) -> list[tuple[int, int, str, str]]:
    found = perform(Job((str(source),), options, INTERVAL), lambda _: None).assertions
    return [(item.check.line, item.check.column, item.check.expression, item.status.value) for item in found]


@pytest.mark.parametrize("kind", [*LIVES, *TEXTS])
def test_what_is_printed_can_be_read(tmp_path: Path, kind: str) -> None:
    source, printed = tmp_path / "driver.c", tmp_path / "printed.c"
    kernel = str(kernel_tree.make(tmp_path))
    source.write_text(LIVES[kind](tmp_path) if kind in LIVES else TEXTS[kind])
    asked = ("assertion", "array-bounds", "null-dereference")
    options = FrontendOptions(model="linux", kernel=kernel, properties=asked)
    ((_, harness),) = read_units((str(source),), options, Clock())
    assert harness is not None
    printed.write_text(harness.text)
    derived = verdicts(source, options)
    assert derived
    assert verdicts(source, replace(options, harness=str(printed))) == derived


def test_there_is_a_driver_for_each_record() -> None:
    assert {cycle.driver for cycle in CYCLES} <= {*LIVES, *TEXTS}


@pytest.mark.parametrize("broken", ["absent = 1;", "absent(;"])
def test_a_harness_that_is_not_understood_is_refused(tmp_path: Path, broken: str) -> None:
    source, printed = tmp_path / "driver.c", tmp_path / "printed.c"
    source.write_text(driver({"SHOW": IS_ITEM}))
    options = FrontendOptions(model="linux", kernel=str(kernel_tree.make(tmp_path)))
    ((_, harness),) = read_units((str(source),), options, Clock())
    assert harness is not None
    printed.write_text(harness.text.replace("int main(void)\n{", "int main(void)\n{\n" + broken))
    with pytest.raises(SourceError):
        verdicts(source, replace(options, harness=str(printed)))
