"""Handlers of interrupts: they run from their registration on, with the data that was given there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duet.clock import Clock
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number
from duet.frontend.ctypes.values import Value
from duet.frontend.program import Threads
from duet.frontend.source.nodes import Node
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.pipeline import Job, perform
from duet.plip.syntax import Spawn
from duet.reading import read
from duet.result import Status
from tests.linux import kernel_tree

DRIVER = """
#include <linux/module.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
struct own { struct own *next; int level; };
static struct own one, *volatile kept;
static int level;
extern int hand_over(irq_handler_t handler);
static irqreturn_t handle(int irq, void *data) { struct own *own = data; @HANDLE@ return IRQ_WAKE_THREAD; }
static irqreturn_t later(int irq, void *data) { struct own *own = data; @LATER@ return IRQ_HANDLED; }
static int reset(struct own *own) { own->level = 2; return 0; }
static int __init loading(void)
{
	struct own *new = kzalloc(sizeof(*new), GFP_KERNEL);

	if (!new)
		return -1;
	@LOAD@
	return 0;
}
module_init(loading);
MODULE_LICENSE("GPL");
"""
USED = "own->level = 1;"
PROVED: Mapping[str, tuple[str, str, str]] = {
    "new data": (USED, "", 'return request_irq(1, handle, 0, "a", new);'),
    "data of the module": (USED, "", 'return request_irq(1, handle, 0, "a", &one);'),
    "a thread": ("", USED, 'return request_threaded_irq(1, 0, later, 0, "a", new);'),
    "a handler and its thread": (USED, USED, 'return request_threaded_irq(1, handle, later, 0, "a", new);'),
    "two handlers": (USED, "", 'request_irq(1, handle, 0, "a", new); request_irq(2, handle, 0, "b", &one);'),
    "two with different data": (USED, "", 'request_irq(1, handle, 0, "a", new); request_irq(2, later, 0, "b", 0);'),
    "an unknown function besides": (
        USED,
        "",
        'request_irq(1, handle, 0, "a", new); return hand_over((irq_handler_t)(long)level);',
    ),
    "no data that is needed": ("level = 1;", "", 'request_irq(1, handle, 0, "a", 0);'),
    "data that may be missing": ("if (own) own->level = 1;", "", 'request_irq(1, handle, 0, "a", kept);'),
}
OPEN: Mapping[str, tuple[str, str, str]] = {
    "no data": (USED, "", 'request_irq(1, handle, 0, "a", 0);'),
    "no data for one of two": (USED, "", 'request_irq(1, handle, 0, "a", new); request_irq(2, handle, 0, "b", 0);'),
    "data that may be missing": (USED, "", 'request_irq(1, handle, 0, "a", kept);'),
    "no data for the thread": ("", USED, 'request_threaded_irq(1, handle, later, 0, "a", 0);'),
    "a handler that is handed over, too": (USED, "", 'request_irq(1, handle, 0, "a", new); hand_over(handle);'),
    "data that is not ready": (
        "own->next->level = 1;",
        "",
        'request_irq(1, handle, 0, "a", &one); one.next = new;',
    ),
    "data that the handler forgets": (
        "own->next->level = 1; own->next = 0;",
        "",
        'one.next = new; request_irq(1, handle, 0, "a", &one);',
    ),
}


def open_checks(directory: Path, handle: str, later: str, load: str) -> set[str]:
    """The pointers that may be null."""
    source = directory / "driver.c"
    text = DRIVER.replace("@HANDLE@", handle).replace("@LATER@", later).replace("@LOAD@", load)
    source.write_text(text)
    kernel = str(kernel_tree.found(directory))
    options = FrontendOptions(model="linux", kernel=kernel, properties=("null-dereference",))
    run = perform(Job((str(source),), options, AnalysisOptions(domain="interval")), lambda _: None)
    assert not any(item.status is Status.UNKNOWN for item in run.assertions)
    return {item.check.expression for item in run.assertions if not item.status.is_safe}


@pytest.mark.parametrize("name", PROVED)
def test_a_handler_has_the_data_of_its_registration(tmp_path: Path, name: str) -> None:
    assert not open_checks(tmp_path, *PROVED[name])


def test_a_handler_that_is_missing_is_no_other_function(tmp_path: Path) -> None:
    load = 'int (*volatile way)(struct own *own) = reset; return request_threaded_irq(1, 0, later, 0, "a", new);'
    source = tmp_path / "driver.c"
    source.write_text(DRIVER.replace("@HANDLE@", "").replace("@LATER@", "").replace("@LOAD@", load))
    kernel, shared = (
        str(kernel_tree.found(tmp_path)),
        Budgets(inlined_commands=-1, small_commands=-1, callback_small_commands=-1),
    )
    options = FrontendOptions(model="linux", kernel=kernel, properties=("null-dereference",), budgets=shared)
    assert set(read((str(source),), options, Clock()).program.templates) == {"main", "later"}


@pytest.mark.parametrize("name", OPEN)
def test_what_a_handler_may_find_null(tmp_path: Path, name: str) -> None:
    assert open_checks(tmp_path, *OPEN[name])


def _not_with_null(
    self: Threads, ctx: Context, function: str, argument: Value | None, node: Node, position: int
) -> Spawn:
    """Starts a function that does nothing where null is given."""
    is_null = argument is not None and number(ctx, argument).constant == 0
    return self._start(ctx, "later" if is_null else function, argument, node, None, position)


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "handlers without data do not run": (
        lambda patch: patch.setattr(Threads, "spawn", _not_with_null),
        "no data for one of two",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_rules_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    seed(monkeypatch)
    assert not open_checks(tmp_path, *OPEN[shown])
