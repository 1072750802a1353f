"""Origins of values: one object for each thing, told apart by their classes."""

from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path

import pytest

import duet.frontend
from duet.frontend.ctypes.origins import (
    ANYTHING,
    EXTERNAL,
    OUTSIDE,
    Content,
    Elsewhere,
    FunctionAddress,
    Holder,
    ObjectAddress,
    Origin,
    Passing,
    ThreadId,
    UntrackedParts,
    addresses,
    contents,
    functions,
    in_order,
    threads,
)

ROOM = Path(duet.frontend.__file__).parent
NAMED_ALIKE: tuple[Origin, ...] = (
    ObjectAddress("x"),
    FunctionAddress("x"),
    ThreadId("x"),
    Content("x"),
    Content(Elsewhere("x")),
    Content(Passing(1)),
    Content("*1"),
    ObjectAddress("x()"),
    ObjectAddress("thread x"),
    ObjectAddress("=x"),
    ANYTHING,
    ObjectAddress("<any>"),
)


def test_what_has_the_same_text_is_not_the_same() -> None:
    assert len(frozenset(NAMED_ALIKE)) == len(NAMED_ALIKE)
    assert functions(frozenset(NAMED_ALIKE)) == ("x",)
    assert threads(frozenset(NAMED_ALIKE)) == ("x",)
    assert addresses(frozenset(NAMED_ALIKE)) == {item for item in NAMED_ALIKE if not isinstance(item, Content)}


def test_contents_are_in_the_order_of_texts() -> None:
    found: tuple[Holder, ...] = ("a.b", Passing(2), OUTSIDE, UntrackedParts("a"))
    assert contents(frozenset(map(Content, found))) == (Passing(2), OUTSIDE, UntrackedParts("a"), "a.b")


@pytest.mark.parametrize("item", NAMED_ALIKE, ids=repr)
def test_a_copy_is_the_same_object(item: Origin) -> None:
    assert copy.copy(item) is copy.deepcopy(item) is pickle.loads(pickle.dumps(item)) is item


def test_an_origin_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="'key' of 'x\\(\\)' cannot be changed"):
        FunctionAddress("x").key = "y"


def test_the_order_is_that_of_texts() -> None:
    found: list[Origin] = [
        ThreadId("a"),
        EXTERNAL,
        ObjectAddress("b"),
        ANYTHING,
        FunctionAddress("a"),
        ObjectAddress("a"),
    ]
    assert [str(item) for item in in_order(found)] == ["<any>", "<external>", "a", "a()", "b", "thread a"]


def test_nobody_takes_the_text_of_an_origin_apart() -> None:
    pattern = re.compile(
        r"\[:-2\]|(starts|ends)with\(\"(<|=|\*|\(\)|thread )\"|remove(pre|suf)fix\(\"(<|=|\(\)|thread )"
    )
    places = [
        f"{path.relative_to(ROOM)}:{number}"
        for path in sorted(ROOM.rglob("*.py"))
        if path.relative_to(ROOM).parts[0] != "source"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line) and ".file.startswith" not in line
    ]
    assert places == []
