"""The maps of the project stay true: every module has a place, every citation leads somewhere."""

from __future__ import annotations

import importlib.util
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import duet
from tests import links, pictures
from tests.contents import PACKAGES, TARGET, contents

ROOT = Path(__file__).parents[1]
MAP = (ROOT / "docs" / "thesis-map.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ((?:Def|Alg|Fig|Thm|Cor)\. [\d.]+) \| `([\w.]+)` \|$", MAP, re.MULTILINE)
FUNCTIONS = sorted(set(re.findall(r"^\| .* \| `((?:duet|tests)\.[\w.]+)` \| .* \|$", MAP, re.MULTILINE)))
CITATION = re.compile(r"(?:Def|Alg|Fig|Thm|Cor)\. \d[\d.]*\d|(?:Alg)\. \d")


def _source(module: str) -> str:
    found = importlib.util.find_spec(module)
    assert found is not None, f"no module {module}"
    assert found.origin is not None
    return Path(found.origin).read_text(encoding="utf-8")


def test_every_part_is_in_the_pipeline_map() -> None:
    parts = {
        path.stem
        for path in (ROOT / "duet").iterdir()
        if (path.suffix == ".py" or (path / "__init__.py").exists()) and path.stem != "__init__"
    }
    named = set(re.findall(r"`duet\.(\w+)`", duet.__doc__ or ""))
    assert named == parts


def test_the_table_of_contents_is_complete() -> None:
    assert TARGET.read_text(encoding="utf-8") == contents(), "python -m tests.contents writes it"


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_says_what_it_is(package: str) -> None:
    for path in sorted((ROOT / package).rglob("*.py")):
        if path.read_text(encoding="utf-8").strip():
            assert path.read_text(encoding="utf-8").startswith('"""'), path


@pytest.mark.parametrize(("definition", "module"), ROWS)
def test_mapped_definition_is_cited_by_its_module(definition: str, module: str) -> None:
    kind, number = definition.split()
    # "Fig. 2.4 and 2.5" cites both.
    assert re.search(rf"{re.escape(kind)} (?:[\d.]+ and )?{re.escape(number)}(?!\.?\d)", _source(module))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_mapped_function_exists(name: str) -> None:
    assert pkgutil.resolve_name(name)


@pytest.mark.parametrize("package", ["duet", "domains", "datalog"])
def test_every_citation_is_in_the_map(package: str) -> None:
    known = {definition for definition, _ in ROWS}
    for path in sorted((ROOT / package).rglob("*.py")):
        for citation in CITATION.findall(path.read_text(encoding="utf-8")):
            assert citation in known, f"{path.relative_to(ROOT)} cites {citation}, which docs/thesis-map.md has not"


def test_every_page_is_in_the_site() -> None:
    site = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    pages = [page for part in site["nav"] for page in _pages(part)]
    assert sorted(pages) == sorted(path.name for path in (ROOT / "docs").glob("*.md"))


def _pages(part: object) -> list[str]:
    match part:
        case str():
            return [part]
        case dict():
            return [page for inner in part.values() for page in _pages(inner)]
        case list():
            return [page for inner in part for page in _pages(inner)]
        case _:
            raise AssertionError(part)


def test_the_site_is_built_without_warnings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mkdocs", reason="needs mkdocs: pip install '.[docs]'")
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "--certificate" in (tmp_path / "site" / "commands.html").read_text(encoding="utf-8")


def test_the_changes_are_told_by_release() -> None:
    """The version that is installed is the newest one with a date, unless nothing was released yet."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    released = [
        re.fullmatch(r"(\d+\.\d+\.\d+) \(\d{4}-\d{2}-\d{2}\)", name) for name in headings if name != "Unreleased"
    ]
    assert all(released), "a heading is 'Unreleased' or 'X.Y.Z (YYYY-MM-DD)'"
    assert headings.count("Unreleased") <= 1
    assert [found[1] for found in released if found][:1] in ([], [duet.__version__])


def test_the_pictures_are_those_of_real_runs() -> None:
    made = pictures.pictures()
    assert sorted(path.stem for path in pictures.TARGET.glob("*.svg")) == sorted(made)
    for name, text in made.items():
        kept = (pictures.TARGET / f"{name}.svg").read_text(encoding="utf-8")
        assert kept == text, "python -m tests.pictures writes them"
    assert "does not get there" in made["flows"], "what the page says of the picture"
    assert "assert data == 42" in made["schedule"]


def test_addresses_of_other_sites_are_found() -> None:
    text = "See <https://a.org/x>, [b](https://b.org/y_(z)). `http://c.org`; https://example.org/d and https://a.org/x."
    assert list(links.addresses(text)) == ["https://a.org/x", "https://b.org/y_(z", "http://c.org"]
    assert any(links.addresses(page.read_text(encoding="utf-8")) for page in links.PAGES)


def test_an_address_that_leads_nowhere_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "there.html").write_text("here", encoding="utf-8")
    assert links.problem((tmp_path / "there.html").as_uri()) == ""
    assert "gone.html" in links.problem((tmp_path / "gone.html").as_uri())
    assert links.problem("no address")
