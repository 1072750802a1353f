"""Formats that are one of several literals: they write what one of these says, and nothing else."""

from __future__ import annotations

import pytest

from duet.frontend.models import strings
from tests.frontend.bodies import decided

START = """
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <syslog.h>
extern int any(void);
int value = 5, other, level;
static char buffer[99];
static void say(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	if (level > 1)
		vprintf(format, list);
	if (level > 2)
		vsnprintf(buffer, sizeof buffer, format, list);
	va_end(list);
}
static void report(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsyslog(LOG_INFO, format, list);
	va_end(list);
}
"""
CALLS = "level = any(); "
PROVED = {
    "one for the log": 'report("%d\\n", value); assert(value == 5);',
    "two literals": CALLS + 'say("%d\\n", value); say("%s: %d %%n\\n", "n", value); assert(value == 5);',
    "what has no list": (
        'const char *f = other ? "%p none %%n" : "%d"; fprintf(stderr, f, &value); assert(value == 5);'
    ),
}
OPEN = {
    "one for the log": 'report("%d%n\\n", other, &value); assert(value == 5);',
    "one that counts": CALLS + 'say("%d\\n", value); say("%d%n\\n", other, &value); assert(value == 5);',
    "one behind another one": (CALLS + 'const char *f = any() ? "%d" : "%%%n"; printf(f, &value); assert(value == 5);'),
    "a part of one": (
        CALLS + 'const char *f = any() ? "%%n" : "%d"; f++; printf(f - 1 + any(), &value); assert(value == 5);'
    ),
    "the end of one": CALLS + 'const char *f = any() ? "x%%n" + 2 : "%d"; printf(f, &value); assert(value == 5);',
    "an array": CALLS + 'char f[] = "%d"; f[1] = any(); say(f, &value); say("%d", other); assert(value == 5);',
    "one that was read": CALLS + "char f[9]; fgets(f, 9, stdin); say(f, &value); assert(value == 5);",
    "one by way of a pointer to it": (
        CALLS + 'const char *f = "%d", **g = &f; *g = "%n"; say(f, &value); assert(value == 5);'
    ),
}


def is_proved(body: str) -> bool:
    found = decided(START, body, "assertion")
    assert found
    return all(check.is_safe for check in found)


@pytest.mark.parametrize("name", PROVED)
def test_known_formats_write_nothing(name: str) -> None:
    assert is_proved(PROVED[name])


@pytest.mark.parametrize("name", OPEN)
def test_others_may_count(name: str) -> None:
    assert not is_proved(OPEN[name])


def test_a_defect_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strings, "_may_count", lambda text: text.endswith("%n"))
    assert is_proved(OPEN["one that counts"])


HEADERS = ("err", "error", "pwd", "stdio", "string", "unistd", "wchar")
WIDE = "".join(f"#include <{name}.h>\n" for name in HEADERS) + (
    'char text[4] = "abcd"; wchar_t wide[4]; void *bytes = text; struct passwd user, *found;\n'
)


def test_what_is_printed_as_a_string_is_one() -> None:
    fine = (
        'printf("%.4s %.4s %.4ls %ls", text, bytes, wide, L"abc"); printf("%p %lc %s", bytes, wide[0], (void *)"abc");'
        'swprintf(wide, 4, L"%d %ls", 1, L"a"); wprintf(L"%.4s", text);'
    )
    assert all(check.is_safe for check in decided(WIDE, fine, "array-bounds"))
    for given in ('"%s", bytes', '"%ls", wide', '"%S", wide', '"%.5ls", wide', '"%-*ls", 9, wide', '"%.5s", bytes'):
        assert not all(check.is_safe for check in decided(WIDE, f"printf({given});", "array-bounds")), given
    for call in ('wprintf(L"%ls", wide);', 'fwprintf(stderr, L"%s", text);', "wprintf(wide);", "swprintf(0, 0, wide);"):
        assert not all(check.is_safe for check in decided(WIDE, call, "array-bounds")), call


def test_strings_are_read_where_they_are_further_arguments() -> None:
    fine = 'getpwnam_r("a", &user, text, 4, &found); execl("/a", "a", (char *)0); err(1, 0);'
    assert all(check.is_safe for check in decided(WIDE, fine, "array-bounds"))
    for call in (
        'err(1, "%s", text);',
        'error(0, 0, "%s", text);',
        'char *p = text; strsep(&p, " ");',
        'execl("/a", "a", text, (char *)0);',
        'getpwnam_r("a", &user, text, 5, &found);',
    ):
        assert not all(check.is_safe for check in decided(WIDE, call, "array-bounds")), call


COUNTED = {
    'printf("%d%n", 3, (int *)0);': False,
    'printf("%*d%ln", 3, 4, (long *)0);': False,
    'sprintf(buffer, any() ? "%d%n" : "%d%p", 3, (int *)0);': False,
    'printf("%2$n%1$d", 3, (int *)0);': False,
    'printf("%n%p", &value, (int *)0);': True,
    'printf("%d%%n", 3, (int *)0);': True,
}


@pytest.mark.parametrize("call", COUNTED)
def test_where_a_format_counts_is_no_null_pointer(call: str) -> None:
    found = [check for check in decided(START, call, "null-dereference", domain="interval") if "0" in check.expression]
    assert all(check.is_safe for check in found) is COUNTED[call]
