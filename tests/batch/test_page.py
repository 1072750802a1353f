"""The suite page, as text and in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from duet.batch.page import render, totals
from duet.batch.task import Published, Suite
from tests.batch.test_reports import rows
from tests.report.conftest import browser

__all__ = ["browser"]

TOTAL = Published(11, (("interval", 7), ("octagon", 6)))


def _suite() -> Suite:
    return Suite("A <b>suite</b>", tuple(row.task for row in rows()), "somebody & co", TOTAL)


class _Elements(HTMLParser):
    """Collects start tags, and where links lead."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: set[str | None] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links |= {value for name, value in attrs if name in ("href", "src")}


def test_page_loads_nothing_and_text_makes_no_element() -> None:
    page = render(_suite(), rows())
    found = _Elements()
    found.feed(page)
    assert found.tags.count("script") == 1
    assert "b" not in found.tags
    assert not re.search(r"https?://", page)
    assert found.links == {"#tasks", "stem.html", "results.csv", "junit.xml"}


def test_published_total_is_the_printed_one_for_a_whole_suite_only() -> None:
    suite, all_rows = _suite(), rows()
    whole = totals(suite, all_rows)
    assert (whole.published, whole.is_printed) == ({"checks": 11, "interval": 7, "octagon": 6}, True)
    missing = [replace(row, record=None) if row.task.published else row for row in all_rows]
    assert totals(suite, missing).published == {}
    assert totals(replace(suite, published_total=None), all_rows).published["checks"] == 10
    assert (whole.safe, whole.counts["total"], whole.seconds) == (6, 11, 19.5)


@pytest.fixture
def page(browser: Chrome, tmp_path: Path) -> Iterator[Chrome]:
    """The page, open; the console has to stay empty."""
    path = tmp_path / "index.html"
    path.write_text(render(_suite(), rows()), encoding="utf-8")
    browser.get(path.as_uri())
    yield browser
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]  # selenium leaves it so


def _names(page: Chrome) -> list[str]:
    """The first words of the tasks shown, from top to bottom."""
    found = page.find_elements(By.CSS_SELECTOR, "#tasks tbody tr")
    return [row.find_element(By.TAG_NAME, "th").text.split()[0] for row in found if row.is_displayed()]


def _sort(page: Chrome, title: str) -> None:
    heads = page.find_elements(By.CSS_SELECTOR, "#tasks thead button")
    next(head for head in heads if head.text.startswith(title)).send_keys(Keys.ENTER)


def test_columns_sort_both_ways(page: Chrome) -> None:
    _sort(page, "Time")
    assert _names(page)[0] == "open.c"
    assert set(_names(page)[-2:]) == {"skipped.c", "later.c"}  # no time
    _sort(page, "Time")
    assert _names(page)[-3] == "open.c"
    assert set(_names(page)[-2:]) == {"skipped.c", "later.c"}
    _sort(page, "Task")
    names = [name for name in _names(page) if name.endswith(".c")]
    assert names == sorted(names)


def test_tiles_filter_by_verdict(page: Chrome) -> None:
    assert len(_names(page)) == 8
    for tile in page.find_elements(By.CSS_SELECTOR, ".tile"):
        if tile.get_attribute("data-verdict") != "refuted":
            tile.click()
    assert _names(page) == ["right.c"]
    assert page.find_element(By.ID, "shown").text == "1 of 8 shown"


def test_search_finds_tasks(page: Chrome) -> None:
    page.find_element(By.ID, "search").send_keys("no way")
    assert _names(page) == ["skipped.c"]


def test_wrong_proof_stands_out(page: Chrome) -> None:
    assert "wrong.c" in page.find_element(By.CSS_SELECTOR, ".banner[role=alert]").text
    row = page.find_element(By.CSS_SELECTOR, "tr.unsound")
    assert row.find_element(By.TAG_NAME, "th").text.startswith("wrong.c")
    assert "unsound" in row.find_element(By.CLASS_NAME, "agreement").text


def test_published_numbers_stand_beside_ours(page: Chrome) -> None:
    heads = [head.text for head in page.find_elements(By.CSS_SELECTOR, "#tasks thead th")]
    column = next(number for number, head in enumerate(heads) if head.startswith("Proved, octagon, published"))
    first = page.find_elements(By.CSS_SELECTOR, "#tasks tbody tr:first-child > *")
    assert len(first) == len(heads)
    assert first[column].text == "6"
    last = page.find_elements(By.CSS_SELECTOR, "#tasks tfoot tr > *")
    assert len(last) == len(heads)
    assert last[column].text == "6 (54.5%)"
