"""Random programs that put numbers into a small array and take them out again, by indices that start over or not."""

from __future__ import annotations

from random import Random

_START = """#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
#define N {count}
int a[N], x, y, c;
unsigned char u = 254, v = 254;
void *look(void *unused) {{ {other} return unused; }}
int main(void) {{
  pthread_t thread;
  int k = 0;
  {first}
  pthread_create(&thread, 0, look, 0);
  pthread_join(thread, 0);
  for (int round = 0; round < {rounds}; round++) {{
    {body}
  }}
  return 0;
}}
"""
_INDICES = (
    *("x", "y", "c", "k", "0", "N - 1", "x + 1", "c - 1", "x % N", "y % N", "u % N", "v % N", "u & 1"),
    *("(x + c) % N", "(unsigned)(x + 1) % N", "(y + x) % N", "(v + 1) % N"),
    *("(unsigned)(x - 1) % N", "(v - 1) % N", "(y - 1) & 1"),
)
_DIVISORS = ("N", "N", "N", "N", "(N - 1)", "(2 * N)", "(N + 1)")
_COUNTING = ("u++;", "v++;", "u = v;", "u += 2;", "v = 0;", "u = (u + 1) % N;", "k = !k;")
_FIRST = ("", "", "", "x = 1;", "y = 1;", "c = N;")
_OTHER = ("", "", "a[x] = 7;", "assert(a[x] != 0);")


def ring_program(seed: int) -> str:
    """A program in C without undefined behaviour; its checks fail where what the array begins with is found."""
    rng = Random(seed)
    return _START.format(
        count=rng.choice((2, 2, 3, 4)),
        other=rng.choice(_OTHER),
        first=rng.choice(_FIRST),
        rounds=rng.choice((2, 3, 4)),
        body="\n    ".join(_statement(rng) for _ in range(rng.randint(3, 6))),
    )


def _statement(rng: Random, depth: int = 0) -> str:
    one, other = rng.choice("xyc"), rng.choice("xyc")
    there = f"int at = {rng.choice(_INDICES)}; if (at >= 0 && at < N)"
    match rng.randrange(22):
        case 0 | 1 | 2 | 3 | 4:
            return f"{{ {there} a[at] = {rng.choice(('5', '6', 'k + 5'))}; }}"
        case 5 | 6 | 7 | 8 | 9:
            return f"{{ {there} {{ int found = a[at]; assert(found != 0); }} }}"
        case 10 | 11:
            return f"{one} = ({one} + {rng.choice((1, 1, 1, 2, 0))}) % {rng.choice(_DIVISORS)};"
        case 12 | 13:
            return f"if (++{one} {rng.choice(('==', '>='))} N) {one} = {rng.choice((0, 0, 0, 1))};"
        case 14:
            return f"{one}{rng.choice(('++', '--'))};"
        case 15:
            return f"{one} = {rng.choice(('0', '1', other, f'{other} + 1', f'{other} - 1'))};"
        case 16:
            return rng.choice(_COUNTING)
        case 17:
            next_one = f"int next = ({one} + 1) % N; if (next != {other} && {one} >= 0)"
            return f"{{ {next_one} {{ a[{one} % N] = 5; {one} = next; }} }}"
        case 18:
            return f"assert({one} == {other});"
        case _ if depth < 2:
            conditions = (f"{one} != {other}", f"{one} == {other}", f"{one} < N", f"{one} > 0", "x != y", "u != v")
            condition = rng.choice((*conditions, f"{one} == N", "c > 0", "__VERIFIER_nondet_int()"))
            return f"if ({condition}) {{ {_statement(rng, depth + 1)} {_statement(rng, depth + 1)} }}"
        case _:
            return "k = !k;"
