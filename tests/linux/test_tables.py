"""Functions in structures that are initialised."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.errors import Unsupported
from duet.frontend.source.parse import ParsedUnit, parse
from duet.frontend.source.preprocess import preprocess
from duet.linux import tables
from duet.linux.callbacks import FILE_OPERATIONS, MISC_DEVICE, NOTIFIER, Holder
from duet.linux.tables import find_tables
from duet.options import FrontendOptions

TEXT = """#include <linux/miscdevice.h>
#include <linux/notifier.h>
static int opened(struct inode *i, struct file *f) { return 0; }
extern int elsewhere(struct inode *i, struct file *f);
static int lost(struct inode *i, struct file *f) { for_each_little_thing(c) { } return 0; }
static const struct file_operations ops = { .open = opened, .release = elsewhere, .read = 0 };
static struct miscdevice misc = { .minor = 5, .fops = &ops };
"""


def unit(directory: Path, text: str) -> ParsedUnit:
    path = directory / "driver.c"
    path.write_text(text)
    options = FrontendOptions(model="linux")
    return parse(preprocess(str(path), options).text, str(path), options)


def test_what_initialisers_name(tmp_path: Path) -> None:
    found = find_tables(unit(tmp_path, TEXT))
    assert found.of(FILE_OPERATIONS) == ("ops",)
    assert found.of(MISC_DEVICE) == ("misc",)
    assert found.named["ops"] == {"open": "opened", "release": "elsewhere"}
    assert found.named["misc"] == {"fops": "ops"}
    assert {"opened", "lost"} <= found.functions
    assert "elsewhere" in found.callable - found.functions


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("static struct notifier_block block = { 0, block.next };", "by name"),
        ("static struct notifier_block block[2] = { { 0 }, { 0 } };", "arrays"),
        ("static struct notifier_block block = { .notifier_call = 1 ? 0 : 0 };", "notifier_call"),
        ("static struct notifier_block block = { .late = opened };", "late"),
        ("static struct clock_ops clock = { .tick = opened };", "struct clock_ops"),
        ("static struct miscdevice other = { .minor = 1, .fops = &misc };", "file operations"),
    ],
)
def test_what_cannot_be_read_off_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(Unsupported, match=message) as caught:
        find_tables(unit(tmp_path, f"{TEXT}{text}\n"))
    assert caught.value.span is not None
    assert caught.value.span.line == 8


def test_functions_that_no_record_is_about_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without = {**tables.HOLDERS, NOTIFIER.structure: Holder(NOTIFIER.structure)}
    monkeypatch.setattr(tables, "HOLDERS", without)
    text = "static int f(struct notifier_block *b, unsigned long c, void *d) { return 0; }\n"
    with pytest.raises(Unsupported, match="when 'notifier_call'"):
        find_tables(unit(tmp_path, f"{TEXT}{text}static struct notifier_block block = {{ .notifier_call = f }};"))
