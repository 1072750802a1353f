"""Callbacks that nobody is known to call are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.errors import Unsupported
from duet.linux.buses import REGISTERING
from duet.linux.callbacks import Taker
from tests.linux.drivers import MINIMAL, harness


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (".notifier_call = rebooting", "rebooting", "by name"),
        ("misc_register(&device)", "misc_register(level ? &device : 0)", "misc_register"),
        ("@START@", "kthread_run(handle, 0);", "kthread_run"),
        ("@START@", "notifier.notifier_call = rebooting;", "notifier_call"),
        ("@START@", 'register_chrdev(1, "d", &ops);', "register_chrdev"),
        ('{ .minor = 1, .name = "d", .fops = &ops }', "{ .minor = 1 }", "file operations"),
        ("request_irq(5, handle,", "request_irq(5, level ? handle : 0,", "request_irq"),
        ("static int start", "static DECLARE_WORK(work, handle); static int start", "DECLARE_WORK"),
        ("static int start", "static DEVICE_ATTR_RO(level); static int start", "DEVICE_ATTR_RO"),
        ("static int start", "SYSCALL_DEFINE0(level) { return 0; } static int start", "SYSCALL_DEFINE0"),
        ("static int start", "DEFINE_LEVEL() { return 0; } static int start", "DEFINE_LEVEL"),
        ("@START@", "static DECLARE_WORK(work, handle);", "DECLARE_WORK"),
        ("static int start", "static struct work w = { 0, handle }; static int start", "struct work"),
        ("static int start", "static struct work w[] = { { .f = handle } }; static int start", "struct work"),
        ("@START@", "struct miscdevice other = { .minor = 2 }; device = other;", "device"),
        ("@START@", "memcpy(&device, &notifier, sizeof(device));", "memcpy"),
        (
            "static int start",
            "static int ask(irq_handler_t handle) { return request_irq(5, handle, 0, 0, 0); } int start",
            "handle",
        ),
        ("@START@", "struct miscdevice *device = 0;", "device"),
        ("@START@", "int (*reg)(struct miscdevice *) = misc_register;", "misc_register"),
        ("static int start", "EXPORT_SYMBOL(elsewhere); static int start", "elsewhere"),
    ],
)
def test_callbacks_that_nobody_is_known_to_call_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = MINIMAL.replace(old, new).replace("@START@", "")
    with pytest.raises(Unsupported, match=message) as caught:
        harness(tmp_path, text)
    assert caught.value.span is not None


@pytest.mark.parametrize("taker", REGISTERING, ids=[taker.structure for taker in REGISTERING])
def test_drivers_that_are_registered_by_a_pointer_are_refused(tmp_path: Path, taker: Taker) -> None:
    headers = "".join(f"#include <linux/{name}.h>\n" for name in ("module", "platform_device", "pci", "pnp"))
    text = f"{headers}static struct {taker.structure} d, *p = &d;\n"
    with pytest.raises(Unsupported, match="driver"):
        harness(tmp_path, f"{text}static int start(void) {{ return {taker.function}(p); }} module_init(start);")


@pytest.mark.parametrize(
    "second",
    ["late_initcall(start);", "module_platform_driver(driver);", "module_init(start); module_pci_driver(card);"],
)
def test_two_entry_points_are_refused(tmp_path: Path, second: str) -> None:
    text = "#include <linux/platform_device.h>\n#include <linux/pci.h>\n" + MINIMAL.replace("@START@", "")
    text += f"static struct platform_driver driver; static struct pci_driver card; {second}\n"
    with pytest.raises(Unsupported, match="entry point"):
        harness(tmp_path, text)
