"""Static tables: constants are evaluated in the first round only, what may come out otherwise in each."""

from __future__ import annotations

from collections import Counter

import pytest

from duet.frontend.expressions import initial
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import FrontendOptions

ENTRIES = 200
NUMBERS = "".join(f"{{{number}, 0}}, " for number in range(ENTRIES))
PROGRAM = """
int a, b;
struct entry {{ int key; void *place; }} table[] = {{{numbers}{last}}};
struct node {{ int *place; struct node *next; }} first, second, *head;
int main(void) {{
    second.place = &b, first.next = &second, head = &first;
    *head->next->place = 1;
    return table[b].key;
}}
"""


@pytest.mark.parametrize("last", ["{0, 0}", "{0, (void *)0}", "{0, &a}", "{0, (void *)4096}"])
def test_constants_are_evaluated_once(last: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[object] = Counter()
    evaluated = initial._evaluated

    def counted(*given: object) -> object:
        asked[given[1]] += 1
        return evaluated(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(initial, "_evaluated", counted)
    options = FrontendOptions()
    lower(parse(PROGRAM.format(numbers=NUMBERS, last=last), "a.c", options), options)
    often = [form for form, times in asked.items() if times > 1]
    assert len(asked) > ENTRIES
    assert len(often) == (last != "{0, 0}")
