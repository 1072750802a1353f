"""A page with thousands of checks: small, quick to open, drawn from its compressed store."""

from __future__ import annotations

import base64
import json
import re
import time
import zlib
from collections.abc import Iterator
from dataclasses import replace

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from duet.report.html import render
from duet.report.store import COLUMNS
from duet.result import Assertion, Cause, CauseKind, Check, FlowNote, Run, RunStatus, Status, Step
from duet.source import SourceFile

COUNT = 5000
HOSTILE = "<img src=x onerror=alert(1)>"


def large(example: Run) -> Run:
    """A run with many checks, most of them open, of several functions, properties, files and causes."""

    def assertion(number: int) -> Assertion:
        file = f"part{number % 7}.c"
        name = ("array-bounds", "null-dereference", "data-race")[number % 3]
        check = Check(file, 1 + number // 7, 5, f"function_{number % 50}", name, f"table[i{number}] {HOSTILE}")
        if number % 5 == 0:
            return Assertion(check, Status.PROVED, "interval", f"0 <= i{number} <= 3", threads=("main",))
        cause = Cause(CauseKind.LOST, f"what object {number % 40} holds is not tracked", file, 1)
        step = Step("main", file, 3, f"i{number} := any value")
        flow = FlowNote(file, 3, "worker", "inter", f"i{number}", "0..9", f"i{number} := {number}", (step,) * 6)
        return Assertion(
            check, Status.UNPROVED, "", f"0 <= i{number}", 3, ("main", "worker"), (flow,) * 4,
            must=f"0 <= i{number} < 4", missing=f"i{number} < 4", cause=cause,
        )  # fmt: skip

    sources = tuple(
        SourceFile(f"part{file}.c", "".join(f"int variable_{file}_{line} = {line};\n" for line in range(800)))
        for file in range(7)
    )
    return replace(example, assertions=tuple(map(assertion, range(COUNT))), sources=sources)


def test_it_is_small_and_holds_everything(example_run: Run) -> None:
    page = render(large(example_run))
    assert len(page.encode()) < 5_000_000
    found = re.search('<template id="store">([A-Za-z0-9+/=]+)</template>', page)
    assert found is not None
    store = json.loads(zlib.decompress(base64.b64decode(found[1])))
    assert store["columns"] == list(COLUMNS)
    assert len(store["rows"]) == len(store["evidence"]) == COUNT
    assert len(store["sources"]) == 7
    assert HOSTILE not in "".join(store["evidence"])
    assert "&lt;img src=x" in store["evidence"][1]


@pytest.fixture(scope="module")
def opened(browser: Chrome, tmp_path_factory: pytest.TempPathFactory) -> Iterator[float]:
    """The seconds that the page of a large run takes to open; it stays open."""
    example = Run(("part0.c",), "octagon", "bitset", "own", "main", (), RunStatus.COMPLETE)
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render(large(example)), encoding="utf-8")
    start = time.monotonic()
    browser.get(path.as_uri())
    WebDriverWait(browser, 30).until(lambda page: page.find_elements(By.CSS_SELECTOR, "html[data-ready]"))
    yield time.monotonic() - start
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]  # selenium leaves it so


def shown(browser: Chrome) -> int:
    return int(browser.find_element(By.ID, "shown").text.split()[0])


def test_it_opens_at_once_with_open_checks_first(browser: Chrome, opened: float) -> None:
    assert opened < 10  # a busy machine; 2 s is the aim
    rows = browser.find_elements(By.CSS_SELECTOR, "#checks tbody tr")
    assert 0 < len(rows) < COUNT
    assert rows[0].get_attribute("data-status") == "unproved"
    assert shown(browser) == COUNT


@pytest.mark.usefixtures("opened")
def test_filters_groups_and_order(browser: Chrome) -> None:
    Select(browser.find_element(By.ID, "by-function")).select_by_value("function_7")
    assert shown(browser) == COUNT // 50
    Select(browser.find_element(By.ID, "by-thread")).select_by_value("worker")
    Select(browser.find_element(By.ID, "by-function")).select_by_value("")
    assert shown(browser) == COUNT * 4 // 5
    Select(browser.find_element(By.ID, "by-thread")).select_by_value("")
    button = browser.find_element(By.CSS_SELECTOR, ".groups .only")
    number = int(button.text)
    button.click()
    assert shown(browser) == number
    browser.find_element(By.ID, "all").click()
    assert shown(browser) == COUNT
    browser.find_element(By.CSS_SELECTOR, '#checks th[data-key="place"]').click()
    first = browser.find_element(By.CSS_SELECTOR, "#checks tbody tr a").text
    assert first == "part0.c:1:5"


@pytest.mark.usefixtures("opened")
def test_a_row_opens_to_its_evidence_and_a_file_to_its_source(browser: Chrome) -> None:
    link = browser.find_element(By.CSS_SELECTOR, "#checks tbody tr[data-status=unproved] a")
    link.click()
    evidence = browser.find_element(By.CSS_SELECTOR, "#checks tr.opened .evidence")
    assert "Missing" in evidence.text
    assert "is not tracked" in evidence.text
    assert browser.find_elements(By.TAG_NAME, "img") == []
    file = browser.find_element(By.CSS_SELECTOR, "details.file")
    assert "checks" in file.text
    file.find_element(By.TAG_NAME, "summary").click()
    WebDriverWait(browser, 10).until(lambda _: file.find_elements(By.CSS_SELECTOR, ".line"))
    assert len(file.find_elements(By.CSS_SELECTOR, ".line")) == 800


@pytest.mark.usefixtures("opened")
def test_it_fits_a_phone(browser: Chrome) -> None:
    browser.set_window_size(420, 800)
    wide = browser.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    browser.set_window_size(1280, 1000)
    assert wide[0] <= wide[1]
