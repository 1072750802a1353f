"""What is lowered again from units that were read is what reading the files again gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from duet.clock import Clock
from duet.options import UNDEFINED
from duet.reading import lowered_again, read
from tests.c.annotations import bundled, name
from tests.verify.test_bundled import options_of

NAMES = ("everyday/stack_of_free", "condition/thread_pool", "strings/copied_literals")


@pytest.mark.parametrize("chosen", NAMES)
def test_with_other_checks_and_budgets(chosen: str) -> None:
    program = next(found for found in bundled() if name(found) == chosen)
    options, paths = options_of(program), (str(program.path),)
    found = read(paths, options, Clock())
    strict = replace(
        options,
        properties=tuple(dict.fromkeys((*options.properties, *UNDEFINED))),
        budgets=options.budgets.roomy(len(found.program.commands)),
    )
    again = lowered_again(found, strict)
    assert again == read(paths, strict, Clock()).program
    assert again != found.program
    assert lowered_again(found, options) == found.program
