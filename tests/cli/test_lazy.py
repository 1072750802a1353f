"""Modules that are loaded when they are used first; so `duet --help` starts at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from duet import lazy

ROOT = Path(__file__).parents[2]


def test_a_module_that_is_loaded_is_the_same() -> None:
    assert lazy.module("duet.lazy") is lazy


def test_help_loads_no_analysis() -> None:
    code = (
        "import sys, duet.cli\nfrom click.testing import CliRunner\n"
        "assert CliRunner().invoke(duet.cli.cli, ['--help']).exit_code == 0\n"
        "heavy = ('z3', 'networkx', 'jinja2', 'clingo', 'pycparser', 'rich')\n"
        "print(*(name for name in heavy if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_plain_run_loads_nothing_of_certificates_and_kernels(tmp_path: Path) -> None:
    (tmp_path / "plain.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    code = (
        "import sys, duet.cli\nfrom click.testing import CliRunner\n"
        f"assert CliRunner().invoke(duet.cli.cli, ['analyze', {str(tmp_path / 'plain.c')!r}]).exit_code == 0\n"
        "heavy = ('duet.certificate.meaning', 'duet.linux.plan', 'duet.boolean.body', 'duet.replay.build', 'jinja2')\n"
        "print(*(name for name in heavy if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_run_that_proves_all_loads_no_solver(tmp_path: Path) -> None:
    text = "#include <assert.h>\nint x;\nint main(void) { x = 1; assert(x > 0); return 0; }\n"
    (tmp_path / "proved.c").write_text(text, encoding="utf-8")
    code = (
        "import sys, duet.cli\nfrom click.testing import CliRunner\n"
        f"assert CliRunner().invoke(duet.cli.cli, ['analyze', {str(tmp_path / 'proved.c')!r}]).exit_code == 0\n"
        "heavy = ('z3.z3core', 'clingo', 'duet.verify.cube', 'duet.verify.explore', 'rich.live_render')\n"
        "print(*(name for name in heavy if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
