"""Locals of which only their thread ever has the address; each of the others hands it on in a way of its own.

Who has it may follow it in C: the failing twins at the end are programs in which another thread does.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.coarsen.race_evidence import race_assertions
from duet.errors import SourceError
from duet.frontend.ctypes.types import data_model
from duet.frontend.form.confined import Confined
from duet.frontend.judgments.facts import Facts
from duet.frontend.lower import formed
from duet.frontend.models.applied import Records
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, FrontendOptions
from duet.plip.wellformed import violations
from duet.reading import read

START = """
typedef unsigned long size_t; typedef long intptr_t; typedef __builtin_va_list va_list;
struct s { int n; char buf[8]; struct s *next; void (*call)(void *); };
union u { int *p; long n; };
extern void *some(void); extern void take(void *); extern void (*hook)(void *);
void *memcpy(void *, const void *, size_t); char *strchr(const char *, int); size_t strlen(const char *);
int snprintf(char *, size_t, const char *, ...); int printf(const char *, ...); char *strtok(char *, const char *);
long strtol(const char *, char **, int); void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
long read(int, void *, size_t); int rand_r(unsigned *);
int setvbuf(void *, char *, int, size_t); int putenv(char *); int order(const void *, const void *);
char *fgets(char *, int, void *); char *strsep(char **, const char *);
char *strtok_r(char *, const char *, char **); void openlog(const char *, int, int);
static int *kept; static struct s head; static char *line; static long number; static void *array[4];
static void set(int *p) { *p = 1; }
static int *same(int *p, int n) { return n ? p : p + 1; }
static void keep(int *p) { kept = p; }
static void keep_next(struct s *p) { p->next = p; }
static void behind(int **p, int *q) { *p = q; }
static void pass(int *p) { set(p); keep(same(p, 0)); }
static int *either(int *p, int *q) { return p ? q : 0; }
static void often(int *p, int n) { if (n) often(p, n - 1); }
static void often_kept(int *p, int n) { if (n) often_kept(p, n - 1); else kept = p; }
static int *last(int *p, int n) { return n ? last(p + 1, n - 1) : p; }
static void odd(int *p, int n); static void down(int *p, int n);
static void even(int *p, int n) { if (n) odd(p, n - 1); }
static void odd(int *p, int n) { kept = n == 7 ? p : 0; if (n) even(p, n - 1); }
static void up(int *p, int n) { if (n) down(p, n - 1); *p = n; }
static void down(int *p, int n) { if (n) { up(p, n - 1); down(p, n - 2); } }
static void around(int *p) { up(p, 1); even(p, 0); }
static char *end_of(char *p) { while (*p) p++; return p; }
static void variadic(int n, ...) { va_list l; __builtin_va_start(l, n); kept = __builtin_va_arg(l, int *); }
int vprintf(const char *, va_list); int vsnprintf(char *, size_t, const char *, va_list);
static void say(int level, const char *f, ...) {
  va_list l, m; __builtin_va_start(l, f); __builtin_va_copy(m, l);
  if (level) vprintf(f, l); else { char b[9]; vsnprintf(b, 9, f, m); } __builtin_va_end(l);
}
static void say_and_ask(const char *f, ...) {
  va_list l; __builtin_va_start(l, f); vprintf(f, l); kept = __builtin_va_arg(l, int *);
}
static void say_other(const char *f, ...) { va_list l; __builtin_va_start(l, f); f = line; vprintf(f, l); }
static void say_own(const char *f, ...) { va_list l; __builtin_va_start(l, f); vprintf(line, l); }
static void hand_on(va_list l) { kept = __builtin_va_arg(l, int *); }
static void say_by(const char *f, ...) { va_list l; __builtin_va_start(l, f); vprintf(f, l); hand_on(l); }
static void say_and_keep(const char *f, char *g, ...) {
  va_list l; __builtin_va_start(l, g); line = g; vprintf(f, l);
}
struct lists { va_list l; } lists;
static void say_and_ask_there(const char *f, ...) {
  va_list l; __builtin_va_start(l, f); vprintf(f, l);
  __builtin_va_start(lists.l, f); kept = __builtin_va_arg(lists.l, int *);
}
static void say_and_ask_behind(const char *f, ...) {
  va_list l, m, *p = &m; __builtin_va_start(l, f); vprintf(f, l);
  __builtin_va_start(*p, f); kept = __builtin_va_arg(*p, int *);
}
static long plain(long n) { return n; }
static long as_number(int *p) { return (long)p; }
static void old(p) int *p; { *p = 1; }
int f(int *given, int count) {
"""
CONFINED = {
    "its address is not taken": "int x = 1; x++;",
    "it is written by a function": "int x; set(&x);",
    "by one of the old style": "int x; old(&x);",
    "through a pointer": "int x, *p = &x; *p = 2; p[0]++;",
    "what a function gives back": "int x[2]; *same(x, 1) = 1; int *p = same(&x[0], 2); *p = 3;",
    "a function gives back another one": "int x, y; kept = either(&x, &y);",
    "an element": "int x[4]; for (int i = 0; i < 4; i++) set(&x[i]);",
    "a member of it": "struct s x; set(&x.n); x.buf[1] = 0; memcpy(x.buf, x.buf + 1, 2);",
    "a structure is passed on as a value": "struct s x = {1}, y = x; head = y; x = head;",
    "compared and asked for": "int x; if (&x == given && !(&x)) return 1; return &x ? 0 : 1;",
    "asked how it is aligned": (
        "int x; if ((long)&x & 3 || !((char *)&x - (char *)0 & 7)) x = 1;"
        "while ((size_t)&x % 8 == 4) x = (int)(long)&x & 15 ? 1 : 2;"
    ),
    "a format with escapes": 'char x[9]; printf("\\033[1m%s\\x1b[0m\\n ä", x);',
    "functions of the library": 'char x[9]; snprintf(x, sizeof x, "%s%ld", "a", 3L); read(0, x, strlen(x));',
    "what they give back": "char x[9]; *strchr(x, 97) = 0; char *p = strchr(x, 98), *q; q = p + 1; if (q - x) *q = 0;",
    "where a text ends": 'char x[9]; *end_of(x) = 0; printf("%s %5.*s", x, 2, x);',
    "a conditional expression": "int x, y; int *p = count ? &x : &y; *(count ? p : &x) = 1; (count, p)[0] = 1;",
    "cast to other pointers": "int x; *(char *)&x = 1; void *p = (void *)&x; *(short *)p = 2; (void)&x;",
    "statements in an expression": "int x; *({ int *p = &x; *p = 3; p; }) = 1;",
    "its parts are given away": "int x[4]; number = x[2]; take((void *)(intptr_t)x[1]);",
    "a variable behind it is lost": "int x; int *p = &x; (void)*p; kept = given;",
    "recursive functions": "int x; often(&x, 3); up(&x, 4); down(&x, 4); *last(&x, 1) = 2;",
    "strtol, behind a local": "char x[9], *end; strtol(x, &end, 10); *end = 0; char *p = end; p[0]++;",
    "strsep": 'char x[9], *p = x, *q; while ((q = strsep(&p, ":"))) *q = 0;',
    "strtok_r": 'char x[9], *p, *q = strtok_r(x, ":", &p); q = strtok_r(0, ":", &p); *q = *p = 0;',
    "printed by a function": 'char x[9]; say(1, "%s %d", x, 1);',
    "fgets": "char x[9]; while (fgets(x, sizeof x, some())) x[0]++;",
    "a pointer that may be another one's": "int x; int *p = count ? &x : given; *p = 1; p = some(); *p = 2;",
}
HANDED_ON = {
    "stored in a variable": "int x; kept = &x;",
    "stored by a pointer": "int x; int *p = &x, *q = p; kept = q + 1;",
    "stored by a function": "int x; keep(&x);",
    "by a function of a function": "int x; pass(&x);",
    "in itself": "struct s x; keep_next(&x);",
    "in a structure of the caller": "struct s x, y; y.next = &x;",
    "in an initialiser": "struct s x; struct s y = {.next = &x};",
    "in an array": "int x; void *y[2] = {&x, 0};",
    "in a static variable": "int x; static int *y; y = &x;",
    "in an element": "int x; array[count] = &x;",
    "behind a pointer": "int x; int **p = some(); *p = &x;",
    "behind a pointer by a function": "int x, *p; behind(&p, &x);",
    "in a pointer that others have": "int x; int *p; take(&p); p = &x;",
    "in a pointer that others get later": "int x; int *p = &x; take(&p);",
    "in a compound literal": "int x; take((void *[]){&x});",
    "given to an unknown function": "int x; take(&x);",
    "to one that is not declared": "int x; nobody(&x);",
    "by name, to what may be a macro": "int x; nobody(x);",
    "by a pointer to a function": "int x; hook(&x);",
    "to a member that is a function": "int x; head.call(&x);",
    "with a variable number of arguments": "int x; variadic(1, &x);",
    "as a number": "int x; number = (long)&x;",
    "as a number by a function": "int x; number = as_number(&x);",
    "as how far it is from null": "int x; number = (char *)&x - (char *)0;",
    "as its last bits": "int x; number = (long)&x & 7;",
    "as its last bits, negated": "int x; number = -((long)&x & 7);",
    "as its last bits, where they are asked for": "int x; if ((number = (long)&x & 7)) return 1;",
    "as bits that a loop asks for": "int x; for (long i = 1; i; i <<= 1) if ((long)&x & i) number |= i;",
    "as more bits than those in a page": "int x; if ((long)&x & 8191) return 1;",
    "as bits of a mask that is converted": "int x; if (((long)&x & (signed char)255) == 3) return 1;",
    "as what is left of a prime": "int x; if ((size_t)&x % 4093 == 1) return 1;",
    "as bits of how far it is from another one": "int x; if ((&x - kept) & 7) return 1;",
    "as bits of which page it is in": "int x; if (((char (*)[4096])&x - (char (*)[4096])0) & 7) return 1;",
    "as how far another one is from it": "int x; int *p = &x; number = kept - p;",
    "added to a number": "int x; number += &x;",
    "in arithmetic of numbers": "int x; number = (count ? &x : 1) + 0;",
    "as a number without a cast": "int x; number = &x;",
    "to a function that takes it as a number": "int x; number = plain(&x);",
    "in a union": "int x; union u y; y.p = &x; number = y.n;",
    "as the result": "int x[2]; return (int)(long)x;",
    "to the library, which keeps it": "char x[64]; setvbuf(some(), x, 0, 64);",
    "to the environment": "char x[4]; putenv(x);",
    "to the log": "char x[4]; openlog(x, 0, 0);",
    "to strtok": 'char x[4]; strtok(x, " "); line = strtok((char *)0, " ");',
    "to strtol, which stores it": "char x[4]; strtol(x, &line, 10);",
    "where strtol stops": "char x[4], *end; strtol(x, &end, 10); line = end;",
    "where strtol stops, by a pointer": "char x[4], *end, **p = &end; strtol(x, p, 10); line = *p;",
    "where strtol stops, in a structure": "struct { char *end; } y; char x[4]; strtol(x, &y.end, 10); line = y.end;",
    "a piece of strsep": 'char x[4], *p = x; line = strsep(&p, ":");',
    "the rest of strsep": 'char x[4], *p = x; strsep(&p, ":"); line = p;',
    "a piece of strsep, by a parameter": 'char x[4], *p; given = (int *)x; p = (char *)given; line = strsep(&p, "");',
    "a piece of strtok_r": 'char x[4], *p; line = strtok_r(x, ":", &p);',
    "a later piece of strtok_r": 'char x[4], *p; strtok_r(x, ":", &p); line = strtok_r(0, ":", &p);',
    "what strtok_r keeps elsewhere": 'char x[4]; strtok_r(x, ":", &line);',
    "a pointer whose address is kept, too": 'char x[4], *p = x; array[0] = &p; strsep(&p, ":");',
    "to a function that is called back": "int x[4]; qsort(x, 4, sizeof x[0], order);",
    "printed": 'int x; printf("%p", &x);',
    "its address is printed by a function": 'int x; say(1, "%p", &x);',
    "printed in a format that a function gets": "int x; say(1, line, &x);",
    "printed by one that asks for it, too": 'int x; say_and_ask("%d", &x);',
    "printed by one that asks a list in memory": 'int x; say_and_ask_there("%d", &x);',
    "printed by one that asks a list behind a pointer": 'int x; say_and_ask_behind("%d", &x);',
    "printed by one with another format": 'int x; say_other("%d", &x);',
    "printed by one with its own": 'int x; say_own("%d", &x);',
    "printed by one that hands the list on": 'int x; say_by("%d", &x);',
    "kept by one that prints others": 'char x[4]; say_and_keep("%d", x, 1);',
    "printed by another one": 'int x; printf("%d %-5p", 1, (void *)&x);',
    "printed in a format with octal numbers": r'int x; printf("%\160", &x);',
    "printed in a format with hexadecimal ones": r'int x; printf("%" "\x70", &x);',
    "printed as a number": 'int x; printf("%s %lx", "", &x);',
    "printed as a number behind a width": 'int x; printf("%*s%zd", 1, "", &x);',
    "printed by the number of its argument": 'int x; printf("%2$s %1$s", "", &x);',
    "printed as a number by a function": 'int x; say(1, "%ld", &x);',
    "printed where there is no conversion": 'int x; printf("%s%m%%", "", &x);',
    "printed in a format that is not known": "int x; printf(line, &x);",
    "what the library gives back of it": "char x[4]; line = strchr(x, 1);",
    "what is given back is kept": "int x; kept = same(&x, 1);",
    "a choice": "int x, y; kept = count ? &x : &y;",
    "a step": "int x[2], *p = x; kept = p++;",
    "a sum": "int x[2], *p = x; kept = p += 1;",
    "the value of an assignment": "int x, *p; kept = p = &x;",
    "a comma": "int x; kept = (count++, &x);",
    "statements in an expression": "int x; kept = ({ int *p = &x; p; });",
    "the other arm": "int x; kept = given ?: &x;",
    "a recursive function": "int x; often_kept(&x, 3);",
    "one that gives back another one's": "int x[9]; kept = last(x, 3);",
    "one of two that call each other": "int x; even(&x, 3);",
    "the other one": "int x; odd(&x, 3);",
    "one around them, asked for first": "int x; around(&x); even(&x, 1);",
    "a member's address": "struct s x; line = x.buf + 1;",
    "an element's address, the other way round": "int x[4]; kept = &count[x];",
    "to assembly": 'int x; __asm__("push %0" : : "r"(&x));',
    "as memory of assembly": 'int x; __asm__("push %0" : "=m"(x));',
    "when it goes out of scope": "int x __attribute__((cleanup(keep))) = 1;",
    "a static one": "static int x; set(&x);",
}


def is_confined(text: str, path: Path) -> bool:
    """Whether the local `x` of a function is confined."""
    path.write_text(f"{START}{text} return 0; }}\n", encoding="utf-8")
    options = FrontendOptions()
    found = formed(parse(preprocess(str(path), options).text, str(path), options), options)
    assert not isinstance(found["f"], SourceError)
    bodies = {key: body for key, body in found.items() if not isinstance(body, SourceError)}
    data = data_model(options.data_model)
    records = Records(Facts().others, False, data)
    return any(local.name == "x" for local in Confined(bodies.get, records, data).of("f"))


@pytest.mark.parametrize("name", CONFINED)
def test_only_the_thread_has_its_address(name: str, tmp_path: Path) -> None:
    assert is_confined(CONFINED[name], tmp_path / "a.c")


@pytest.mark.parametrize("name", HANDED_ON)
def test_others_may_have_its_address(name: str, tmp_path: Path) -> None:
    assert not is_confined(HANDED_ON[name], tmp_path / "a.c")


PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <string.h>
struct state { unsigned count; char text[8]; };
static struct state *kept, **where = &kept;
static struct { struct state *next; } node;
static long number;
static void *touch(void *s) { ((struct state *)s)->count++; return 0; }
static void give(struct state *s) { *where = s; }
extern long bits;
extern void take(void *);
static void add(struct state *s, const char *t, unsigned n) { if (n <= 8) { memcpy(s->text, t, n); s->count += n; } }
static void *work(void *unused) {
  struct state s = {0};
  char t[4];
  memset(t, 1, 4);
  add(&s, t, 4);
  take((void *)bits);
  OTHERS
  assert(s.count == 4);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  return 0;
}
"""


FOLLOWED = {
    "by a variable": "if (kept) kept->count++; kept = &s;",
    "by an argument": "pthread_t c; pthread_create(&c, 0, touch, &s);",
    "by a member": "if (node.next) node.next->count++; node.next = &s;",
    "by a number": "if (number) ((struct state *)number)->count++; number = (long)&s;",
    "by a function": "give(&s); if (*where) (*where)->count++;",
}

DECLARED_AS_NUMBER = """
#include <assert.h>
#include <pthread.h>
extern long same(void *);
static int *kept;
static void *touch(void *unused) { if (kept) *kept = 1; return unused; }
int main(void) {
  pthread_t a;
  int x = 0;
  kept = (int *)(same(&x) + 0);
  pthread_create(&a, 0, touch, 0);
  pthread_join(a, 0);
  assert(x == 0);
  return 0;
}
"""


def open_checks(text: str, path: Path, *others: Path) -> tuple[int, int]:
    """How many assertions, and how many races, are open in a program of some files."""
    path.write_text(text, encoding="utf-8")
    options = FrontendOptions(properties=("assertion", "data-race"))
    found = read((str(path), *map(str, others)), options, Clock())
    analysis = analyse(found.program, AnalysisOptions(domain="interval"))
    decided = (assertions(analysis, found.checks), race_assertions(analysis, str(path)))
    asserted, raced = (sum(not one.status.is_safe for one in some) for some in decided)
    return asserted, raced


def test_no_other_thread_touches_it(tmp_path: Path) -> None:
    assert open_checks(PROGRAM.replace("OTHERS", ""), tmp_path / "a.c") == (0, 1)  # what `take` does by itself


@pytest.mark.parametrize("name", FOLLOWED)
def test_another_thread_may_touch_it(name: str, tmp_path: Path) -> None:
    text = PROGRAM.replace("OTHERS", FOLLOWED[name])
    asserted, raced = open_checks(text, tmp_path / "a.c")
    assert asserted == 1
    assert raced > 1


def test_a_function_gives_it_back_that_is_declared_as_one_of_numbers(tmp_path: Path) -> None:
    (tmp_path / "b.c").write_text("void *same(void *p) { return p; }\n", encoding="utf-8")
    assert open_checks(DECLARED_AS_NUMBER, tmp_path / "a.c", tmp_path / "b.c")[0] == 1


TOLD = """
#include <assert.h>
#include <dirent.h>
#include <pthread.h>
#include <utmpx.h>
static struct dirent *told;
static struct utmpx *given;
static void *touch(void *unused) { if (told) told->d_ino = 1; if (given) given->ut_pid = 1; return unused; }
int main(void) {
  pthread_t t;
  struct dirent entry, *p = 0;
  struct utmpx record = {0};
  CALL
  entry.d_ino = 0;
  record.ut_pid = 0;
  pthread_create(&t, 0, touch, 0);
  assert(entry.d_ino == 0 && record.ut_pid == 0);
  return 0;
}
"""


@pytest.mark.parametrize(
    ("call", "is_safe"),
    [
        ("readdir_r(0, &entry, &p);", True),
        ("readdir_r(0, &entry, &p); told = p;", False),
        ("given = pututxline(&record);", False),
        ("given = getutxid(&record);", True),
    ],
)
def test_where_the_library_tells_of_it(call: str, is_safe: bool, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(TOLD.replace("CALL", call), encoding="utf-8")
    options = FrontendOptions(properties=("assertion",), system_headers=True)
    found = read((str(tmp_path / "a.c"),), options, Clock())
    (one,) = assertions(analyse(found.program, AnalysisOptions(domain="interval")), found.checks)
    assert one.status.is_safe == is_safe


UNKNOWN = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int other(void);
static long number;
static char bytes[8];
static void *run(void *unused) {
  int *p = malloc(sizeof *p);
  *p = 1;
  if (other()) number = (long)p ^ 5; else memcpy(bytes, &p, sizeof p);
  return unused;
}
static void *touch(void *unused) { *(int *)(number ^ 5) = 2; return unused; }
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, run, 0);
  pthread_create(&t[1], 0, run, 0);
  pthread_create(&t[2], 0, touch, 0);
  return 0;
}
"""


def test_code_that_is_not_there_changes_none_of_another_thread(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(UNKNOWN, encoding="utf-8")
    program = read((str(tmp_path / "a.c"),), FrontendOptions(), Clock()).program
    assert not violations(program)
