"""The order in which the kernel calls the functions of one table: what fails is not followed by the others.

One driver for each life cycle of `duet.linux.cycles`, made from its record, with headers made from it, too. What a
first function has registered before it fails runs all the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.cells.operations import OPERATIONS
from duet.linux.cycles import CYCLES, DEVICE, MATCH, MESSAGE, Cycle
from tests.linux.kernel_tree import make, safe

LIVES = [cycle for cycle in CYCLES if not cycle.is_walk]
REGISTERING = {"serio_driver": "__serio_register_driver"}
"""Who brings a driver to its bus where others that are given one may do more."""
OPENING = {"serio_driver": "serio_open(d, m);"}
"""What the first function has to call for the others to run; it stands for `@OPENING@`."""
HEADER = """
#include <linux/device.h>
struct pm_message { int event; };
@TAGS@
struct @DEVICE@ { int id; struct device dev; void *private_data; };
struct @DRIVER@ { @MEMBERS@ struct device_driver driver; };
extern int @REGISTER@(const struct @DRIVER@ *driver);
extern int serio_open(struct serio *port, struct serio_driver *driver);
extern int offer(int (*function)(struct @DEVICE@ *d));
"""
DRIVER = """
#include <linux/module.h>
#include <linux/order.h>
static int begun;
extern int any(void);
static int offered(struct @DEVICE@ *d) { __VERIFIER_assert(0); return 0; }
static int opening(struct serio *d, struct serio_driver *m) { return serio_open(d, m); }
static struct device *inner(struct @DEVICE@ *d) { return d->private_data ? &d->dev : 0; }
@FUNCTIONS@
static const struct dev_pm_ops power = { @POWER@ };
static struct @DRIVER@ driver = { @NAMED@ };
static int __init loading(void) { return @REGISTER@(&driver); }
module_init(loading);
MODULE_LICENSE("GPL");
"""
FAILS, MAY_FAIL = "return -1;", "if (any()) return -1; begun = 1; @OPENING@ return 0;"
REACHED, BEGUN = "__VERIFIER_assert(0);", "__VERIFIER_assert(begun);"


def _parameters(cycle: Cycle, arguments: str) -> str:
    """The parameters of a function that is called with some arguments."""
    found = []
    for argument in arguments.split(", "):
        cast, _, name = argument.rpartition(")") if argument.startswith("(") else ("", "", argument)
        kinds = {
            DEVICE: f"struct {cycle.device} *d",
            MATCH: f"{cast[1:] or f'const struct {cycle.match} *'}m",
            MESSAGE: "struct pm_message s",
        }
        found.append(kinds.get(name, "const void *a"))
    return ", ".join(found)


def _signatures(cycle: Cycle) -> dict[str, str]:
    """The parameters of all functions of a table: of those that its record calls, and of those that it starts."""
    found = {**cycle.probes, **cycle.later, **cycle.last}
    signatures = {name: _parameters(cycle, arguments) for name, arguments in found.items()}
    started = (record for record in OPERATIONS if record.table == cycle.driver)
    own = (name for record in started for name in sorted(record.members))
    return dict.fromkeys(own, f"struct {cycle.device} *d") | signatures


def driver(directory: Path, cycle: Cycle, probe: str, later: str) -> str:
    """Writes a header with the types of a life cycle, and returns a driver with all that is called."""
    signatures = _signatures(cycle)
    first, *others = next(iter(cycle.probes)), *(name for name in signatures if name not in cycle.probes)
    opening = OPENING.get(cycle.driver, "")
    bodies = {first: probe.replace("@OPENING@", opening)} | dict.fromkeys(others, f"{later} return 0;")
    usual = REGISTERING.get(cycle.driver, f"{cycle.driver}_register")
    taker = next((taker for taker in cycle.takers if isinstance(taker, str)), usual)
    power = "int power_asleep(struct device *d)"
    functions = [f"static int f_{name}({signatures[name]}) {{ {body} }}" for name, body in bodies.items()]
    named = [f".{name} = f_{name}" for name in bodies]
    if cycle.power:
        functions.append(f"static {power} {{ {later} return 0; }}")
        named.append(".driver.pm = &power")
    tags = {"serio", "serio_driver", cycle.match or "none"} | {"inode", "tty_driver"}
    parts = {
        "DEVICE": cycle.device,
        "DRIVER": cycle.driver,
        "REGISTER": taker,
        "TAGS": " ".join(f"struct {tag};" for tag in sorted(tags)),
        "MEMBERS": " ".join(f"int (*{name})({given});" for name, given in signatures.items()),
        "FUNCTIONS": "\n".join(functions),
        "NAMED": ", ".join(named),
        "POWER": ".suspend = power_asleep" if cycle.power else "",
    }
    header, text = HEADER, DRIVER
    for name, part in parts.items():
        header, text = header.replace(f"@{name}@", part), text.replace(f"@{name}@", part)
    make(directory)
    (directory / "linux-headers-6.1.7-test-common" / "include" / "linux" / "order.h").write_text(header)
    return text


@pytest.mark.parametrize("cycle", LIVES, ids=[cycle.driver for cycle in LIVES])
def test_nothing_follows_what_fails(tmp_path: Path, cycle: Cycle) -> None:
    *others, offered = sorted(safe(tmp_path, driver(tmp_path, cycle, FAILS, REACHED)))
    assert all(others)
    assert offered  # nobody was given it


@pytest.mark.parametrize("cycle", LIVES, ids=[cycle.driver for cycle in LIVES])
def test_all_follows_what_succeeds(tmp_path: Path, cycle: Cycle) -> None:
    found = safe(tmp_path, driver(tmp_path, cycle, MAY_FAIL, REACHED))
    assert found.count(True) == 1  # what nobody was given


@pytest.mark.parametrize("cycle", LIVES, ids=[cycle.driver for cycle in LIVES])
def test_what_was_set_first_is_set(tmp_path: Path, cycle: Cycle) -> None:
    assert all(safe(tmp_path, driver(tmp_path, cycle, MAY_FAIL, BEGUN)))


@pytest.mark.parametrize("cycle", LIVES, ids=[cycle.driver for cycle in LIVES])
def test_what_is_not_always_set(tmp_path: Path, cycle: Cycle) -> None:
    assert safe(tmp_path, driver(tmp_path, cycle, "begun = any(); @OPENING@ return 0;", BEGUN)).count(True) == 1


@pytest.mark.parametrize("cycle", LIVES, ids=[cycle.driver for cycle in LIVES])
def test_what_was_offered_before_a_failure_is_called(tmp_path: Path, cycle: Cycle) -> None:
    assert safe(tmp_path, driver(tmp_path, cycle, f"offer(offered); {FAILS}", REACHED)).count(False) == 1


@pytest.mark.parametrize("cycle", LIVES, ids=[cycle.driver for cycle in LIVES])
def test_there_are_several(tmp_path: Path, cycle: Cycle) -> None:
    again = "__VERIFIER_assert(!begun); begun = 1; return -1;"
    assert safe(tmp_path, driver(tmp_path, cycle, again, REACHED)).count(False) == 1


def test_a_port_that_was_left_open_has_its_driver(tmp_path: Path) -> None:
    (cycle,) = (cycle for cycle in LIVES if cycle.driver == "serio_driver")
    text = driver(tmp_path, cycle, f"serio_open(d, m); {FAILS}", REACHED)
    assert safe(tmp_path, text).count(True) == 2  # what nobody was given, and that of one that is not bound


@pytest.mark.parametrize(
    ("probe", "expected"),
    [
        ("__VERIFIER_assert(!d->dev.driver_data); @OPENING@ return 0;", 1),  # of a `connect` that failed before
        ("d->dev.driver_data = &begun; @OPENING@ return 0;", 0),
        ("@OPENING@ return 0;", 1),
    ],
)
def test_the_private_data_of_a_port(tmp_path: Path, probe: str, expected: int) -> None:
    (cycle,) = (cycle for cycle in LIVES if cycle.driver == "serio_driver")
    text = driver(tmp_path, cycle, probe, "").replace(
        "static int f_disconnect(struct serio *d) {",
        "static int f_disconnect(struct serio *d) { __VERIFIER_assert(d->dev.driver_data || @NEVER@);".replace(
            "@NEVER@", "1" if "!d" in probe else "0"
        ),
    )
    assert safe(tmp_path, text, assumed=("kernel-pointers",)).count(False) == expected
