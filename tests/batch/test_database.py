"""`duet batch` on a compilation database: a task for each file, with the flags of its own."""

from __future__ import annotations

import json
from pathlib import Path

from tests.batch.conftest import duet, manifest  # noqa: F401  # a fixture
from tests.cli.conftest import Duet

FILES = {
    "src/main.c": '#include <assert.h>\n#include "limit.h"\nint main(void) { assert(LIMIT == 3); return 0; }\n',
    "src/queue.c": "#include <assert.h>\nstatic int n;\nvoid push(void) { n = 1; assert(n <= MOST); }\n",
    "include/limit.h": "#define LIMIT 3\n",
}


def database(directory: Path, most: int = 1) -> None:
    for name, text in FILES.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    flags = {"src/main.c": "-I../include", "src/queue.c": f"-DMOST={most}"}
    entries = [
        {"directory": str(directory / "build"), "file": f"../{name}", "command": f"cc {flag} -c ../{name}"}
        for name, flag in flags.items()
    ]
    (directory / "build").mkdir(exist_ok=True)
    (directory / "build" / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")


def test_each_file_is_a_task_with_its_flags(duet: Duet, tmp_path: Path) -> None:  # noqa: F811
    database(tmp_path)
    done = duet("batch", "build/compile_commands.json", "-j1", "-o", "out")
    assert done.code == 0, done.out + done.err
    found = manifest(tmp_path / "out")
    assert sorted(found) == ["src/main.c", "src/queue.c"]
    assert [dict(found[name]["summary"])["proved"] for name in sorted(found)] == [1, 1]


def test_flags_and_headers_count_for_what_is_run_again(duet: Duet, tmp_path: Path) -> None:  # noqa: F811
    database(tmp_path)
    duet("batch", "build/compile_commands.json", "-j1", "-o", "out")
    before = {name: entry["json_sha256"] for name, entry in manifest(tmp_path / "out").items()}
    (tmp_path / "include" / "limit.h").write_text("#define LIMIT 4\n", encoding="utf-8")
    done = duet("batch", "build/compile_commands.json", "-j1", "-o", "out", "--resume")
    assert done.code == 1
    after = {name: entry["json_sha256"] for name, entry in manifest(tmp_path / "out").items()}
    assert {name for name in after if after[name] != before[name]} == {"src/main.c"}


def test_a_database_that_is_none_is_an_error(duet: Duet, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "compile_commands.json").write_text("{}", encoding="utf-8")
    assert duet("batch", "compile_commands.json").code == 2
