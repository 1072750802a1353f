"""What the model headers of the kernel do: no assertion that fails in a kernel is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.coarsen.loop import analyse
from duet.frontend.harness import combine, derive
from duet.frontend.lower import lower
from duet.frontend.parse import parse
from duet.frontend.preprocess import preprocess
from duet.options import AnalysisOptions, FrontendOptions

HEADERS = """module atomic bitops completion device err fs interrupt kernel miscdevice mutex platform_device printk refcount
rwsem semaphore seqlock spinlock timer uaccess wait"""
BEGIN = "\n".join(f"#include <linux/{name}.h>" for name in HEADERS.split())
N = "__duet_nondet_int()"


def _start(text: str, globals: str = "") -> str:
    """A driver that does nothing but start."""
    return f"{globals}\nstatic int start(void) {{ {text} return 0; }}\nmodule_init(start);\n"


ERRORS = "extern void *get(void); static char here;"
LAYOUT = """struct S { char a; int b; } __packed; struct T { char a; char b __aligned(8); };
struct U { short a; int b; } __aligned(16);"""
LOCKS = """static DEFINE_SPINLOCK(spin); static DEFINE_RAW_SPINLOCK(raw); static DEFINE_RWLOCK(two); static DEFINE_SEQLOCK(seq);
static unsigned long flags;"""
FLAGS = ("spin_lock_irqsave(&spin, flags)", "spin_trylock_irqsave(&spin, flags)", "local_irq_save(flags)") + (
    *("raw_spin_lock_irqsave(&raw, flags)", "read_lock_irqsave(&two, flags)", "write_lock_irqsave(&two, flags)"),
    "write_seqlock_irqsave(&seq, flags)",
)
FALSE: dict[str, str] = {
    "no error in a null pointer": _start(
        "void *p = get(); if (IS_ERR_OR_NULL(p)) { int e = PTR_ERR(p); BUG_ON(e == 0); }", ERRORS
    ),
    "the address is no error": _start("void *p = get(); long e = PTR_ERR(p); if (!IS_ERR(p)) BUG_ON(e >= 0);", ERRORS),
    "an error of its own": _start("void *p = ERR_PTR(-5); BUG_ON(PTR_ERR(p) == -5);", ERRORS),
    "a small number is no error": _start("void *p = (void *)7; BUG_ON(!IS_ERR(p));", ERRORS),
    "an error is not null": _start("void *p = ERR_PTR(-5); BUG_ON(p != NULL);", ERRORS),
    "no error is null": _start("BUG_ON(IS_ERR_OR_NULL(NULL));", ERRORS),
    "sizes": _start(
        "BUG_ON(sizeof(struct S) == 5); BUG_ON(sizeof(struct T) == 16); BUG_ON(sizeof(struct U) == 16);", LAYOUT
    ),
    "offsets": _start("BUG_ON(offsetof(struct S, b) == 1); BUG_ON(offsetof(struct T, b) == 8);", LAYOUT),
    **{f"flags of {name}": _start(f"{name}; BUG_ON(flags != 0);", LOCKS) for name in FLAGS},
}
TRUE: dict[str, str] = {
    "an error is a small number": _start(
        "void *p = get(); if (IS_ERR(p)) { long e = PTR_ERR(p); BUG_ON(e >= 0); BUG_ON(e < -4095); }", ERRORS
    ),
    "one or the other": _start("void *p = get(); if (!IS_ERR(p)) BUG_ON(IS_ERR(p));", ERRORS),
    "the error that was put in": _start("void *p = ERR_PTR(-5); BUG_ON(!IS_ERR(p)); BUG_ON(PTR_ERR(p) != -5);"),
    "zero where there is no error": _start(
        "void *p = get(); if (!IS_ERR(p)) { int e = PTR_ERR_OR_ZERO(p); BUG_ON(e != 0); }", ERRORS
    ),
    "a small number": _start("void *p = (void *)7; BUG_ON(IS_ERR(p));"),
    "sizes": _start("BUG_ON(sizeof(struct S) != 5); BUG_ON(sizeof(struct T) != 16 || sizeof(struct U) != 16);", LAYOUT),
    "null is no error": _start("BUG_ON(IS_ERR(NULL)); BUG_ON(!IS_ERR_OR_NULL(NULL));"),
}


def _statuses(directory: Path, text: str) -> list[bool]:
    """Which of the assertions of a driver are proved."""
    source, options = directory / "driver.c", FrontendOptions(model="linux")
    source.write_text(f"{BEGIN}\n{text}")
    preprocessed = preprocess(str(source), options).text
    harness = derive(parse(preprocessed, str(source), options), options).text
    unit = parse(combine(preprocessed, harness, "harness.c"), str(source), options)
    statuses = analyse(lower(unit, options).program, AnalysisOptions()).statuses
    assert statuses
    return [status.is_safe for status in statuses]


@pytest.mark.parametrize("name", FALSE)
def test_what_may_fail_is_not_proved(tmp_path: Path, name: str) -> None:
    assert not any(_statuses(tmp_path, FALSE[name]))


@pytest.mark.parametrize("name", TRUE)
def test_what_cannot_fail_is_proved(tmp_path: Path, name: str) -> None:
    assert all(_statuses(tmp_path, TRUE[name]))
