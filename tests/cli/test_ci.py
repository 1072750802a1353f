"""What `docs/ci.md` shows: its workflow and its hook, run as far as that needs no service."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from tests.cli.conftest import Duet

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
PROGRAM = """\
#include <pthread.h>
int counter, other;
static void *worker(void *unused) { OTHERcounter++; return 0; }
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    return 0;
}
"""


def example(title: str) -> Any:
    """A YAML file that the page shows."""
    found = re.search(rf'```yaml title="{re.escape(title)}"\n(.*?)```', PAGE, re.DOTALL)
    assert found is not None
    return yaml.safe_load(found[1])


def project(directory: Path, other: str) -> None:
    """A program with a race, and with another one."""
    (directory / "a,b.c").write_text(PROGRAM.replace("OTHER", other), encoding="utf-8")
    (directory / "duet.toml").write_text(
        'files = ["a,b.c"]\nproperties = ["data-race", "assertion"]\n', encoding="utf-8"
    )


def steps(duet: Duet) -> list[tuple[int, str, str]]:
    """The steps of the workflow that run duet, one after the other."""
    (job,) = example(".github/workflows/duet.yml")["jobs"].values()
    commands = [shlex.split(step["run"]) for step in job["steps"] if step.get("run", "").startswith("duet ")]
    assert len(commands) == 2
    done = [duet(*command[1:]) for command in commands]
    return [(one.code, one.out, one.err) for one in done]


def test_the_workflow_fails_only_on_what_is_new(duet: Duet, tmp_path: Path) -> None:
    project(tmp_path, "")
    assert duet("analyze", "--format", "json", "-o", "duet-baseline.json", "--exit-zero").code == 0
    assert duet("analyze", "--baseline", "duet-baseline.json").code == 0
    first, second = steps(duet)
    assert (first[0], second[0]) == (0, 0)
    assert "::" not in second[1]
    project(tmp_path, "other = 1; ")
    first, second = steps(duet)
    assert (first[0], second[0]) == (0, 1)
    lines = [line for line in second[1].splitlines() if line.startswith("::")]
    assert lines
    assert all(re.fullmatch(r"::(error|warning) file=a%2Cb\.c,line=3,col=\d+,title=duet%3A data-race::.*other.*", line)
               for line in lines)  # fmt: skip
    alarms = json.loads((tmp_path / "duet.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    assert alarms
    assert all(alarm["kind"] == "fail" for alarm in alarms)


def test_the_full_profile_has_what_is_proved(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("#include <assert.h>\nint main(void) { assert(1); return 0; }\n", encoding="utf-8")
    counts = []
    for profile in ("full", "ci"):
        found = json.loads(duet("analyze", "a.c", "--format=sarif", "--sarif-profile", profile).out)
        counts.append(len(found["runs"][0]["results"]))
    assert counts == [1, 0]


def test_the_hook_is_one_that_pre_commit_takes() -> None:
    """By the keys of pre-commit's manifests."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    texts = {key: {"type": "string"} for key in ("id", "name", "description", "entry", "files")}
    schema = {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["id", "name", "entry", "language"],
            "additionalProperties": False,
            "properties": {**texts, "language": {"const": "python"}, "pass_filenames": {"type": "boolean"},
                           "require_serial": {"type": "boolean"}},
        },
    }  # fmt: skip
    jsonschema.validate(hooks, schema)
    ((used,),) = [repo["hooks"] for repo in example(".pre-commit-config.yaml")["repos"]]
    assert used["id"] in {hook["id"] for hook in hooks}


def test_the_arguments_of_the_hook_are_options(duet: Duet, tmp_path: Path) -> None:
    project(tmp_path, "")
    duet("analyze", "--format", "json", "-o", "duet-baseline.json", "--exit-zero")
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    ((used,),) = [repo["hooks"] for repo in example(".pre-commit-config.yaml")["repos"]]
    assert duet(*hook["entry"].split()[1:], *used["args"]).code == 0


def test_the_recipe_of_the_container_uses_files_that_are_there() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    assert 'ENTRYPOINT ["duet"]' in text
    assert "Containerfile" in PAGE
