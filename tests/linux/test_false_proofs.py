"""Drivers as people write them, read with a kernel's own headers, with checks that fail there: none is proved.

By class: callbacks whose body cannot be parsed, code that a configuration selects, timers, parameters written at run
time, life cycles, results of the core, and macros that change what they are given.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.linux.kernel_tree import safe

HEAD = """
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/kernel.h>
#include <linux/spinlock.h>
#include <linux/gadget.h>
struct file { void *private_data; };
struct file_operations {
	int (*open)(struct file *file);
	long (*ioctl)(struct file *file, unsigned int command);
	int (*release)(struct file *file);
};
struct timer_list { unsigned long expires; void (*function)(struct timer_list *timer); };
struct device { void *driver_data; int irq; };
struct pm_ops { int (*suspend)(struct device *device); int (*resume)(struct device *device); };
struct driver { int (*probe)(struct device *device); void (*remove)(struct device *device); const struct pm_ops *pm; };
extern int register_file(const struct file_operations *operations);
extern int register_driver(struct driver *driver);
extern int driver_probe(struct driver *driver, int (*probe)(struct device *device));
extern void timer_setup(struct timer_list *timer, void (*function)(struct timer_list *timer), unsigned int flags);
extern void mod_timer(struct timer_list *timer, unsigned long expires);
extern int read_register(struct device *device, int where, unsigned int *value);
extern int enable(struct device *device);
extern struct device *class_device(void);
struct registers { int (*read)(void *context, unsigned int reg, unsigned int *value); };
struct regmap;
extern struct regmap *init_registers(const struct registers *registers);
extern int regmap_read(struct regmap *map, unsigned int reg, unsigned int *value);
struct own { int first, second; struct timer_list timer; };
static int level;
"""
TAIL = """
module_init(loading);
MODULE_LICENSE("GPL");
"""
FILE = """
static int opened(struct file *file) { @OPEN@ return 0; }
static long control(struct file *file, unsigned int command) { @IOCTL@ return 0; }
static int closed(struct file *file) { @RELEASE@ return 0; }
static const struct file_operations operations = { .open = opened, .ioctl = control, .release = closed };
static int __init loading(void) { return register_file(&operations); }
"""
ONCE = """
static int __init loading(void)
{
	struct device *device = class_device();
	level++;
	enable(device);
	__VERIFIER_assert(level == @COUNT@);
	return 0;
}
"""
DEVICE = """
static int probing(struct device *device) { @PROBE@ return 0; }
static void removing(struct device *device) { @REMOVE@ }
static int suspending(struct device *device) { @SUSPEND@ return 0; }
static int resuming(struct device *device) { @RESUME@ return 0; }
static const struct pm_ops pm = { .suspend = suspending, .resume = resuming };
static struct driver driver = { .probe = probing, .remove = removing, .pm = &pm };
static int __init loading(void) { return register_driver(&driver); }
"""


def with_file(**bodies: str) -> str:
    return _filled(FILE, ("OPEN", "IOCTL", "RELEASE"), bodies)


def with_device(**bodies: str) -> str:
    return _filled(DEVICE, ("PROBE", "REMOVE", "SUSPEND", "RESUME"), bodies)


def _filled(template: str, names: tuple[str, ...], bodies: dict[str, str]) -> str:
    for name in names:
        template = template.replace(f"@{name}@", bodies.get(name.lower(), ""))
    return template


CHECK = "__VERIFIER_assert(level == 0);"
DRIVERS: Mapping[str, str] = {
    **{
        f"a body that cannot be parsed: {role}": text
        for role, text in {
            "open": with_file(open="for_each_entry(x) { level = 1; }", ioctl=CHECK),
            "ioctl": with_file(ioctl="for_each_entry(x) { level = 1; }", release=CHECK),
            "release": with_file(release="level = ;", ioctl=CHECK),
            "probe": with_device(probe="for_each_entry(x) { level = 1; }", suspend=CHECK),
            "remove": with_device(remove="for_each_entry(x) { level = 1; }", suspend=CHECK),
            "suspend": with_device(suspend="for_each_entry(x) { level = 1; }", probe=CHECK),
            "resume": with_device(resume="level = ;", suspend=CHECK),
        }.items()
    },
    "code that the configuration has": "#ifdef CONFIG_GADGET\n#define SET level = 1\n#else\n#define SET\n#endif\n"
    + with_file(open="SET;", ioctl=CHECK),
    "code of a module": "#ifdef MODULE\n#define SET level = 1\n#else\n#define SET\n#endif\n"
    + with_file(open="SET;", ioctl=CHECK),
    "code of the kernel": "#ifdef __KERNEL__\n#define SET level = 1\n#else\n#define SET\n#endif\n"
    + with_file(open="SET;", ioctl=CHECK),
    "the timers of two open files": """
struct own { struct timer_list timer; };
static void fires(struct timer_list *timer) { level = 1; __VERIFIER_assert(level == 1); level = 0; }
"""
    + with_file(
        open="struct own *own = kzalloc(sizeof(*own), GFP_KERNEL); if (!own) return -1;"
        " timer_setup(&own->timer, fires, 0); mod_timer(&own->timer, 1);"
    ),
    "a timer that is initialised in a function": "static void fires(struct timer_list *timer) { level = 1; }\n"
    + with_file(open="static struct timer_list timer = { .function = fires }; mod_timer(&timer, 1);", ioctl=CHECK),
    "a timer that is initialised in a structure": "static void fires(struct timer_list *timer) { level = 1; }\n"
    "static struct { int a; struct timer_list timer; } own = { .timer = { .function = fires } };\n"
    + with_file(open="mod_timer(&own.timer, 1);", ioctl=CHECK),
    "a timer that is armed through a pointer": "static void fires(struct timer_list *timer) { level = 1; }\n"
    "static struct timer_list timer; static struct timer_list *armed = &timer;\n"
    + with_file(open="armed->function = fires; mod_timer(armed, 1);", ioctl=CHECK),
    "how many elements of a parameter are given": "static int values[4]; static unsigned int count;\n"
    "module_param_array(values, int, &count, 0444);\n" + with_file(ioctl="__VERIFIER_assert(count == 0);"),
    "a parameter under two names": "module_param_named(first, level, int, 0);\n"
    "module_param_named(again, level, int, 0644);\n"
    + with_file(ioctl="int old = level; __VERIFIER_assert(level == old);"),
    "a suspend behind one that failed": with_device(suspend=f"{CHECK} level = 1;", resume="level = 0;"),
    "two devices": with_device(probe=f"{CHECK} level = 1;", remove="level = 0;"),
    "a driver without probe": with_device(remove="level = 1;", suspend=CHECK).replace(".probe = probing, ", ""),
    "a probe that is handed over beside the driver": with_device(probe="level = 1;", suspend=CHECK)
    .replace(".probe = probing, ", "")
    .replace("register_driver(&driver)", "driver_probe(&driver, probing)"),
    "one function in several operations": with_file(open="level = 1;", ioctl=CHECK).replace(
        ".release = closed", ".release = opened"
    ),
    "what the core puts into a file": with_file(open="__VERIFIER_assert(file->private_data == 0);"),
    "an error that is positive": with_device(
        probe="unsigned int value; int error = read_register(device, 4, &value); __VERIFIER_assert(error <= 0);"
    ),
    "what enabling a device changes": with_device(
        probe="int before = device->irq; if (enable(device)) return -1; __VERIFIER_assert(device->irq == before);"
    ),
    "a file that is given another open": with_file(
        open="file->private_data = &level;", ioctl="int *own = file->private_data; *own = 1;", release=CHECK
    ),
    "a macro that nobody knows": with_file(
        ioctl="unsigned long n = 100; divide_by(n, 10); __VERIFIER_assert(n == 100);"
    ),
    "a macro with a value of 64 bits": with_file(ioctl="long now = time_in_ns(); __VERIFIER_assert(now < 1L << 31);"),
    "a macro that is given the name of a global": with_file(ioctl="level = 0; poll_until(level, 10);", release=CHECK),
    "a macro that may evaluate an operand twice": "static int table[4]; static int at;\n"
    + with_file(ioctl="at = 0; swap_in(table[at++], 1); __VERIFIER_assert(at == 1);", open="at = 0;"),
    "a function of its own below a transfer": """
static int read_own(void *context, unsigned int reg, unsigned int *value) { level = 1; return 0; }
static const struct registers registers = { .read = read_own };
static struct regmap *map;
"""
    + with_file(
        open="map = init_registers(&registers);",
        ioctl=f"unsigned int value; level = 0; regmap_read(map, 4, &value); {CHECK}",
    ),
    "where what is allocated begins": with_file(
        open="struct own *own = kzalloc(sizeof(*own), GFP_KERNEL); if (!own) return -1; file->private_data = own;"
        " __VERIFIER_assert(((unsigned long)own & 4095) == 0);"
    ),
    "how far apart two things are that are allocated": with_file(
        open="struct own *own = kzalloc(sizeof(*own), GFP_KERNEL); if (!own || !file->private_data) return -1;"
        " long apart = (unsigned long)own - (unsigned long)file->private_data; file->private_data = own;"
        " __VERIFIER_assert(apart % 65536 == 0);"
    ),
    "what is around a member of what the kernel keeps": "static struct own one;\n"
    + with_file(
        open="mod_timer(&one.timer, 1); one.first = 0;",
        ioctl="struct timer_list *timer = file->private_data; container_of(timer, struct own, timer)->first = 1;",
        release="one.first = 0; __VERIFIER_assert(one.first == 0);",
    ),
    "a member through an address that is moved for one access": "static int pair[2];\n"
    + with_file(
        open="file->private_data = pair;",
        ioctl="int *found = file->private_data; found[1] = 1;",
        release="pair[1] = 0; __VERIFIER_assert(pair[1] == 0);",
    ),
    "an error that is none": with_file(
        ioctl="long error = (long)file->private_data; int small = (int)error; __VERIFIER_assert(small == error);"
    ),
    "a lock that another part does not take": "static DEFINE_SPINLOCK(lock);\n"
    + with_file(ioctl=f"spin_lock(&lock); level = 0; {CHECK} spin_unlock(&lock);", open="level = 1;"),
}


@pytest.mark.parametrize("name", DRIVERS)
def test_what_fails_in_the_kernel_is_not_proved(tmp_path: Path, name: str) -> None:
    assert False in safe(tmp_path, HEAD + DRIVERS[name] + TAIL)


@pytest.mark.parametrize(("count", "is_proved"), [("1", True), ("2", False)])
def test_what_a_module_starts_with_is_not_called_again(tmp_path: Path, count: str, is_proved: bool) -> None:
    assert safe(tmp_path, HEAD + ONCE.replace("@COUNT@", count) + TAIL) == [is_proved]
