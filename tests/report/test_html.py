"""The HTML report, as text and in a browser."""

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

from duet.report.html import highlighted, render
from duet.result import Run
from duet.source import SourceFile


class _Elements(HTMLParser):
    """Collects start tags with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def _elements(page: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = _Elements()
    parser.feed(page)
    return parser.found


def test_page_loads_nothing_and_all_links_lead_somewhere(example_run: Run) -> None:
    elements = _elements(render(example_run))
    identities = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(identities) == len(set(identities))
    for _, attributes in elements:
        assert "src" not in attributes
        if "href" in attributes:
            assert (attributes["href"] or "").removeprefix("#") in identities
    assert not re.search(r"https?://", render(example_run))


def test_text_of_the_input_makes_no_element(example_run: Run) -> None:
    hostile = '"><img src=x onerror=alert(1)><script>alert(1)</script>{{ 7 * 7 }}'
    check = replace(example_run.assertions[1].check, expression=hostile, function=hostile, file=hostile)
    flow = replace(example_run.assertions[1].flows[1], text=hostile, thread=hostile, cell=hostile, file=hostile)
    assertion = replace(
        example_run.assertions[1], check=check, flows=(flow,), invariant=hostile, reason=hostile, threads=(hostile,)
    )
    run = replace(
        example_run,
        files=(hostile,),
        assertions=(assertion,),
        assumptions=(hostile,),
        sources=(SourceFile(hostile, hostile),),
        message=hostile,
        entries=(hostile,),
    )
    elements = _elements(render(run))
    assert [tag for tag, _ in elements].count("script") == 1
    assert "img" not in [tag for tag, _ in elements]
    assert not any(name.startswith("on") for _, attributes in elements for name in attributes)


@pytest.mark.parametrize(
    "text", ["a\nb", "a\nb\n", "\n\na\n\n", "/* a\n b */\n\tc;\n", "a\r\nb\r\n", "x\rb\fz\n", '"\\\n"']
)
def test_every_source_line_is_one_line(text: str) -> None:
    lines = highlighted(SourceFile("a.c", text))
    assert len(lines) == text.count("\n") + (not text.endswith("\n"))


def test_long_file_is_shown_whole(example_run: Run) -> None:
    text = "".join(f"int variable_{number} = {number};\n" for number in range(5000))
    page = render(replace(example_run, sources=(SourceFile("driver.c", text),)))
    assert page.count('<span class="number">') == 5001  # one line of the file without text


@pytest.fixture
def page(browser: Chrome, example_run: Run, tmp_path: Path) -> Iterator[Chrome]:
    """The example's report, open; the console has to stay empty."""
    path = tmp_path / "report.html"
    path.write_text(render(example_run), encoding="utf-8")
    browser.get(path.as_uri())
    yield browser
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]  # selenium leaves it so


def _visible_rows(page: Chrome) -> list[str]:
    rows = page.find_elements(By.CSS_SELECTOR, "#checks tbody tr")
    return [row.get_attribute("data-status") or "" for row in rows if row.is_displayed()]


def test_tiles_filter_the_table(page: Chrome) -> None:
    assert _visible_rows(page) == ["unproved", "unknown", "proved", "unreachable"]
    page.find_element(By.CSS_SELECTOR, ".tile.proved").click()
    assert _visible_rows(page) == ["unproved", "unknown", "unreachable"]
    page.find_element(By.CSS_SELECTOR, ".tile.proved").send_keys(Keys.ENTER)
    assert _visible_rows(page) == ["unproved", "unknown", "proved", "unreachable"]


def test_search_filters_the_table(page: Chrome) -> None:
    page.find_element(By.ID, "search").send_keys("c <= 0")
    assert _visible_rows(page) == ["unproved"]
    assert page.find_element(By.ID, "shown").text == "1 of 4 shown"


def test_link_opens_the_check_with_its_evidence(page: Chrome) -> None:
    detail = page.find_element(By.ID, "check-2")
    assert not detail.find_element(By.CLASS_NAME, "evidence").is_displayed()
    page.find_element(By.CSS_SELECTOR, '#checks a[href="#check-2"]').click()
    evidence = detail.find_element(By.CLASS_NAME, "evidence")
    assert evidence.is_displayed()
    assert "0 <= c <= 2" in evidence.text
    assert [kind.text for kind in evidence.find_elements(By.CLASS_NAME, "kind")] == [
        "initial",
        "other thread",
        "own thread",
    ]


def test_derivation_has_a_column_per_thread(page: Chrome) -> None:
    page.find_element(By.CSS_SELECTOR, '#checks a[href="#check-2"]').click()
    derivation = page.find_element(By.CSS_SELECTOR, "#check-2 .derivation")
    derivation.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    assert [cell.text for cell in derivation.find_elements(By.TAG_NAME, "th")] == ["step", "func1", "func2"]
    assert len(derivation.find_elements(By.CSS_SELECTOR, "tbody tr")) == 3


def test_mark_in_the_margin_toggles_a_safe_check(page: Chrome) -> None:
    detail = page.find_element(By.ID, "check-1")
    mark = page.find_element(By.CSS_SELECTOR, "#f1-15 .toggle")
    assert not detail.is_displayed()
    mark.send_keys(Keys.ENTER)
    assert detail.is_displayed()
    assert mark.get_attribute("aria-expanded") == "true"
    mark.send_keys(Keys.ENTER)
    assert not detail.is_displayed()


def test_keys_move_between_open_checks(page: Chrome) -> None:
    body = page.find_element(By.TAG_NAME, "body")
    body.send_keys("j")
    assert page.find_element(By.ID, "check-2").get_attribute("open") is not None
    page.switch_to.active_element.send_keys("j")
    assert page.find_element(By.ID, "check-4").get_attribute("open") is not None


def test_theme_can_be_switched(page: Chrome) -> None:
    def background() -> str:
        return page.find_element(By.TAG_NAME, "body").value_of_css_property("background-color")

    before = background()
    page.find_element(By.ID, "theme").click()
    assert background() != before
