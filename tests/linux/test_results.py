"""Results of functions of the kernel that are those of the driver's own functions, which the kernel calls below."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duet.linux import results
from tests.linux.kernel_tree import safe

HEAD = """
#include <linux/module.h>
#include <linux/hw_random.h>
#include <linux/gpio/driver.h>
#include <linux/regmap.h>
#include <linux/transfers.h>
#include <linux/clk.h>
#include <linux/interrupt.h>
#include <linux/watchdog.h>
extern void keep(int (*function)(void *given));
struct own { int (*inner)(void *given); };
static int one(void *given) { return 1; }
static int read_one(void *context, unsigned int reg, unsigned int *value) { return 1; }
static struct regmap *map;
static struct clk *clock;
"""
TAIL = """
module_init(loading);
MODULE_LICENSE("GPL");
"""
LOADING = """
static int __init loading(void)
{
	unsigned int value;

	@DO@
	__VERIFIER_assert(regmap_read(map, 0, &value) <= 0);
	__VERIFIER_assert(clk_enable(clock) <= 0);
	return 0;
}
"""

# What a driver registers, at file scope and while it is loaded; whether results are certain: of a map, of a clock.
DRIVERS: Mapping[str, tuple[str, str, tuple[bool, bool]]] = {
    "nothing of its own": ("", "", (True, True)),
    "a bus of its own": (
        "static const struct regmap_bus bus = { .reg_read = read_one };",
        "map = regmap_by(&bus);",
        (False, False),
    ),
    "a local bus": ("", "struct regmap_bus bus = { .reg_read = read_one }; map = regmap_by(&bus);", (False, False)),
    "a bus that is written": (
        "static struct regmap_bus bus;",
        "bus.reg_read = read_one; map = regmap_by(&bus);",
        (False, False),
    ),
    "a clock of its own": (
        "static const struct clk_ops ops = { .enable = one };",
        "clock_register(&ops);",
        (True, False),  # a register map ignores what is positive
    ),
    "a function that is handed over": ("", "keep(one);", (False, False)),
    "a function in a variable": ("static int (*held)(void *given) = one;", "keep(held);", (False, False)),
    "a function of another file": (
        "extern int far(void *given); static const struct clk_ops ops = { .enable = far };",
        "clock_register(&ops);",
        (True, False),
    ),
    "a function that only the driver calls": (
        "static struct own own = { .inner = one };",
        "if (own.inner) own.inner(0);",
        (True, True),
    ),
    "a watchdog": (
        "static int start(struct watchdog_device *w) { return 1; }"
        " static const struct watchdog_ops ops = { .start = start };"
        " static struct watchdog_device watchdog = { .ops = &ops };",
        "watchdog_register_device(&watchdog);",
        (True, True),
    ),
    "an interrupt": (
        "static irqreturn_t handler(int irq, void *data) { return 1; }",
        'if (request_irq(5, handler, 0, "x", 0)) return 0;',
        (True, True),
    ),
}
# Registrations whose results come from below, at file scope and as an expression.
REGISTRATIONS: Mapping[str, tuple[str, str]] = {
    "a generator of random numbers": (
        "static int init(struct hwrng *rng) { return 1; } static struct hwrng rng = { .init = init };",
        "hwrng_register(&rng)",
    ),
    "a chip": (
        "static int ranges(struct gpio_chip *chip) { return 1; } static struct gpio_chip chip = { .get = ranges };",
        "gpiochip_add_data(&chip, 0)",
    ),
}


def driver(before: str, do: str) -> str:
    return HEAD + before + LOADING.replace("@DO@", do) + TAIL


@pytest.mark.parametrize("name", DRIVERS)
def test_results_are_certain_unless_the_driver_gives_them(tmp_path: Path, name: str) -> None:
    before, do, expected = DRIVERS[name]
    assert tuple(safe(tmp_path, driver(before, do))) == expected


@pytest.mark.parametrize("name", REGISTRATIONS)
def test_a_registration_hands_on_what_the_driver_says(tmp_path: Path, name: str) -> None:
    before, registers = REGISTRATIONS[name]
    text = (
        HEAD + before + f"static int __init loading(void) {{ __VERIFIER_assert({registers} <= 0); return 0; }}" + TAIL
    )
    assert safe(tmp_path, text) == [False]


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "no structure is one of those that hand on": (
        lambda patch: patch.setattr(results, "APART", results.APART | {"regmap_bus"}),
        "a bus of its own",
    ),
    "whoever is given a function keeps its results": (
        lambda patch: patch.setattr(results, "TAKERS", results.TAKERS | {"keep"}),
        "a function that is handed over",
    ),
    "no function returns a number": (
        lambda patch: patch.setattr(results, "_is_number", lambda _: False),
        "a clock of its own",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    seed(monkeypatch)
    before, do, expected = DRIVERS[shown]
    assert tuple(safe(tmp_path, driver(before, do))) != expected
