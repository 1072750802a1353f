"""What the core of a subsystem has in hand when it calls a driver: objects of its own, as it has prepared them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.frontend.cells import contracts, texts
from duet.linux import handed
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.reading import read
from tests.linux import kernel_tree

DRIVER = """
#include <linux/module.h>
#include <linux/device.h>
#include <linux/kstrtox.h>
struct rtc_time { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
struct rtc_wkalrm { unsigned char enabled, pending; struct rtc_time time; };
struct rtc_class_ops {
	int (*read_time)(struct device *device, struct rtc_time *time);
	int (*set_time)(struct device *device, struct rtc_time *time);
	int (*set_alarm)(struct device *device, struct rtc_wkalrm *alarm);
	int (*read_offset)(struct device *device, long *offset);
};
struct hwmon_ops { int (*read)(struct device *device, int kind, unsigned attribute, int channel, long *value); };
struct device_attribute {
	const char *name;
	long (*show)(struct device *d, struct device_attribute *a, char *text);
	long (*store)(struct device *d, struct device_attribute *a, const char *text, size_t count);
};
extern char *keep(char *text);
extern int register_callback(void (*function)(void));
extern int rtc_register(const struct rtc_class_ops *ops);
extern int sensor_register(const struct hwmon_ops *ops);
extern int file_register(struct device_attribute *file);
extern void look(struct rtc_time *time);
static int table[12], kept;
static struct rtc_time own, *last;
@BODY@
static int __init loading(void) { @LOAD@ }
module_init(loading)
MODULE_LICENSE("GPL");
"""
RTC = ("static const struct rtc_class_ops ops = { @MEMBER@ };", "return rtc_register(&ops);")
SET = "static int set(struct device *d, struct rtc_time *t) { @DO@ return 0; }"
READ = "static int get(struct device *d, struct rtc_time *t) { @DO@ return 0; }"
ALARM = "static int alarm(struct device *d, struct rtc_wkalrm *w) { @DO@ return 0; }"


def open_checks(
    directory: Path, body: str, load: str, properties: tuple[str, ...], budgets: Budgets | None = None
) -> list[str]:
    """The checks of a driver that stay open."""
    kernel = kernel_tree.found(directory)
    source = directory / "driver.c"
    source.write_text(DRIVER.replace("@BODY@", body).replace("@LOAD@", load))
    options = FrontendOptions(model="linux", kernel=str(kernel), properties=properties, budgets=budgets or Budgets())
    found = read((str(source),), options, Clock())
    assert not found.unknown
    verdicts = analyse(found.program, AnalysisOptions(domain="interval"))
    return sorted(
        check.expression
        for check, status in zip(verdicts.fixpoints[0].verdicts, verdicts.statuses, strict=True)
        if not status.is_safe
    )


FEW = Budgets(callback_commands=0)
"""All callbacks are one thread."""


def of_clock(directory: Path, function: str, do: str, member: str, *properties: str) -> list[str]:
    """The same of a driver of a clock with one operation."""
    body = f"{function.replace('@DO@', do)}\n{RTC[0].replace('@MEMBER@', member)}"
    return open_checks(directory, body, RTC[1], properties or ("overflow", "array-bounds", "assertion"))


CLOCKS = {
    "a month is one": (SET, "table[t->tm_mon] = t->tm_mday * 86400;", ".set_time = set", 0),
    "a day of the week may be any number": (SET, "kept = 1 << t->tm_wday;", ".set_time = set", 1),
    "a year may be the last one": (SET, "kept = t->tm_year + 1900;", ".set_time = set", 0),
    "a year may be more than that": (SET, "kept = t->tm_year + 1901;", ".set_time = set", 1),
    "a second too many": (SET, "__VERIFIER_assert(t->tm_sec < 59);", ".set_time = set", 1),
    "what is read starts as nothing": (READ, "__VERIFIER_assert(t->tm_mon == 0);", ".read_time = get", 0),
    "what is read is what was written": (
        READ,
        "t->tm_year = 20; t->tm_year += 100; __VERIFIER_assert(t->tm_year == 120);",
        ".read_time = get",
        0,
    ),
    "a message does not change it": (
        SET,
        'printk("%ptR", t); printk("%n", &t->tm_mon); table[t->tm_mon] = 1;',
        ".set_time = set",
        0,
    ),
    "unknown code may change it": (
        READ,
        "t->tm_year = 20; look(t); __VERIFIER_assert(t->tm_year == 20);",
        ".read_time = get",
        1,
    ),
    "an alarm has a day of the week": (ALARM, "kept = 1 << w->time.tm_wday;", ".set_alarm = alarm", 0),
    "an alarm may be pending": (ALARM, "__VERIFIER_assert(w->pending == 0);", ".set_alarm = alarm", 1),
    "an offset is kept": (
        "static int offset(struct device *d, long *o) { @DO@ return 0; }",
        "*o = 5; *o *= 1000; __VERIFIER_assert(*o == 5000);",
        ".read_offset = offset",
        0,
    ),
    "an offset is anything at first": (
        "static int offset(struct device *d, long *o) { @DO@ return 0; }",
        "__VERIFIER_assert(*o == 0);",
        ".read_offset = offset",
        1,
    ),
    "it is another one each time": (
        SET,
        "if (last) __VERIFIER_assert(last->tm_mon < 12 && last != t); last = t;",
        ".set_time = set",
        1,
    ),
}


@pytest.mark.parametrize(("function", "do", "member", "number"), CLOCKS.values(), ids=CLOCKS)
def test_what_a_clock_is_given(tmp_path: Path, function: str, do: str, member: str, number: int) -> None:
    assert len(of_clock(tmp_path, function, do, member)) == number


@pytest.mark.parametrize(
    "elsewhere",
    [
        "int set_again(void) { return set(0, &own); }",
        "int (*exported)(struct device *, struct rtc_time *) = set;",
        "static const struct { int (*other)(struct device *, struct rtc_time *); } mine = { set };\n"
        "const void *leak(void) { return &mine; }",
    ],
    ids=["called by the driver", "found in another way", "in a table of the driver's"],
)
def test_a_function_that_others_call_too_is_given_anything(tmp_path: Path, elsewhere: str) -> None:
    function = f"{SET}\n{elsewhere}"
    assert of_clock(tmp_path, function, "own.tm_mon = d != 0 ? 12 : 13; table[t->tm_mon] = 1;", ".set_time = set")


def test_a_value_of_a_sensor_is_an_object(tmp_path: Path) -> None:
    body = (
        "static int value(struct device *d, int k, unsigned a, int c, long *v) { *v = 3; @MORE@ return 0; }\n"
        "static const struct hwmon_ops ops = { .read = value };"
    )
    load = "return sensor_register(&ops);"
    properties = ("array-bounds", "null-dereference")
    assert not open_checks(tmp_path, body.replace("@MORE@", ""), load, properties)
    assert open_checks(tmp_path, body.replace("@MORE@", "v[1] = 2;"), load, properties)


def test_a_file_has_a_page(tmp_path: Path) -> None:
    body = (
        "static long show(struct device *d, struct device_attribute *a, char *text) { text[@INDEX@] = 0; return 0; }\n"
        "static struct device_attribute file = { .name = 0, .show = show };"
    )
    load = "return file_register(&file);"
    assert not open_checks(tmp_path, body.replace("@INDEX@", "4095"), load, ("array-bounds",))
    assert open_checks(tmp_path, body.replace("@INDEX@", "4096"), load, ("array-bounds",))


STORE = (
    "static char *held; static void other(void) { @OTHER@ }\n"
    "static long store(struct device *d, struct device_attribute *a, const char *text, size_t count)\n"
    "{ unsigned long found; @DO@ return 0; }\n"
    "static struct device_attribute file = { .name = 0, .store = store };"
)
READS = "kstrtoul(text, 10, &found);"
WRITTEN: Mapping[str, tuple[str, str, str]] = {
    "a number": (READS, "", ""),
    "something else is written": (f"{READS} table[count & 7] = 1; *((char *)&own) = 1;", "", ""),
    "the text is not empty": ("__VERIFIER_assert(count != 0); __VERIFIER_assert(count <= 4096);", "", ""),
}
NOT_WRITTEN: Mapping[str, tuple[str, str, str]] = {
    "behind the text": ("kept = text[5];", "", ""),
    "a part of the text": ("kstrtoul(text + 2, 10, &found);", "", ""),
    "the text is written": (f"((char *)text)[count - 1] = 'x'; {READS}", "", ""),
    "the text is written earlier or later": (f"{READS} ((char *)text)[0] = 'x';", "", ""),
    "it is written by somebody else": (f"held = (char *)text; {READS}", "if (held) held[0] = 'x';", ""),
    "it is written by way of the kernel": (f"keep((char *)text); {READS}", "char *p = keep(0); if (p) *p = 'x';", ""),
    "the kernel may write it": (f"keep((char *)text); {READS}", "", ""),
    "it is kept in memory": (f"*(char **)keep(0) = (char *)text; {READS}", "**(char **)keep(0) = 'x';", ""),
    "it is a number for a while": (
        f"unsigned long at = (unsigned long)text; *(unsigned long *)keep(0) = at; {READS}",
        "*(char *)*(unsigned long *)keep(0) = 'x';",
        "",
    ),
    "a function that others call, too": (READS, "", "register_callback((void (*)(void))store);"),
    "the number of bytes": ("__VERIFIER_assert(count != 1 && count != 4096);", "", ""),
}  # fmt: skip


def _is_open_when_written(directory: Path, what: tuple[str, str, str]) -> bool:
    do, other, load = what
    body = STORE.replace("@DO@", do).replace("@OTHER@", other)
    load = f"register_callback(other); {load} return file_register(&file);"
    return bool(open_checks(directory, body, load, ("array-bounds", "assertion")))


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written_to_a_file_is_a_string(tmp_path: Path, name: str) -> None:
    assert not _is_open_when_written(tmp_path, WRITTEN[name])


@pytest.mark.parametrize("name", NOT_WRITTEN)
def test_what_is_written_to_a_file_may_not_end(tmp_path: Path, name: str) -> None:
    assert _is_open_when_written(tmp_path, NOT_WRITTEN[name])


def test_a_string_that_others_may_reach_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "is_out_of_reach", lambda ctx, key: key in ctx.facts.marked(texts._GIVEN))
    assert not _is_open_when_written(tmp_path, NOT_WRITTEN["it is a number for a while"])


def test_many_callbacks_are_given_the_same(tmp_path: Path) -> None:
    load = "return sensor_register(&ops);"
    body = (
        "static int value(struct device *d, int k, unsigned a, int c, long *v) { *v = 3; @MORE@ return 0; }\n"
        "static const struct hwmon_ops ops = { .read = value };"
    )
    for more, number in (("", 0), ("v[1] = 2;", 1)):
        text = body.replace("@MORE@", more)
        assert len(open_checks(tmp_path, text, load, ("array-bounds", "null-dereference"), FEW)) == number


def test_a_type_that_has_no_such_members_is_left_alone(tmp_path: Path) -> None:
    text = DRIVER.replace("tm_yday, tm_isdst", "tm_isdst").replace("@LOAD@", RTC[1])
    function = READ.replace("@DO@", "__VERIFIER_assert(t->tm_mon == 0);")
    body = f"{function}\n{RTC[0].replace('@MEMBER@', '.read_time = get')}"
    kernel = kernel_tree.found(tmp_path)
    source = tmp_path / "driver.c"
    source.write_text(text.replace("@BODY@", body))
    found = read((str(source),), FrontendOptions(model="linux", kernel=str(kernel)), Clock())
    assert not all(status.is_safe for status in analyse(found.program, AnalysisOptions(domain="interval")).statuses)


def test_a_defect_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a record that says too much, what fails is proved; without callers, what holds is not."""
    clock = CLOCKS["a day of the week may be any number"]
    known = handed.HANDED["rtc_class_ops"]
    monkeypatch.setitem(known, "set_time", (handed.Handed(1, "struct rtc_time", bounds=(("tm_wday", 0, 6),)),))
    assert not of_clock(tmp_path, *clock[:3])
    monkeypatch.undo()
    monkeypatch.setattr(contracts, "caller_of", lambda _, function: function)
    assert of_clock(tmp_path, *CLOCKS["a month is one"][:3])
