"""The general rule of callers: what the kernel has is called at any time by any number of threads, with what it has.

Every driver here has a check that fails in the kernel. None is proved; where the rule has a defect, one of them is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duet.frontend.cells import escapes
from duet.frontend.cells.context import Context
from tests.linux.kernel_tree import GADGET, safe

DRIVER = """
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/kernel.h>
#include <linux/gadget.h>
struct own { int a; struct gadget inner; };
static struct gadget gadget;
static int level;
extern void *__duet_io_memory(void);
@BODY@
"""
DRIVER += GADGET
START = "static int start(struct gadget *g) { @ }\n"
LEVEL = "static void set_level(struct gadget *g, unsigned int to) { @ }\n"


def driver(start: str, level: str, loading: str = "", more: str = "") -> str:
    text = DRIVER.replace("@BODY@", more + START.replace("@", start) + LEVEL.replace("@", level))
    return text.replace("@LOADING@", loading)


FAILS: Mapping[str, str] = {
    "another callback": driver("__VERIFIER_assert(level == 0); return 0;", "level = to;"),
    "the same callback beside itself": driver(
        "level = 1; __VERIFIER_assert(level == 1); level = 2; level = 0; return 0;", ""
    ),
    "a callback of a local that is registered": driver(
        "struct gadget_ops local = { .level = set_level }; g->ops = &local; __VERIFIER_assert(level == 0); return 0;",
        "level = 1;",
        more=LEVEL.replace("@ }", "").rstrip(" {\n") + ";\n",
    ),
    "a callback while the module is loaded": driver(
        "level = 1; return 0;", "", loading="gadget_register(&gadget); __VERIFIER_assert(level == 0);"
    ),
    "a callback that is stored where the kernel finds it": driver(
        "g->holder->held = (void *)hidden; __VERIFIER_assert(level == 0); return 0;",
        "",
        more="static void hidden(void) { level = 1; }\n",
    ),
    "the object that was registered": driver("__VERIFIER_assert(gadget.count == 0); return 0;", "g->count = 1;"),
    "an object that the kernel keeps": driver(
        "static struct own own; gadget_set_data(g, &own); __VERIFIER_assert(own.a == 0); return 0;",
        "((struct own *)g->data)->a = 1;",
    ),
    "what is around a part": driver(
        "static struct own own; gadget_register(&own.inner); __VERIFIER_assert(own.a == 0); return 0;",
        "container_of(g, struct own, inner)->a = 1;",
    ),
}


def is_proved(directory: Path, text: str) -> bool:
    return all(safe(directory, text))


@pytest.mark.parametrize("name", FAILS)
def test_what_fails_in_the_kernel_is_not_proved(tmp_path: Path, name: str) -> None:
    assert not is_proved(tmp_path, FAILS[name])


def _nobody(ctx: Context, names: object) -> None:
    """Callbacks never run."""


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "callbacks never run": (lambda patch: patch.setattr(escapes, "run_beside", _nobody), "another callback"),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_rule_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    seed(monkeypatch)
    assert is_proved(tmp_path, FAILS[shown])


@pytest.mark.parametrize("header", ["init", "module"])
def test_every_entry_point_of_built_in_text_is_called(tmp_path: Path, header: str) -> None:
    entry = "{ __VERIFIER_assert(state == 0); state = 1; return 0; }"
    text = f"""
#include <linux/{header}.h>
static int state;
static int __init first(void) {entry}
static int __init second(void) {entry}
late_initcall(second);
postcore_initcall(first);
"""
    assert safe(tmp_path, text) == [False, False]
