"""Strings that a program was given: they end until something is written there, also over their characters."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.pipeline import Job, perform

START = """#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *kept, *volatile seen;
static char **all;
static int number;
static jmp_buf back;
static void *spoil(void *p) { seen[number] = 'x'; return 0; }
static void *move(void *p) { all[1] = seen; return 0; }
static void handle(int s) { seen[number] = 'x'; }
static void put(char *s, int n) { for (int i = 0; i < n; i++) s[i] = 'x'; }
static void many(char *s) { memset(s, 'x', strlen(s) + 1); }
static char *found(char **v, int i) { number++; return v[i]; }
static char *next(char **v) { static int i; return v[i++]; }
static void begin(void) { pthread_t t; pthread_create(&t, 0, spoil, 0); }
struct two { char *a[2]; };
struct named { char *first, *second; };
union word { char *text; unsigned long bits; };
static char rough[1] = {'x'};
static void tell(const char *s) { printf("%s", s); }
"""
FALSE = {
    "a store": "argv[1][number] = 'x'; length(argv[1]);",
    "an earlier store": "kept = argv[1]; kept[number] = 'x'; tell(\"a\"); length(argv[1]);",
    "a loop": "for (int i = 0; i < 2; i++) { length(argv[1]); argv[1][number] = 'x'; }",
    "a function": "put(argv[1], number); length(argv[1]);",
    "a thread": "seen = argv[1]; pthread_t t; pthread_create(&t, 0, spoil, 0); length(argv[1]);",
    "a thread that was joined": "seen = argv[1]; pthread_t t; pthread_create(&t, 0, spoil, 0); pthread_join(t, 0); "
    "length(argv[1]);",
    "a handler": "seen = argv[1]; signal(SIGUSR1, handle); raise(SIGUSR1); length(argv[1]);",
    "a jump": "if (setjmp(back)) length(argv[1]); else { argv[1][number] = 'x'; longjmp(back, 1); }",
    "one more": "memset(argv[1], 'x', strlen(argv[1]) + 1); length(argv[1]);",
    "one more, in a function": "many(argv[1]); length(argv[1]);",
    "of another one": "memset(argv[1], 'x', strlen(argv[2])); length(argv[1]);",
    "of another one, by an index": "int i = 1; memset(argv[i], 'x', strlen(argv[number])); length(argv[1]);",
    "measured before": "size_t n = strlen(argv[2]); memset(argv[1], 'x', n); length(argv[1]);",
    "behind the start": "memset(argv[1] + 1, 'x', strlen(argv[1])); length(argv[1]);",
    "from behind the start": "memset(argv[1], 'x', strlen(argv[1] - 1)); length(argv[1]);",
    "an expression with effects": "memset(found(argv, 1), 'x', strlen(found(argv, 2))); length(argv[1]);",
    "the same expression with effects": "memset(next(argv), 'x', strlen(next(argv))); length(argv[1]);",
    "an index that is moved": "int i = 1; memset(argv[i++], 'x', strlen(argv[i++])); length(argv[1]);",
    "a byte with effects": "char *p = argv[1]; memset(p, (p = argv[2], 'x'), strlen(p)); length(argv[2]);",
    "a product": "memset(argv[1], 'x', 2 * strlen(argv[1])); length(argv[1]);",
    "a narrow length": "memset(argv[1], 'x', (signed char)strlen(argv[1])); length(argv[1]);",
    "an array of the program": "char a[4] = {'a', 'b', 'c', 'd'}; a[3] = (char)number; memset(a, 'x', strlen(a) + 1); "
    "length(a);",
    "arguments that others write": "all = argv; seen = argv[2]; pthread_t t; pthread_create(&t, 0, move, 0); "
    "memset(argv[1], 'x', strlen(argv[1])); length(argv[1]);",
    "a structure over arguments": "struct two t = {{rough, rough}}; *(struct two *)argv = t; length(argv[1]);",
    "a member over an argument": "((struct named *)argv)->second = rough; length(argv[1]);",
    "a union over an argument": "((union word *)argv)[1].text = rough; length(argv[1]);",
    "a moved pointer": "length(argv[1] + number);",
    "a copy without end": "char *s = strdup(argv[1]); if (s) { s[strlen(s)] = 'x'; length(s); }",
    "a function that starts a thread": "seen = argv[1]; begin(); tell(argv[2]); length(argv[1]);",
}
TRUE = {
    "arguments": "length(argv[1]); length(argv[2]);",
    "arguments in front of a store": "length(argv[1]); argv[1][number] = 'x';",
    "arguments in front of a thread": "length(argv[1]); seen = argv[1]; pthread_t t; pthread_create(&t, 0, spoil, 0);",
    "characters": "memset(argv[1], 'x', strlen(argv[1])); length(argv[1]);",
    "characters, by an index": "for (int i = 1; i < 3; i++) { memset(argv[i], 'x', strlen(argv[i])); puts(argv[i]); }",
    "characters of a variable": "char *p = argv[1]; memset(p, 'x', strlen(p)); length(argv[1]);",
    "characters behind the start": "memset(argv[1] + 1, 'x', strlen(argv[1] + 1)); length(argv[1]);",
    "a copy": "char *s = strdup(argv[1]); if (s) { memset(s, 'x', strlen(s)); length(s); }",
    "functions": "tell(argv[1]); length(argv[1]); tell(argv[2]); length(argv[2]);",
}
ENOUGH = "number = argc; if (argc < 4) return 0;"


def lengths(body: str, folder: Path, budgets: Budgets) -> list[bool]:
    """Whether each check of what is behind `length` is safe; what holds from the start is not even asked."""
    path = folder / "a.c"
    text = f"{START}int main(int argc, char **argv) {{ {ENOUGH} {body.replace('length(', 'puts(')} return 0; }}"
    path.write_text(text, encoding="utf-8")
    options = FrontendOptions(properties=("array-bounds", "null-dereference"), budgets=budgets)
    found = perform(Job((str(path),), options, AnalysisOptions(engine="bitset")), lambda _: None).assertions
    return [item.status.is_safe for item in found if item.check.expression.startswith("puts")]


SMALL, SHARED = Budgets(), Budgets(program_commands=1, inlined_commands_if_large=1, small_commands=1)


@pytest.mark.parametrize("budgets", [SMALL, SHARED], ids=["small", "shared"])
@pytest.mark.parametrize("body", FALSE.values(), ids=FALSE)
def test_of_strings_that_may_have_been_written_it_is_not_known_that_they_end(
    body: str, budgets: Budgets, tmp_path: Path
) -> None:
    assert not all(lengths(body, tmp_path, budgets))


@pytest.mark.parametrize("budgets", [SMALL, SHARED], ids=["small", "shared"])
@pytest.mark.parametrize("body", TRUE.values(), ids=TRUE)
def test_strings_end_until_something_else_than_their_characters_is_written(
    body: str, budgets: Budgets, tmp_path: Path
) -> None:
    assert all(lengths(body, tmp_path, budgets))
