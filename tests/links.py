"""The addresses of other sites in the documentation: `python -m tests.links` asks each of them, where there is a net.

Prints what does not answer, with the page that mentions it; exit code 1 if there is any. No test does this: what others
do with their sites is no defect of a commit.
"""

from __future__ import annotations

import re
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = (
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / f"{name}.md" for name in ("README", "CHANGELOG", "CONTRIBUTING")),
)
_ADDRESS = re.compile(r"https?://[^\s)>\]`\"']+")
_EXAMPLES = ("https://example.org/",)
_SECONDS = 20
_MISSING = (404, 410)
"""The answers that say that a page is gone; others may be about whoever asks."""


def addresses(text: str) -> Iterator[str]:
    """The addresses in a page, without those that only stand for one."""
    found = (match[0].rstrip(".,;:") for match in _ADDRESS.finditer(text))
    return (address for address in dict.fromkeys(found) if not address.startswith(_EXAMPLES))


def problem(address: str) -> str:
    """Why an address leads nowhere; empty if it does not."""
    try:
        request = urllib.request.Request(address, headers={"User-Agent": "duet-documentation"})
        with urllib.request.urlopen(request, timeout=_SECONDS):
            return ""
    except urllib.error.HTTPError as error:
        return f"answers {error.code}" if error.code in _MISSING else ""
    except (OSError, ValueError) as error:
        return str(error)


def main() -> int:
    """The exit code."""
    found = [(page, address) for page in PAGES for address in addresses(page.read_text(encoding="utf-8"))]
    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(lambda one: problem(one[1]), found))
    wrong = [(page, address, text) for (page, address), text in zip(found, said, strict=True) if text]
    for page, address, text in wrong:
        print(f"{page.relative_to(ROOT)}: {address}: {text}")
    print(f"{len(found) - len(wrong)} of {len(found)} addresses lead somewhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
