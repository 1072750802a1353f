"""Names that the kernel keeps of devices: strings that end, unless the driver may have written one itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.linux.opened import add_header, filled, open_checks_of

DRIVER = """
#include <linux/module.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/platform_device.h>
extern int printk(const char *format, ...);
static char full[4] = {'a', 'b', 'c', 'd'}, *keep;
static int kept;
@TOP@
static void tell(const struct device *told) { printk("%s", dev_name(told)); }
static int probe(struct platform_device *device)
{
	struct device *d = &device->dev;

	@DO@
	tell(d);
	return 0;
}
static int gone(struct platform_device *device) { @GONE@ return 0; }
static struct platform_driver driver = { .probe = probe, .remove = gone };
static int __init loading(void) { return __platform_driver_register(&driver, 0); }
module_init(loading);
MODULE_LICENSE("GPL");
"""
ASSUMED = ("kernel-pointers",)
USUAL = {"TOP": "", "DO": "", "GONE": ""}
FINE: Mapping[str, Mapping[str, str]] = {
    "of the kernel": {},
    "given to others": {"TOP": "extern int others(const char *name);", "DO": "kept = others(dev_name(d));"},
    "beside other strings": {"DO": "char text[4]; text[kept & 3] = 'x'; full[kept & 3] = 'x';"},
}
OPEN: Mapping[str, Mapping[str, str]] = {
    "the driver's": {"DO": "d->init_name = full;"},
    "the driver's, later": {"GONE": "device->dev.kobj.name = full;"},
    "by another pointer": {"DO": "struct kobject *k = &d->kobj; k->name = full;"},
    "of a whole device": {"DO": "struct device o; o.init_name = full; *d = o;"},
    "as bytes": {"TOP": "static struct device o;", "DO": "memcpy(d, &o, sizeof(o));"},
    "by its address": {"DO": "const char **at = &d->init_name; *at = full;"},
    "as a number": {"DO": "*(unsigned long *)&d->init_name = (unsigned long)full;"},
    "from the start": {"TOP": "static struct device o = { .init_name = full };", "DO": "if (device->id) d = &o;"},
    "of the driver's device": {"TOP": "static struct device o;", "DO": "o.init_name = full; d = &o;"},
    "overwritten": {"DO": "keep = (char *)dev_name(d);", "GONE": "if (keep) keep[kept & 7] = 'x';"},
    "overwritten, as a string": {"DO": "keep = (char *)dev_name(d); if (keep) memcpy(keep, full, 4);"},
}


@pytest.mark.parametrize("case", FINE)
def test_a_name_that_only_the_kernel_writes_ends(tmp_path: Path, case: str) -> None:
    assert 'printk("%s", dev_name(told))' not in open_checks_of(
        tmp_path, filled(DRIVER, USUAL, FINE[case]), ("array-bounds",), assumed=ASSUMED
    )


@pytest.mark.parametrize("case", OPEN)
def test_a_name_that_the_driver_may_have_written_need_not_end(tmp_path: Path, case: str) -> None:
    assert 'printk("%s", dev_name(told))' in open_checks_of(
        tmp_path, filled(DRIVER, USUAL, OPEN[case]), ("array-bounds",), assumed=ASSUMED
    )


def test_how_long_a_name_is_is_not_known(tmp_path: Path) -> None:
    looked = 'const char *n = dev_name(d); if (n) kept = n[0] + n[2]; printk("%s", n + 1);'
    text = filled(DRIVER, USUAL, {"DO": looked})
    found = open_checks_of(tmp_path, text, ("array-bounds", "use-after-free"), assumed=ASSUMED)
    assert {"n[2]", 'printk("%s", n + 1)'} <= found
    assert "n[0]" not in found


def test_a_name_may_be_given_back_with_its_device(tmp_path: Path) -> None:
    looked = 'const char *n = dev_name(d); void *own = kmalloc(8, 0); kfree(own); printk("%s", n);'
    text = filled(DRIVER, USUAL, {"TOP": "#include <linux/slab.h>\n", "DO": looked})
    assert "n is still there" in open_checks_of(tmp_path, text, ("use-after-free",), assumed=ASSUMED)


def test_there_is_room_for_what_the_kernel_prints_instead_of_a_string(tmp_path: Path) -> None:
    printed = (
        'const char *n = device->id ? "ab" : 0; static char a[3], b[9]; sprintf(a, "%s", n); sprintf(b, "%s", n);'
        ' sprintf(a, "%.2s", n); sprintf(a, "%s", "ab");'
    )
    text = filled(DRIVER, USUAL, {"TOP": "#include <linux/texts.h>\n", "DO": printed})
    add_header(tmp_path, "texts.h", "extern int sprintf(char *to, const char *format, ...);")
    assert open_checks_of(tmp_path, text, ("array-bounds",), assumed=ASSUMED) == {'sprintf(a, "%s", n)'}


def test_without_assumptions_the_kernel_gives_anything(tmp_path: Path) -> None:
    found = open_checks_of(tmp_path, filled(DRIVER, USUAL, {}), ("array-bounds",))
    assert 'printk("%s", dev_name(told))' in found
