"""The compressed store of a large page: what its checks and files show, as one text for the script of the page.

It is JSON, compressed by zlib, in base64: `rows` are the checks by the columns in `COLUMNS`, `evidence` and `sources`
hold HTML for each check and each file, in order.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any, Protocol

from duet.report.groups import Ranked
from duet.report.text import pictured
from duet.result import Assertion

COLUMNS = ("number", "status", "place", "function", "property", "must", "known", "threads", "file", "group", "rank")


class View(Protocol):
    """A check as a page shows it."""

    @property
    def number(self) -> int: ...

    @property
    def assertion(self) -> Assertion: ...

    @property
    def path(self) -> str: ...

    @property
    def ranked(self) -> Ranked | None: ...


def packed(views: Sequence[View], evidence: Sequence[str], sources: Sequence[str]) -> str:
    """The store of some checks and files, with the HTML that each shows."""
    content = {
        "columns": COLUMNS,
        "rows": [_row(view) for view in views],
        "evidence": [pictured(str(part)) for part in evidence],
        "sources": [pictured(str(part)) for part in sources],
    }
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(zlib.compress(text.encode("utf-8", "backslashreplace"), 9)).decode()


def _row(view: View) -> list[Any]:
    found, check, ranked = view.assertion, view.assertion.check, view.ranked
    return [
        view.number,
        found.status.value,
        f"{view.path}:{check.line}" + (f":{check.column}" if check.column else ""),
        check.function,
        check.property_name,
        pictured(found.must or check.expression),
        found.invariant,
        list(found.threads),
        view.path,
        ranked.group if ranked is not None else 0,
        ranked.rank if ranked is not None else 0,
    ]
