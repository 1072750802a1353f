"""What `main` is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.options import AnalysisOptions, FrontendOptions
from duet.pipeline import Job, perform


def safe(text: str, folder: Path, *properties: str) -> dict[str, bool]:
    """By property and expression, whether a check is safe."""
    path = folder / "a.c"
    path.write_text(text, encoding="utf-8")
    job = Job((str(path),), FrontendOptions(properties=properties), AnalysisOptions(engine="bitset"))
    found = perform(job, lambda _: None).assertions
    return {f"{a.check.property_name} {a.check.expression}": a.status.is_safe for a in found}


def test_the_number_is_not_negative_and_the_pointers_are_not_null(tmp_path: Path) -> None:
    found = safe(
        "#include <assert.h>\nint main(int argc, char **argv, char **envp) {\n"
        "  assert(argc >= 0); assert(argc > 0); assert(argv != 0 && envp != 0);\n  return argv[0][0]; }",
        tmp_path, "assertion", "null-dereference",
    )  # fmt: skip
    assert found["assertion argc >= 0"]
    assert not found["assertion argc > 0"]
    assert "null-dereference argv != 0" not in found  # there is nothing to check
    assert found["null-dereference argv[0] != 0"]  # behind the assertion
    found = safe("int main(int argc, char **argv) { return argv[0][0]; }", tmp_path, "null-dereference")
    assert not found["null-dereference argv[0] != 0"]


def test_a_call_of_main_gives_what_it_gives(tmp_path: Path) -> None:
    found = safe(
        "#include <assert.h>\nint main(int argc, char **argv) { assert(argc >= 0); if (argc > 3) main(-1, 0); }",
        tmp_path, "assertion",
    )  # fmt: skip
    assert not found["assertion argc >= 0"]


@pytest.mark.parametrize(
    "parameters", ["unsigned argc, char **argv", "long argc, char **argv", "int n, int m", "char *p"]
)
def test_of_other_parameters_nothing_is_known(parameters: str, tmp_path: Path) -> None:
    name = parameters.rpartition(" ")[2].strip("*")
    found = safe(f"#include <assert.h>\nint main({parameters}) {{ assert({name} != 0); }}", tmp_path, "assertion")
    assert not any(found.values())


def test_the_strings_are_memory_outside_of_the_program(tmp_path: Path) -> None:
    found = safe(
        "#include <assert.h>\nint x = 1;\nint main(int argc, char **argv) {\n"
        "  if (argc > 0) argv[0][0] = 'x';\n  assert(x == 1); assert(argv[0][0] == 'x'); }",
        tmp_path, "assertion",
    )  # fmt: skip
    assert found["assertion x == 1"]
    assert not found["assertion argv[0][0] == 'x'"]
