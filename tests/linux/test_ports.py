"""What reserves ports, with a kernel's own headers: what is had lies where ports are, and nothing is called from there.

So is what the driver has been given back, and what ends a registration: it starts no calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from duet.frontend.cells import escapes
from duet.frontend.ctypes.origins import NOTHING
from duet.frontend.models import unknown
from tests.linux import kernel_tree

DRIVER = """
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/ioport.h>
#include <linux/callbacks.h>
#include <linux/gadget.h>
static int io, table[4], level;
static unsigned int count;
static struct gadget gadget;
extern int any(void);
extern void misc_deregister(void *what);
@MORE@
static void changed(struct gadget *g, unsigned int to) { @LEVEL@ }
static int start(struct gadget *g) { @START@ return 0; }
static const struct gadget_ops ops = { .start = start, .level = changed };
static struct gadget gadget = { .name = "g", .ops = &ops };
static int __init loading(void) { io = any(); count = any(); @LOAD@ return 0; }
module_init(loading);
MODULE_LICENSE("GPL");
"""
CHECK = "__VERIFIER_assert"
HAD = 'if (!request_region(io, {}, "p")) return -16;'
Bodies = tuple[str, str, str]
"""Of loading, and of the two callbacks."""
PAIRS: Mapping[str, tuple[Bodies, Bodies]] = {
    "a port that is had": (
        (HAD.format(8) + f" {CHECK}(io >= 0 && io <= 65528);", "", ""),
        (HAD.format(8) + f" {CHECK}(io <= 65527);", "", ""),
    ),
    "callbacks find it": (
        (HAD.format(8) + " gadget_register(&gadget);", "level = io + 7;", ""),
        ("(void)request_region(io, 8, \"p\"); gadget_register(&gadget);", "level = io + 7;", ""),
    ),
    "a muxed one": (
        (f"if (!request_muxed_region(io, 2, \"p\")) return -16; {CHECK}(io + 1 <= 65535);", "", ""),
        (f"if (!request_muxed_region(io, 2, \"p\")) {CHECK}(io < 65536);", "", ""),
    ),
    "one of a device": (
        (f"if (!devm_request_region(0, io, 1, \"p\")) return -16; {CHECK}(io <= 65535);", "", ""),
        (f"if (!devm_request_region(0, io, 1, \"p\")) return -16; {CHECK}(io <= 65534);", "", ""),
    ),
    "only what is had is a port": (
        (f"if (!request_region(io, 1, \"p\")) return -16; {CHECK}(io <= 65535);", "", ""),
        (f"if (!__request_region(0, io, 1, \"p\", 0)) return -16; {CHECK}(io <= 65535);", "", ""),
    ),
    "no port at all cannot be had": (
        (f"if (request_region(io, 0, \"p\")) {CHECK}(0);", "", ""),
        (f"if (request_region(io, count, \"p\")) {CHECK}(count == 1);", "", ""),
    ),
    "the driver is not called meanwhile": (
        (HAD.format(1) + " level = 2; gadget_register(&gadget);", f"{CHECK}(level == 2);", ""),
        ("gadget_register(&gadget);" + HAD.format(1) + " level = 2;", f"{CHECK}(level == 2);", ""),
    ),
    "giving it back calls nothing": (
        (HAD.format(1) + " release_region(io, 1); level = 2; gadget_register(&gadget);", f"{CHECK}(level == 2);", ""),
        ("gadget_register(&gadget); release_region(io, 1); level = 2;", f"{CHECK}(level == 2);", ""),
    ),
    "what ends a registration starts no calls": (
        ("misc_deregister(&gadget); level = 2; gadget_register(&gadget);", f"{CHECK}(level == 2);", ""),
        ("gadget_register(&gadget); misc_deregister(&gadget); level = 2;", f"{CHECK}(level == 2);", ""),
    ),
}  # fmt: skip
STORED = """
#include <linux/module.h>
#include <linux/platform_device.h>
static int level;
static void hidden(int to) { level = to; }
struct later { const char *name; void (*call)(int to); };
static struct later later = { .call = hidden };
static int probe(struct platform_device *device)
{
	__VERIFIER_assert(@CHECK@);
	device->dev.kobj.name = (const char *)&later;
	return 0;
}
static struct platform_driver driver = { .probe = probe };
static int __init loading(void) { return platform_driver_register(&driver); }
module_init(loading);
MODULE_LICENSE("GPL");
"""
FOUND = {"what it calls": "level == 0", "what it writes": "later.name == (void *)0"}
"""Of a structure that is stored where the kernel finds it."""


def is_proved(directory: Path, found: Bodies, more: str = "", config: str = "#define CONFIG_X86 1\n") -> bool:
    load, start, level = found
    text = DRIVER.replace("@LOAD@", load).replace("@START@", start).replace("@LEVEL@", level)
    text = text.replace("@MORE@", more)
    return all(kernel_tree.safe(directory, text, ("assertion", "overflow"), config))


@pytest.mark.parametrize("name", PAIRS)
def test_what_holds_is_proved(tmp_path: Path, name: str) -> None:
    assert is_proved(tmp_path, PAIRS[name][0])


@pytest.mark.parametrize("name", PAIRS)
def test_what_fails_is_not_proved(tmp_path: Path, name: str) -> None:
    assert not is_proved(tmp_path, PAIRS[name][1])


def test_other_architectures_may_have_more_ports(tmp_path: Path) -> None:
    assert not is_proved(tmp_path, PAIRS["a port that is had"][0], config="")


@pytest.mark.parametrize("name", FOUND)
def test_what_the_kernel_finds_in_its_memory_is_its_own(tmp_path: Path, name: str) -> None:
    assert not all(kernel_tree.safe(tmp_path, STORED.replace("@CHECK@", FOUND[name])))


def test_what_is_handed_over_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(escapes, "reachable", lambda *_: NOTHING)
    assert all(kernel_tree.safe(tmp_path, STORED.replace("@CHECK@", FOUND["what it calls"])))


def test_what_starts_calls_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unknown, "UNREGISTERING", frozenset(("gadget_register", "misc_deregister")))
    assert is_proved(tmp_path, PAIRS["what ends a registration starts no calls"][1])
