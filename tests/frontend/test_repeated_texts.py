"""Strings behind other uses of them: what a check has said of them, or a function, holds until something writes there.

Lines marked SAFE are behind such uses; in all others a program may make the check fail.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.options import Budgets, FrontendOptions
from tests.frontend.running import decided

LARGE = Budgets(program_commands=-1)
SHARED = Budgets(inlined_commands=-1, small_commands=-1, program_commands=-1)
START = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <pthread.h>
extern int any(void);
extern void take(char *);
extern char *get(void);
static char common[20];
static void spoil(char *p) { p[any()] = 120; }
static void cut(char *p) { p[0] = 0; }
static void *work(void *p) { spoil(p); return 0; }
"""
PROGRAMS = {
    "one word after the other": """
  char *p = line, *k = strsep(&p, ":");
  if (!k) return 1;
  if (!strcmp(k, "one")) return 1; // SAFE
  if (!strcmp(k, "two")) return 2; // SAFE
  k[0] = 0; // SAFE
  if (!strcmp(k, "three")) return 3; // SAFE
  k[any()] = 'x';
  if (!strcmp(k, "four")) return 4;
  return strlen(k); // SAFE""",
    "another pointer": """
  char *k = line + any();
  puts(k);
  puts(k); // SAFE
  char *q = line;
  q[any()] = 'x';
  puts(k);""",
    "the array by its name": """
  char *k = line + any();
  puts(k);
  line[3] = any(); // SAFE
  puts(k);""",
    "a function": """
  char *k = line + any();
  puts(k);
  spoil(line);
  puts(k);
  cut(k);
  puts(k); // SAFE""",
    "functions of the library": """
  char *k = line + any(), other[30];
  puts(k);
  snprintf(other, sizeof other, "%d", any()); // SAFE
  puts(k); // SAFE
  puts(other); // SAFE
  fread(line, 1, sizeof line, stdin); // SAFE
  puts(k);
  memcpy(line + 1, get(), 4); // SAFE
  puts(k);
  strncpy(k, get(), 3);
  puts(k);
  puts(other); // SAFE""",
    "the pointer is another one": """
  char *k = line + any();
  puts(k);
  k = any() ? k : line + any();
  puts(k);
  puts(k); // SAFE
  k++;
  puts(k);""",
    "a loop": """
  char *k = line + any();
  puts(k);
  for (int i = 0; i < any(); i++) {
    puts(k);
    line[i] = 'x';
  }
  return strlen(k);""",
    "written by name": """
  strncpy(line, get(), sizeof line); // SAFE
  puts(line);
  strncpy(line, get(), sizeof line); // SAFE
  line[19] = 0; // SAFE
  puts(line); // SAFE
  line[any()] = 'x';
  puts(line);""",
    "a character that is found": """
  char *p = strchr(line, '='); // SAFE
  if (!p) return 1;
  *p = 0; // SAFE
  puts(p + 1); // SAFE
  if (p[1]) puts(""); // SAFE
  if (p[2]) puts("");""",
    "one that may be the end": """
  char *p = strchr(line, any()); // SAFE
  if (!p) return 1;
  *p = 0; // SAFE
  if (p[1]) puts("");
  return strlen(p + 1);""",
    "the end": """
  char *p = strchr(line, 256); // SAFE
  if (!p) return 1;
  if (p[1]) puts("");""",
    "a string that is found": """
  char *p = strstr(line, "://"); // SAFE
  if (!p) return 1;
  puts(p + 3); // SAFE
  if (p[3]) puts(""); // SAFE
  puts(p + 4);""",
    "one that is not known": """
  char *p = strstr(line, get()); // SAFE
  if (!p) return 1;
  puts(p); // SAFE
  puts(p + 1);""",
    "one that no string is in": """
  char *p = memchr(line, 'x', 20); // SAFE
  if (!p) return 1;
  *p = 'y'; // SAFE
  puts(p);""",
    "where a number ends": """
  char *end;
  long n = strtol(line, &end, 10); // SAFE
  if (*end) return 1; // SAFE
  puts(end); // SAFE
  if (end[1]) return 2;""",
    "what strtok has kept": """
  char *p = strtok(line, " "); // SAFE
  if (!p) return 1;
  puts(p); // SAFE
  line[any()] = 'x';
  p = strtok(0, " ");
  if (!p) return 1;
  puts(p); // SAFE""",
    "others may write it": """
  strcpy(common, "x");
  puts(common);
  puts(common);""",
    "others have its address": """
  char *k = line + any();
  puts(k);
  take(line);
  puts(k);
  puts(k);""",
    "another thread has it": """
  pthread_t t;
  char *k = line + any();
  puts(k);
  pthread_create(&t, 0, work, line);
  puts(k);
  puts(k);""",
    "wide characters": """
  char w[16] = "abc";
  puts(w); // SAFE
  return wcslen((wchar_t *)w);""",
    "each time round": """
  for (int i = 0; i < 3; i++) {
    char t[8];
    if (i) puts(t);
    strcpy(t, "x");
    puts(t); // SAFE
  }""",
}


def _marked(text: str) -> dict[int, bool]:
    return {at: "SAFE" in line for at, line in enumerate(text.splitlines(), 1)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_known_of_a_string(name: str, tmp_path: Path) -> None:
    """Just the checks behind others of what is still a string are decided."""
    begun = "int main(void) { char line[20]; if (!fgets(line, 20, stdin)) return 1;"
    text = f"{START}{begun}{PROGRAMS[name]}\nreturn 0; }}\n"
    marked = _marked(text)
    first = START.count("\n") + 2
    for budgets in (LARGE, SHARED):
        options = FrontendOptions(properties=("array-bounds",), budgets=budgets)
        found = {line: is_safe for line, is_safe in decided(tmp_path, text, options).items() if line >= first}
        wrong = [line for line, is_safe in found.items() if is_safe and not marked[line]]
        assert wrong == [], wrong
        if budgets is LARGE:
            missed = [line for line, is_safe in found.items() if marked[line] and not is_safe]
            assert missed == [], missed


def test_an_array_of_each_call(tmp_path: Path) -> None:
    """What a function calls may write to the array that it was given, which is not its own."""
    text = f"""{START}
static void again(char *up) {{
  char t[8];
  strcpy(t, "a");
  if (any()) again(t);
  up[any()] = 'x';
  puts(t);
}}
int main(void) {{ char t[8]; again(t); return 0; }}
"""
    options = FrontendOptions(properties=("array-bounds",), budgets=LARGE)
    assert not decided(tmp_path, text, options)[START.count("\n") + 7]
