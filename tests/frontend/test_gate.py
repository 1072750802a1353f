"""The gate for accesses: each way of touching memory has its checks and notes, and nothing goes past it."""

# ruff: noqa: E501  (a program in a line is easier to find)

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import duet.frontend
from duet.frontend.cells import bounds, gate, sharing
from duet.frontend.cells.context import Context
from duet.frontend.cells.gate import Rule, Touch
from duet.frontend.ctypes.values import Direct, Index, Indirect, Place
from duet.frontend.models.atomic_names import ATOMICS
from duet.frontend.source.nodes import Node
from duet.plip.accesses import AccessKind
from tests.frontend.bodies import decided

START = """#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern int any(void);
extern void unknown(void *);
struct slot { int owner, other; };
struct slot slots[4], one;
atomic_int hits[4];
int plain[4], out, old;
pthread_mutex_t locks[2];
char text[8], from[8];
float reals[4];
struct slot *shared;
"""
BOUNDS, NULL, RACE = "array-bounds", "null-dereference", "data-race"


@dataclasses.dataclass(frozen=True, slots=True)
class Sample:
    """Bodies of `main` that touch memory in one way: outside of its object, by a null pointer, beside another thread.

    `inside` is the correct twin of all; an empty text is for what the rule of the way says there is none of.
    `beside` is what the other thread does.
    """

    inside: str
    outside: str = ""
    null: str = ""
    race: str = ""
    beside: str = ""


def _of_slots(action: str, race: str, beside: str, declared: str = "struct slot *p") -> Sample:
    """A sample whose action goes through `p` to one of four slots."""
    return Sample(
        f"{declared} = &slots[any() & 3]; {action}",
        f"{declared} = slots + 4; {action}",
        f"{declared} = any() ? &one : 0; {action}",
        race,
        beside,
    )


SAMPLES = {
    Touch.LOAD: _of_slots("out = p->owner;", "out = one.owner;", "one.owner = 1;"),
    Touch.STORE: _of_slots("p->owner = 1;", "one.owner = 1;", "out = one.owner;"),
    Touch.UPDATE: _of_slots(
        "__sync_bool_compare_and_swap(&p->owner, 0, 1);",
        "__sync_bool_compare_and_swap(&one.owner, 0, 1);",
        "out = one.owner;",
    ),
    Touch.COPY_OUT: _of_slots("struct slot s = *p; out = s.owner;", "struct slot s = one;", "one.owner = 1;"),
    Touch.COPY_IN: _of_slots("*p = one;", "one = slots[1];", "out = one.owner;"),
    Touch.LOCK: Sample(
        "pthread_mutex_lock(&locks[any() & 1]);",
        "pthread_mutex_t *p = locks + 2; pthread_mutex_lock(p);",
        "pthread_mutex_t *p = any() ? locks : 0; pthread_mutex_lock(p);",
    ),
    Touch.EXAMINE: Sample(
        "out = write(1, text, any() & 7);",
        "out = write(1, text, any() & 15);",
        "char *p = any() ? text : 0; out = write(1, p, 4);",
        "out = write(1, text, 8);",
        "text[1] = 1;",
    ),
    Touch.FILL: Sample(
        "read(0, text, any() & 7);",
        "read(0, text, any() & 15);",
        "char *p = any() ? text : 0; read(0, p, 4);",
        "read(0, text, 8);",
        "out = text[1];",
    ),
    Touch.HAVOC: Sample("unknown(slots);", race="unknown(&one);", beside="out = one.owner;"),
    Touch.RELEASE: Sample(
        "shared = malloc(sizeof *shared); free(shared);", race="free(shared);", beside="out = shared->owner;"
    ),
}


def _is_open(body: str, kind: str, start: str = START) -> bool:
    """Whether a check of some kind is not proved; *requires* that there is one at all."""
    found = [check for check in decided(start, body, kind) if check.subject == kind]
    return any(not check.is_safe for check in found)


def _beside(sample: Sample) -> str:
    """Declarations with a thread that does what is beside a sample."""
    return f"{START}static void *run(void *unused) {{ {sample.beside} return 0; }}\n"


def _with_thread(sample: Sample, is_joined: bool = False) -> str:
    """A body that does what a sample does while the thread runs, or after it."""
    wait = "pthread_join(t, 0);" if is_joined else ""
    start = "shared = malloc(sizeof *shared); if (!shared) return 1; pthread_t t; if (pthread_create(&t, 0, run, 0)) return 1;"
    return f"{start} {wait} {sample.race}"


@pytest.mark.parametrize("touch", Touch)
def test_each_way_has_what_its_rule_says(touch: Touch) -> None:
    sample, rule = SAMPLES[touch], gate.rule(touch)
    assert bool(sample.outside) == bool(sample.null) == rule.has_checks
    assert bool(sample.race) == (rule.counts_as is not None)
    if rule.has_checks:
        assert _is_open(sample.outside, BOUNDS)
        assert _is_open(sample.null, NULL)
    if rule.counts_as is not None:
        assert _is_open(_with_thread(sample), RACE, _beside(sample))


@pytest.mark.parametrize("touch", Touch)
def test_the_correct_twin_is_proved(touch: Touch) -> None:
    sample = SAMPLES[touch]
    assert not _is_open(sample.inside, BOUNDS)
    assert not _is_open(sample.inside, NULL)
    if sample.race:
        assert not _is_open(_with_thread(sample, is_joined=True), RACE, _beside(sample))


def test_strings_are_read_by_pointers_that_are_not_null() -> None:
    assert _is_open("char *p = any() ? text : 0; out = strlen(p);", NULL)
    assert not _is_open("char *p = any() ? text : from; out = strlen(p);", NULL)


_NOT_ON_MEMORY = re.compile(r".*(_fence|_synchronize|lock_free|__duet_weak_order)$")


def _call(name: str, place: str) -> str:
    """A call of an atomic operation on an `int`, or on a flag, at a place."""
    plain = re.sub(r"(_1|_2|_4|_8|_16)$", "", name).removesuffix("_explicit")
    orders = ", 5" if name.startswith("__atomic") or name.endswith("_explicit") else ""
    if "compare" in plain and name.startswith("__sync"):
        given = ", 0, 1"
    elif "compare_exchange" in plain:
        is_sized = re.search(r"_(1|2|4|8|16)$", name) is not None
        new = "&old" if plain == "__atomic_compare_exchange" and not is_sized else "1"
        old, weak = "wide" if is_sized else "&old", ", 0" if name.startswith("__atomic") else ""
        given = f", {old}, {new}{weak}{orders and ', 5, 5'}"
        orders = ""
    elif name == "__atomic_exchange":
        given = ", &old, &out"
    elif name in ("__atomic_load", "__atomic_store"):
        given = ", &old"
    elif re.search(r"load|clear|release|test_and_set$", plain) and "lock_test" not in plain:
        given = ""
    else:
        given = ", 1"
    where = f"(_Bool *)({place})" if plain.startswith("atomic_flag") else place
    return f"{name}({where}{given}{orders});"


_OPERATIONS = [name for name in sorted(n for record in ATOMICS for n in record.names) if not _NOT_ON_MEMORY.match(name)]
_AT_ONCE = 32
_LARGER = ("_8", "_16")
"""What accesses more bytes than an int has."""


@pytest.mark.parametrize("first", range(0, len(_OPERATIONS), _AT_ONCE))
def test_every_atomic_operation_is_checked(first: int) -> None:
    start = "extern int any(void);\nint plain[4], wide[4], old, out; struct slot { int owner, other; } slots[4];\n"
    wanted: list[tuple[str, str, bool]] = []
    for name in _OPERATIONS[first : first + _AT_ONCE]:
        wanted += [
            (f"int *p = plain + 4; {_call(name, 'p')}", BOUNDS, False),
            (_call(name, "&(slots + 4)->other"), BOUNDS, False),
            (f"int *p = any() ? plain : 0; {_call(name, 'p')}", NULL, False),
            (f"int *p = plain + (any() & 3); {_call(name, 'p')}", BOUNDS, not name.endswith(_LARGER)),
        ]
    body = "\n".join(f"if (any()) {{ {text} }}" for text, _, _ in wanted)
    found = decided(start, body, BOUNDS, NULL, domain="interval")
    lines = sorted({check.line for check in found})
    assert len(lines) == len(wanted)
    for line, (text, kind, is_safe) in zip(lines, wanted, strict=True):
        here = [check.is_safe for check in found if check.line == line and check.subject == kind]
        assert all(here) if is_safe else not all(here), text


# Who may use what lies behind the gate, and why. What only asks and touches nothing needs no check.
_ROOM = Path(duet.frontend.__file__).parent
_BEHIND = {
    "note_target": {"cells/gate.py"},
    "note_place": {"cells/gate.py", "models/anything.py"},  # the latter: an object that is not tracked any more
    "note_pointed": {"cells/gate.py"},
    "note_released": {"cells/gate.py"},
    "note_argument": {"models/call.py"},  # of a library function: any of its arguments, before anything is known of it
    "note_unknown": {"models/unknown.py"},  # as `Touch.HAVOC`, for all that is reached at once
    "bounds_check": {"cells/gate.py"},
    "index_check": {"cells/gate.py"},
    "bytes_check": {"cells/gate.py"},
    "text_check": {"cells/gate.py"},
    "null_check": {"cells/gate.py", "bodies/calls.py"},  # the latter: a call through a pointer
    "targets": {"cells/gate.py"},
    "candidates": {"cells/access.py"},  # of `spoil`, where the gate noted the access
    "elements": {"cells/gate.py"},
    "located": {"cells/access.py", "models/atomics.py", "models/locks.py"},  # inside of `gate.each`
    "locate": {
        "cells/access.py",
        "cells/arguments.py",  # asks for the name of a local variable
        "cells/rereads.py",  # asks whether a cell of its own stands for a place
        "cells/escapes.py",  # asks which lock it is
        "models/anything.py",  # likewise
        "models/lent.py",  # asks whether a member has a cell of its own
        "expressions/initial.py",  # asks whether a constant needs to be written
        "expressions/assign.py",  # asks whether a cell is private
        "bodies/stmt.py",  # asks for the range of a counter
        "bodies/unroll.py",  # likewise
        "cells/private.py",  # sets what no other thread has at its start
        "cells/interrupts.py",  # whether interrupts are off is no memory of the program
        "cells/ownership.py",  # asks for the name of a cell that was written
    },
    "is_checked": {"cells/gate.py", "models/buffers.py"},  # the latter: whether the gate was asked about the bytes
}
_HOME = {"cells/sharing.py", "cells/bounds.py", "cells/pointers.py", "cells/targets.py", "cells/memory.py"}


def _uses(path: Path) -> Iterator[str]:
    """The names that a module calls or passes on, and the keywords that it gives."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Name(name) | ast.Attribute(attr=name), keywords=keywords):
                yield name
                yield from (keyword.arg for keyword in keywords if keyword.arg is not None)
            case ast.ImportFrom(names=names):
                yield from (item.name for item in names)
            case _:
                pass


def test_nothing_goes_past_the_gate() -> None:
    found: dict[str, set[str]] = {name: set() for name in _BEHIND}
    for path in sorted(_ROOM.rglob("*.py")):
        place = str(path.relative_to(_ROOM))
        for name in _uses(path):
            if name in found and place not in _HOME:
                found[name].add(place)
    assert found == _BEHIND


def _no_indices(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(gate, "_is_inside", lambda *_: True)


def _no_bounds(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(gate, "bounds_check", lambda *_: None)


def _no_null(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(gate, "null_check", lambda *_: None)


def _no_bytes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(gate, "bytes_check", lambda *_, **__: None)


def _no_texts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(gate, "text_check", lambda *_: None)


def _no_casts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(bounds, "_may_be_inner", lambda *_: False)


def _no_note(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sharing, "note_target", lambda *_: None)
    patch.setattr(sharing, "note_place", lambda *_: None)
    patch.setattr(sharing, "note_pointed", lambda *_: None)
    patch.setattr(sharing, "unnoted", lambda *_: ())


def _no_release(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sharing, "note_released", lambda *_: None)


def _carried_on(patch: pytest.MonkeyPatch) -> None:
    """An index that was checked counts as checked wherever it is moved."""
    original = gate.element

    def element(ctx: Context, place: Place, node: Node, is_access: bool) -> Place:
        found = original(ctx, place, node, is_access)
        if not isinstance(found, Direct | Indirect):
            return found
        marked = (
            dataclasses.replace(step, is_checked=True) if isinstance(step, Index) else step for step in found.path
        )
        return dataclasses.replace(found, path=tuple(marked))

    patch.setattr(gate, "element", element)


def _atomics_unchecked(patch: pytest.MonkeyPatch) -> None:
    original = gate.rule
    none = Rule(False, AccessKind.WRITE)
    patch.setattr(gate, "rule", lambda touch: none if touch is Touch.UPDATE else original(touch))


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: dict[str, tuple[Defect, str, str]] = {
    "indices of the place": (_no_indices, "(slots + 4)->owner = 1;", BOUNDS),
    "the object around a pointer": (_no_bounds, "struct slot *p = slots; p += 4; p->owner = 1;", BOUNDS),
    "the pointer itself": (_no_null, "struct slot *p = any() ? &one : 0; p->owner = 1;", NULL),
    "the bytes of a buffer": (_no_bytes, "read(0, text, 16);", BOUNDS),
    "an index that is only formed": (_carried_on, "struct slot *p = &slots[4]; (&slots[4])->owner = 1;", BOUNDS),
    "the end of a string": (_no_texts, "text[any() & 7] = 1; out = strlen(text);", BOUNDS),
    "an inner part": (_no_casts, "char c[8]; *(int *)&c[6] = 1; out = c[0];", BOUNDS),
    "atomic operations": (_atomics_unchecked, "__sync_bool_compare_and_swap(&plain[4], 0, 1);", BOUNDS),
}
RACES: dict[str, tuple[Defect, Touch]] = {
    "what counts for races": (_no_note, Touch.LOAD),
    "memory that is given back": (_no_release, Touch.RELEASE),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_decision_that_is_left_out_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    defect, body, kind = DEFECTS[name]
    assert _is_open(body, kind)
    defect(monkeypatch)
    assert not _is_open(body, kind)


@pytest.mark.parametrize("name", RACES)
def test_an_access_that_is_not_noted_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    defect, touch = RACES[name]
    sample = SAMPLES[touch]
    assert _is_open(_with_thread(sample), RACE, _beside(sample))
    defect(monkeypatch)
    assert not _is_open(_with_thread(sample), RACE, _beside(sample))
