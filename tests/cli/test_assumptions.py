"""Named assumptions, and the properties that a program with threads has by default: in every report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Duet

MALLOC = """#include <stdlib.h>
#include <string.h>
int main(void) {
    int *p = malloc(4), *q = realloc(0, 4);
    char *s = strdup("a");
    *p = 1;
    *q = 2;
    *s = 3;
    return 0;
}
"""
THREADS = """#include <pthread.h>
int x, started;
void *f(void *p) { x++; return p; }
int main(void) {
    pthread_t t;
    if (pthread_create(&t, 0, f, 0) == 0) started = 1;
    x++;
    pthread_join(t, 0);
    return 0;
}
"""
UNKNOWN = """void other(int *p);
int main(void) { int a[2] = {0}, i = 1; other(&i); a[i] = 1; return 0; }
"""


@pytest.mark.parametrize(
    ("name", "text", "properties"),
    [("malloc-succeeds", MALLOC, "null-dereference"), ("unknown-pure", UNKNOWN, "array-bounds")],
)
def test_what_is_assumed_is_proved_and_said(duet: Duet, tmp_path: Path, name: str, text: str, properties: str) -> None:
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    assert duet("analyze", "a.c", "--properties", properties).code == 1
    done = duet("analyze", "a.c", "--properties", properties, "--assume", name)
    assert done.code == 0
    assert f"(--assume {name})" in done.err
    for form in ("json", "sarif", "html"):
        assert f"(--assume {name})" in duet("analyze", "a.c", "--assume", name, "--format", form).out


def test_memory_of_no_bytes_may_be_none(duet: Duet, tmp_path: Path) -> None:
    text = "#include <stdlib.h>\nint main(int n, char **v) { int *p = malloc(4); p = realloc(p, n); *p = 1; return 0; }"
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    done = duet("analyze", "a.c", "--no-verify", "--properties", "null-dereference", "--assume", "malloc-succeeds")
    assert done.code == 1


def test_threads_that_start(duet: Duet, tmp_path: Path) -> None:
    text = THREADS.replace("x++;\n    pthread_join", "assert(started == 1);\n    pthread_join")
    (tmp_path / "a.c").write_text(f"#include <assert.h>\n{text}", encoding="utf-8")
    assert duet("analyze", "a.c").code == 1
    assert duet("analyze", "a.c", "--assume", "threads-start").code == 0


def test_a_program_with_threads_is_checked_for_races(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(THREADS, encoding="utf-8")
    done = duet("analyze", "a.c")
    assert done.code == 1
    assert "refuted: data-race" in done.out
    assert "checked: assertion, unreach-call, data-race, deadlock, null-dereference, array-bounds" in done.err
    assert "--properties P,Q chooses others" in done.err
    report = json.loads(duet("analyze", "a.c", "--format", "json").out)
    assert "data-race" in report["input"]["properties"]
    assert duet("analyze", "a.c", "--properties", "assertion").code == 0


def test_assumptions_are_short_and_last(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(THREADS, encoding="utf-8")
    last = duet("analyze", "a.c").err.splitlines()[-1]
    assert last.startswith("assumptions: sequential consistency; ")
    assert last.endswith("more (-v lists all)")
    lines = duet("analyze", "a.c", "-v").err.splitlines()
    assert lines[-1].startswith("assumption: ")
    assert any(line.startswith("assumption: sequential consistency: no weak memory") for line in lines)


def test_unknown_names_are_refused(duet: Duet) -> None:
    assert "'luck' is not one of malloc-succeeds" in duet("analyze", "a.c", "--assume", "luck").err


DRIVER = """#include <linux/module.h>
#include <linux/miscdevice.h>
#include <linux/fs.h>
struct own { int level; };
extern struct own *found(struct file *file);
static ssize_t give(struct file *file, char __user *to, size_t size, loff_t *offset) {
    struct own *own = found(file);
    return own ? @VALUE@ : 0;
}
static const struct file_operations fops = { .owner = THIS_MODULE, .read = give };
static struct miscdevice device = { .minor = MISC_DYNAMIC_MINOR, .name = "own", .fops = &fops };
module_misc_device(device);
MODULE_LICENSE("GPL");
"""


def test_a_driver_takes_the_kernels_pointers_for_whole_objects(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(DRIVER.replace("@VALUE@", "own->level"), encoding="utf-8")
    usual = ("analyze", "a.c", "--kernel", "bundled", "--properties", "array-bounds")
    done = duet(*usual)
    assert done.code == 0
    assert "(kernel-pointers; --assume none leaves it out)" in done.err
    assert duet(*usual, "--assume", "malloc-succeeds").code == 0
    for none in ("none", "none,malloc-succeeds"):
        done = duet(*usual, "--assume", none)
        assert done.code == 1
        assert "kernel-pointers" not in done.err
    (tmp_path / "duet.toml").write_text('assume = ["none"]\n', encoding="utf-8")
    assert duet(*usual).code == 1


def test_a_batch_of_drivers_does_so_too(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(DRIVER.replace("@VALUE@", "own->level"), encoding="utf-8")
    options = 'files = ["a.c"]\n[options]\nmodel = "linux"\nproperties = ["array-bounds"]\n'
    for assume, code in (("", 0), ('assume = ["none"]\n', 1), ('assume = ["kernel-pointers"]\n', 0)):
        (tmp_path / "set.toml").write_text(options + assume, encoding="utf-8")
        assert duet("batch", "set.toml", "-j", "1").code == code


def test_what_a_driver_computes_itself_is_checked_all_the_same(duet: Duet, tmp_path: Path) -> None:
    text = DRIVER.replace("@VALUE@", "(&own->level)[size & 1]")
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    assert duet("analyze", "a.c", "--kernel", "bundled", "--properties", "array-bounds").code == 1
