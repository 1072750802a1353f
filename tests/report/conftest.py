"""A browser for the pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome, ChromeOptions, ChromeService

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """A headless browser that has no network to use."""
    if BROWSER is None or DRIVER is None:
        pytest.skip("needs chromium and chromedriver (Debian: apt install chromium chromium-driver)")
    options = ChromeOptions()
    options.binary_location = BROWSER
    for argument in (
        "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--window-size=1280,1000",
        f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):  # fmt: skip
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    try:
        driver = Chrome(options=options, service=ChromeService(DRIVER))
    except WebDriverException as error:
        pytest.skip(f"the browser does not start here: {(error.msg or '').splitlines()[:1]}")
    yield driver
    driver.quit()
