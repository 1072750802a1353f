"""What `--properties` takes."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from duet.cli import cli


def test_data_races_are_refused_instead_of_passed_over(tmp_path: Path) -> None:
    program = tmp_path / "p.c"
    program.write_text("int main(void) { return 0; }\n")
    result = CliRunner().invoke(cli, ["analyze", "--properties", "assertion,data-race", str(program)])
    assert result.exit_code != 0
    assert "data races" in f"{result.output}{result.exception}"
