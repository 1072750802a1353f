"""The checks of a suite by directory, subsystem, property and cause, and the tables of them on the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from duet.batch import breakdown, run
from duet.batch.page import render
from duet.batch.suite import load
from duet.batch.task import Suite, Task
from duet.batch.verdict import Row
from tests.batch.test_reports import make_row


def row(name: str, skipped: str = "", **counts: int) -> Row:
    found = make_row(name, task=Task(name, (name,), skipped=skipped), counts=counts)
    return replace(found, record=None) if skipped else found


ROWS = (
    row("misc/a.c", proved=1, unproved=2),
    row("misc/eeprom/b.c", unreachable=3),
    row("misc/eeprom/c.c", skipped="another architecture"),
    row("rtc/d.c", proved=2, unproved=5),
)


def test_parts_are_directories_and_subsystems() -> None:
    found = {part.name: part for part in breakdown.by_directory(ROWS)}
    assert list(found) == ["misc", "misc/eeprom", "rtc"]
    eeprom = found["misc/eeprom"]
    assert (eeprom.tasks, eeprom.complete, eeprom.skipped, eeprom.safe, eeprom.total) == (2, 1, 1, 3, 3)
    assert [(part.name, part.total) for part in breakdown.by_subsystem(ROWS)] == [("misc", 6), ("rtc", 7)]


def test_one_part_is_none() -> None:
    assert breakdown.by_directory(ROWS[:1]) == ()
    assert breakdown.by_subsystem((ROWS[0], ROWS[3])) == ()


def test_sums_of_properties_and_causes() -> None:
    assert breakdown.properties(ROWS) == (("overflow", 6, 13),)
    assert breakdown.causes(ROWS) == (breakdown.Cause("the pointer is lost", 7, 2),)


def test_the_page_has_the_tables() -> None:
    page = render(Suite("drivers", tuple(item.task for item in ROWS)), ROWS)
    for text in (
        "By subsystem",
        "By directory",
        "By property",
        "Why checks are open",
        "the pointer is lost",
        "misc/eeprom",
    ):
        assert text in page


def test_a_batch_keeps_them(tmp_path: Path) -> None:
    (tmp_path / "in/one").mkdir(parents=True)
    (tmp_path / "in/one/a.c").write_text("int x; int main(void) { assert(x == 0); assert(x == 1); return 1; }")
    suite = load(str(tmp_path / "in"), {"timeout": 60.0}, {"verify": False})
    for is_resumed in (False, True):
        (found,) = run.run(suite, run.Plan(str(tmp_path / "out"), 1, is_resumed))
        assert found.record is not None
        assert dict(found.record.properties).keys() == {"assertion"}
        assert tuple(found.record.properties["assertion"]) == (1, 2)
        assert sum(found.record.causes.values()) == 1
