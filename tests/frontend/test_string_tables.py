"""Many strings in one initialiser are one object: what is known of each of them still holds, and nothing more."""

from __future__ import annotations

from collections import Counter

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.cells.context import Context
from duet.frontend.expressions import initial
from duet.frontend.form.tree import Parts
from duet.frontend.lower import Lowered, lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.plip.syntax import Program
from duet.result import Status

TABLE = """#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct row { const char *key, *name; int number; };
static const struct row table[] = { { "a", "one", 1 }, { "bb", "two", 2 }, { "", "one", 3 }, { 0, 0, 0 } };
static const char *first = "one";
int main(int argc, char **argv) {
    int i = argc > 1 ? 1 : 0;
    const char *key = table[i].key, *name = table[i].name;
    STATEMENTS
    return 0;
}
"""
HOLD = {
    "lengths": "return strlen(key) + strlen(name);",
    "comparison": 'return strcmp(key, argc > 2 ? "a" : name);',
    "first character": "return key[0];",
    "not null": "assert(key != 0);",
    "end": "assert(table[3].key == 0);",
    "numbers": "assert(table[1].number == 2);",
    "one place": "assert(table[1].key == table[1].key);",
}
FAIL = {
    "behind the end": "return table[0].key[2];",
    "at a known index": "return key[2];",
    "in front": "return key[-1];",
    "moved": "const char *p = table[2].key; p++; return strlen(p);",
    "bytes": "return memcmp(name, key, 4);",
    "length": "assert(strlen(key) == 1);",
    "character": "assert(key[0] == 'a');",
    "equal ones may be one": "assert(table[0].name != table[2].name);",
    "as numbers": "assert((long) table[0].name != (long) table[2].name);",
    "as one elsewhere": "assert(table[0].name != first);",
    "different ones are not": "assert(table[0].name == table[0].key);",
    "which one": "assert(name == table[0].name);",
}


def lowered(statements: str, budgets: Budgets) -> Lowered:
    options = FrontendOptions(properties=("assertion", "array-bounds"), budgets=budgets)
    return lower(parse(TABLE.replace("STATEMENTS", statements), "t.c", options), options)


def objects(program: Program) -> set[str]:
    """The strings that the program has cells for."""
    return {name.split("[")[0] for name in program.cells if name.startswith('"')}


def statuses(found: Lowered) -> set[Status]:
    """The verdicts on all checks."""
    return set(analyse(found.program, AnalysisOptions(domain="interval")).statuses)


@pytest.mark.parametrize("budgets", [Budgets(), Budgets(table_strings=2)], ids=["each", "one"])
@pytest.mark.parametrize("name", HOLD)
def test_what_holds_of_every_string_is_proved(name: str, budgets: Budgets) -> None:
    assert Status.UNPROVED not in statuses(lowered(HOLD[name], budgets))


@pytest.mark.parametrize("budgets", [Budgets(), Budgets(table_strings=2)], ids=["each", "one"])
@pytest.mark.parametrize("name", FAIL)
def test_what_fails_for_some_string_is_not_proved(name: str, budgets: Budgets) -> None:
    assert Status.UNPROVED in statuses(lowered(FAIL[name], budgets))


def test_many_strings_are_one_object() -> None:
    asked = "return table[0].key[0] + table[0].name[0] + table[1].name[0];"
    each, one = (objects(lowered(asked, budgets).program) for budgets in (Budgets(), Budgets(table_strings=2)))
    assert len(each) != 1
    assert len(one) == 1


def evaluations(monkeypatch: pytest.MonkeyPatch, budgets: Budgets) -> list[int]:
    """How often each initialiser of a program is evaluated part by part."""
    found: Counter[int] = Counter()
    strings_of = initial.Strings.of

    def counted(ctx: Context, parts: Parts) -> initial.Strings:
        found[len(parts.entries)] += 1
        return strings_of(ctx, parts)

    monkeypatch.setattr(initial.Strings, "of", counted)
    lowered("assert(first != 0);", budgets)
    return sorted(found.values())


@pytest.mark.parametrize("budgets", [Budgets(), Budgets(table_strings=2)], ids=["each", "one"])
def test_a_table_is_evaluated_part_by_part_in_the_first_round_only(
    budgets: Budgets, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert evaluations(monkeypatch, budgets)[0] == 1
