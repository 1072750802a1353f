"""Roles fail closed: whatever reaches the kernel and names anything is called, understood or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.linux.callbacks import FILE_OPERATIONS, Holder
from duet.linux.tables import HOLDERS
from tests.linux.callbacks import LOOK, LOST, NOTHING, SEEN, START, function, looks, members, registered, seen, table
from tests.linux.drivers import lowered, statuses

OTHERS = {
    "module_init": "static int start(void) { %s return 0; } module_init(start);",
    "module_exit": "static int start(void) { return 0; } module_init(start);\n"
    "static void stop(void) { %s } module_exit(stop);",
    "EXPORT_SYMBOL": "int share(void) { %s return 0; } EXPORT_SYMBOL(share);" + START % "return 0;",
    "request_irq": "static irqreturn_t handle(int line, void *data) { %s return 0; }"
    + START % 'return request_irq(5, handle, 0, "x", NULL);',
    "timer_setup": "static struct timer_list timer; static void fire(struct timer_list *t) { %s }"
    + START % "timer_setup(&timer, fire, 0); mod_timer(&timer, jiffies); return 0;",
    "platform_driver_probe": "static struct platform_driver driver; static int probe(struct platform_device *d) { %s }"
    + START % "return platform_driver_probe(&driver, probe);",
}


CALLBACKS = [(holder, callback.member) for holder in HOLDERS.values() for callback in holder.callbacks]
CALLED = [holder for holder in HOLDERS.values() if holder.callbacks]
NAMES = [f"{holder.structure}.{member}" for holder, member in CALLBACKS]


@pytest.mark.parametrize(("holder", "member"), CALLBACKS, ids=NAMES)
def test_a_callback_that_cannot_be_parsed_may_do_anything(tmp_path: Path, holder: Holder, member: str) -> None:
    assert statuses(tmp_path, LOOK + table(holder, {member: LOST}) + registered(holder)) == [False]


@pytest.mark.parametrize("holder", CALLED, ids=[holder.structure for holder in CALLED])
def test_callbacks_that_can_be_parsed_do_what_they_do(tmp_path: Path, holder: Holder) -> None:
    kinds = members(holder.structure)
    empty = looks(holder) + table(holder, {name: "return 1;" if name == "match" else NOTHING for name in kinds})
    assert statuses(tmp_path, empty + registered(holder)) == [True] * len(kinds)
    full = looks(holder) + table(
        holder, seen(holder) | ({"match": "seen_match = 1; return 1;"} if "match" in kinds else {})
    )
    assert statuses(tmp_path, full + registered(holder)) == [False] * len(kinds)


@pytest.mark.parametrize("member", [callback.member for callback in FILE_OPERATIONS.callbacks])
def test_private_descriptors_too(tmp_path: Path, member: str) -> None:
    text = LOOK + table(FILE_OPERATIONS, {member: LOST}) + registered(FILE_OPERATIONS)
    assert statuses(tmp_path, text, descriptors="private") == [False]


@pytest.mark.parametrize("holder", CALLED, ids=[holder.structure for holder in CALLED])
def test_a_registration_that_cannot_be_parsed_may_be_there(tmp_path: Path, holder: Holder) -> None:
    start = registered(holder)
    if "start(void) { " not in start:
        return  # a macro for the whole module
    text = looks(holder) + table(holder, seen(holder))
    text += start.replace("start(void) { ", "start(void) { for_each_little_thing(c) { } ")
    assert not any(statuses(tmp_path, text))


@pytest.mark.parametrize("kind", OTHERS)
def test_a_function_that_cannot_be_parsed_may_do_anything(tmp_path: Path, kind: str) -> None:
    found = {body: statuses(tmp_path, LOOK + OTHERS[kind] % body) for body in (SEEN, LOST)}
    assert found == {SEEN: [False], LOST: [False]}


@pytest.mark.parametrize("holder", CALLED, ids=[holder.structure for holder in CALLED])
def test_callbacks_without_a_definition_are_called(tmp_path: Path, holder: Holder) -> None:
    kinds = members(holder.structure)
    declared = "".join(function(kind, f"on_{name}", "").partition("{")[0] + ";\n" for name, kind in kinds.items())
    fields = ", ".join(f".{name} = on_{name}" for name in kinds)
    text = f"{declared.replace('static ', '')}static struct {holder.structure} table = {{ {fields} }};\n"
    made = lowered(tmp_path, LOOK + text + registered(holder))
    told = " ".join(warning.message for warning in made.warnings if warning.code == "unknown-function")
    assert [name for name in kinds if f"'on_{name}'" not in told] == []
