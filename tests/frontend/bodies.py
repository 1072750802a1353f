"""Bodies of `main` behind common declarations: what the analyzer decides of them, and what they do when they run."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from duet.cli import cli
from duet.frontend.source.preprocess import preprocess
from duet.options import FrontendOptions

_COMPILE = ("gcc", "-w", "-O0", "-std=gnu11", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-pthread")


@cache
def _preprocessed(start: str) -> str:
    with TemporaryDirectory() as folder:
        source = Path(folder) / "a.c"
        source.write_text(start, encoding="utf-8")
        return preprocess(str(source), FrontendOptions()).text


@dataclass(frozen=True, slots=True)
class Decided:
    """What is decided of a check."""

    subject: str
    expression: str
    status: str
    line: int

    @property
    def is_safe(self) -> bool:
        return self.status in ("proved", "unreachable")


def decided(start: str, body: str, *properties: str, domain: str = "auto") -> list[Decided]:
    """The checks of a program whose `main` has a body."""
    with TemporaryDirectory() as folder:
        source = Path(folder) / "a.c"
        source.write_text(f"{_preprocessed(start)}\nint main(void) {{\n{body}\nreturn 0; }}\n", encoding="utf-8")
        command = ["analyze", "--no-verify", str(source), f"--domain={domain}", "--format=json"]
        command += ["--properties", ",".join(properties)]
        done = CliRunner().invoke(cli, command)
    assert done.exit_code in (0, 1), done.output
    found = json.loads(done.stdout)["assertions"]
    return [Decided(item["property"], item["expression"], item["status"], item["line"]) for item in found]


def compiled(start: str, bodies: Mapping[str, str], folder: Path) -> Path | None:
    """One program for all bodies, which executes that with the number of its argument; None without sanitizers."""
    functions = "\n".join(
        f"static int body_{at}(void) {{ {body} return 0; }}" for at, body in enumerate(bodies.values())
    )
    cases = " ".join(f"case {at}: return body_{at}();" for at in range(len(bodies)))
    main = f"int main(int count, char **given) {{ switch (atoi(given[1])) {{ {cases} }} return 99; }}"
    source, program = folder / "a.c", folder / "a"
    any_number = "int any(void) { return 7; }\n"
    source.write_text(f"{start}\n{functions}\n{any_number}{main}\n", encoding="utf-8")
    done = subprocess.run([*_COMPILE, "-o", str(program), str(source), "-latomic"], capture_output=True, check=False)
    return program if done.returncode == 0 else None


def fails(program: Path, number: int) -> bool:
    """Whether a body stops with an error."""
    return subprocess.run([str(program), str(number)], capture_output=True, check=False, timeout=60).returncode != 0
