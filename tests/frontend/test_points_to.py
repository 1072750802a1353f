"""The points-to rules and lowering: the same programs with every engine and without the rules, in fewer rounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from datalog.registry import NAMES
from duet.errors import SourceError
from duet.frontend import lower
from duet.frontend.source.parse import ParsedUnit, parse
from duet.options import FrontendOptions
from tests.datalog.engines import engine_or_skip

CHAIN = """
struct node { struct node *next; int *value; };
struct node a, b, c;
struct node *first, *second, *third;
int x, *found;
struct table { void (*start)(struct table *); void (*stop)(int *); } table, *given;
void stop(int *p) { *p = 5; }
void start(struct table *t) { t->stop(&x); }
int main(void) {
  if (third) found = third->value;
  if (second) third = second->next;
  if (first) second = first->next;
  first = &a;
  a.next = &b;
  b.next = &c;
  c.value = &x;
  table.start = start;
  table.stop = stop;
  given = &table;
  given->start(given);
  if (found) *found = 1;
  return 0;
}
"""


@pytest.fixture
def unit(tmp_path: Path) -> ParsedUnit:
    path = str(tmp_path / "chain.c")
    return parse(CHAIN, path, FrontendOptions())


@pytest.mark.parametrize("engine", NAMES)
def test_the_program_is_the_same_with_every_engine(unit: ParsedUnit, engine: str) -> None:
    engine_or_skip(engine)
    assert lower.lower(unit, FrontendOptions(engine=engine)) == lower.lower(unit, FrontendOptions())


def test_the_rules_find_what_rounds_would_find(unit: ParsedUnit, monkeypatch: pytest.MonkeyPatch) -> None:
    with_rules = lower.lower(unit, FrontendOptions())
    monkeypatch.setattr(lower, "follow_pointers", lambda *_: None)
    assert lower.lower(unit, FrontendOptions()) == with_rules
    monkeypatch.setattr(lower, "ROUNDS", 3)
    with pytest.raises(SourceError, match="too intricate"):
        lower.lower(unit, FrontendOptions())


def test_a_chain_of_pointers_takes_two_rounds(unit: ParsedUnit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lower, "ROUNDS", 2)
    assert not [found for found in lower.lower(unit, FrontendOptions()).warnings if found.code.startswith("unresolved")]
