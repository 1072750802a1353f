"""Structures that functions give, by bodies of their own and by those that calls share."""

from __future__ import annotations

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, Budgets, FrontendOptions

BUDGETS = {"own": Budgets(), "shared": Budgets(inlined_commands=-1, small_commands=-1)}
START = """#include <assert.h>
extern int any(void);
struct s { int *at; int count; };
union both { long number; char text[8]; };
struct with { union both u; int count; };
static int a, b, other = 4;
static struct s chosen(int k) { struct s p = {&a, 1}, q = {&b, 2}; if (k) return p; return q; }
static struct s plain(int k) { struct s p = {&a, k}; return p; }
static struct s without(int k) { struct s p = {&a, 1}; if (k) return p; }
static struct with united(int k) { struct with p = {{7}, 1}, q = {{9}, 1}; if (k) return p; return q; }
static struct s again(int n) { struct s p = {&a, n}; if (n > 3) return p; if (any()) return again(n + 1); return p; }
static int sum(struct s x, struct s y) { return x.count * 10 + y.count; }
"""
HOLDS = {
    "one of two": "struct s p = chosen(any()); assert(p.count > 0 && p.count < 3);",
    "where it leads": "struct s p = chosen(any()); *p.at = 5; assert(other == 4);",
    "where that of a call of itself leads": "struct s p = again(0); *p.at = 5; assert(other == 4);",
}
HOLDS_BY_ITSELF = {
    "the only one": "struct s p = plain(3), q = plain(3); assert(q.count == 3 && p.at == &a);",
    "a member": "assert(plain(6).count == 6);",
    "what another call leaves": "struct s p = plain(3); chosen(1); assert(p.count == 3);",
}
FAILS = {
    "one of two": "struct s p = chosen(any()); assert(p.count == 1);",
    "where it leads": "struct s p = chosen(any()); *p.at = 5; assert(b == 0);",
    "the first one": "struct s p = plain(3), q = plain(4); assert(p.count == q.count);",
    "the other argument": "assert(sum(plain(1), plain(2)) != 12);",
    "arguments in one call": "assert(sum(chosen(0), chosen(1)) != 21);",
    "of a call of itself": "assert(again(0).count == 0);",
    "where there is none": "struct s p = without(any()); assert(p.count == 1);",
    "a union": "struct with p = united(any()); assert(p.u.number == 7);",
}


def _are_safe(body: str, budgets: Budgets) -> bool:
    options = FrontendOptions(properties=("assertion",), budgets=budgets)
    calls = "plain(any()); chosen(any()); again(0); united(0);"  # so that several calls share a body
    text = f"{START}int main(void) {{ {calls} {body} {calls} }}\n"
    program = lower(parse(text, "t.c", options), options).program
    found = analyse(program, AnalysisOptions(domain="interval"))
    checks = [check for check in found.fixpoints[0].verdicts if check.function == "main"]
    return all(found.status_of(check).is_safe for check in checks)


@pytest.mark.parametrize("bodies", BUDGETS)
@pytest.mark.parametrize("name", HOLDS)
def test_members_of_a_result_are_known(name: str, bodies: str) -> None:
    assert _are_safe(HOLDS[name], BUDGETS[bodies])


@pytest.mark.parametrize("name", HOLDS_BY_ITSELF)
def test_results_of_a_body_of_its_own_are_those_of_one_call(name: str) -> None:
    assert _are_safe(HOLDS_BY_ITSELF[name], BUDGETS["own"])


@pytest.mark.parametrize("bodies", BUDGETS)
@pytest.mark.parametrize("name", FAILS)
def test_others_are_not(name: str, bodies: str) -> None:
    assert not _are_safe(FAILS[name], BUDGETS[bodies])
