"""Drivers for tests: their harness, and which of their checks are proved."""

from __future__ import annotations

import re
from pathlib import Path

from duet.coarsen.analysis import analyse
from duet.frontend.lower import Lowered, lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import header_directories, preprocess
from duet.linux.harness import Harness, combine, derive
from duet.options import AnalysisOptions, FrontendOptions

INCLUDE = header_directories("linux")[0]
BEGIN = "\n".join(f"#include <{path.relative_to(INCLUDE)}>" for path in sorted(INCLUDE.glob("linux/*.h")))
"""All model headers of the kernel."""


MINIMAL = """
#include <linux/module.h>
#include <linux/miscdevice.h>
#include <linux/timer.h>
#include <linux/interrupt.h>
#include <linux/reboot.h>
static int level; module_param(level, int, 0);
static void fire(struct timer_list *t) { level = 1; }
static DEFINE_TIMER(timer, fire);
static irqreturn_t handle(int irq, void *data) { return IRQ_HANDLED; }
static int rebooting(struct notifier_block *n, unsigned long code, void *data) { return NOTIFY_DONE; }
static struct notifier_block notifier = { .notifier_call = rebooting };
static int opening(struct inode *i, struct file *f) { mod_timer(&timer, jiffies); return 0; }
static int releasing(struct inode *i, struct file *f) { return 0; }
static ssize_t writing(struct file *f, const char *b, size_t n, loff_t *p) { return n; }
static const struct file_operations ops = { .open = opening, .release = releasing, .write = writing };
static struct miscdevice device = { .minor = 1, .name = "d", .fops = &ops };
static int start(void) { @START@
	if (request_irq(5, handle, 0, "d", 0)) return -EIO;
	if (register_reboot_notifier(&notifier)) return -EIO;
	return misc_register(&device); }
static void stop(void) { misc_deregister(&device); }
module_init(start);
module_exit(stop);
"""
"""A driver with one of each; `@START@` is where its bring-up begins."""


def harness(directory: Path, text: str, descriptors: str = "shared") -> Harness:
    """The harness of a driver."""
    source = directory / "driver.c"
    source.write_text(text)
    options = FrontendOptions(model="linux", descriptors=descriptors)
    return derive(parse(preprocess(str(source), options).text, str(source), options), options)


def body(text: str, function: str) -> str:
    """The body of a function of the harness."""
    found = re.search(rf"\b{function}\([^{{;]*\)\n\{{\n(.*?)\n\}}", text, re.DOTALL)
    assert found is not None, f"{function} is not defined in\n{text}"
    return found.group(1)


def lowered(directory: Path, text: str, kind: str = "assertion", descriptors: str = "shared") -> Lowered:
    """A driver, with all headers before it, and its harness as a program with the checks of one property."""
    source = directory / "driver.c"
    source.write_text(f"{BEGIN}\n{text}")
    options = FrontendOptions(model="linux", properties=(kind,), descriptors=descriptors)
    preprocessed = preprocess(str(source), options).text
    made = derive(parse(preprocessed, str(source), options), options).text
    return lower(parse(combine(preprocessed, made, "harness.c"), str(source), options), options)


def statuses(directory: Path, text: str, kind: str = "assertion", descriptors: str = "shared") -> list[bool]:
    """Which of the checks of a driver are proved; none of those that are not understood is."""
    made = lowered(directory, text, kind, descriptors)
    analysis = analyse(made.program, AnalysisOptions())
    found = [not analysis.races] if kind == "data-race" else [status.is_safe for status in analysis.statuses]
    found += [False for _ in made.unknown]
    assert found
    return found
