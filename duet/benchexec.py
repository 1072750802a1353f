"""The tool-info module of BenchExec for duet: `tool="duet.benchexec"` in a benchmark definition.

*Source*: `benchexec.tools.template.BaseTool2`. BenchExec is no dependency of duet: it is what imports this module.
"""

from __future__ import annotations

import re

import benchexec.result as result
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task, get_non_witness_input_files, get_witness
from benchexec.tools.template import BaseTool2

_WITNESS = "witness_input_file"
"""The option of a task definition that names the witness to be checked."""
_CONFIRMED = re.compile(r".*: (?P<verdict>(?:not )?confirmed): .*")
_RESULT = re.compile(r"SV-COMP result: (?P<result>\S.*?)\s*")
_SECONDS_LEFT = 5
_MEGABYTE = 1024 * 1024


class Tool(BaseTool2):  # type: ignore[misc]  # BenchExec has no types
    """Verifier of concurrent C programs with any number of threads, by data flow graphs and proofs with cubes."""

    def executable(self, tool_locator: BaseTool2.ToolLocator) -> str:
        """Where `duet` is."""
        return str(tool_locator.find_executable("duet"))

    def name(self) -> str:
        """The name in tables."""
        return "duet"

    def project_url(self) -> str:
        """Nothing is said of where the project lives."""
        return ""

    def version(self, executable: str) -> str:
        """What `duet --version` says."""
        return str(self._version_from_tool(executable, line_prefix="duet, version"))

    def cmdline(
        self, executable: str, options: list[str], task: BaseTool2.Task, rlimits: BaseTool2.ResourceLimits
    ) -> list[str]:
        """`duet verify` on the files of a task, with its property and a little less than its limits.

        Where the task has a witness, `duet check`; the property stands in the witness then.
        """
        is_check = isinstance(task.options, dict) and _WITNESS in task.options
        command = [executable, "check" if is_check else "verify", *options]
        data_model = get_data_model_from_task(task, {"ILP32": "ILP32", "LP64": "LP64"})
        if data_model == "ILP32" and not is_check and "--data-model" not in options:
            command += ["--data-model", data_model]
        if task.property_file and not is_check:
            command += ["--prp", task.property_file]
        seconds = rlimits.walltime or rlimits.cputime
        if seconds and "--timeout" not in options:
            command += ["--timeout", str(max(1, seconds - _SECONDS_LEFT))]
        if is_check:
            return [*command, get_witness(task), *get_non_witness_input_files(task)]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", str(max(1, rlimits.memory // _MEGABYTE * 9 // 10))]
        return [*command, *task.input_files_or_identifier]

    def determine_result(self, run: BaseTool2.Run) -> str:
        """The last result line; without one, whether a witness is confirmed; else what the exit code says."""
        found = [str(match["result"]) for line in run.output if (match := _RESULT.fullmatch(line))]
        verdicts = [match["verdict"] for line in run.output if (match := _CONFIRMED.fullmatch(line.rstrip("\n")))]
        if not found and verdicts:
            return str(result.RESULT_TRUE_PROP if verdicts[-1] == "confirmed" else result.RESULT_UNKNOWN)
        codes = {0: result.RESULT_DONE, 1: result.RESULT_UNKNOWN, 3: result.RESULT_TIMEOUT}
        return found[-1] if found else str(codes.get(run.exit_code.value, result.RESULT_ERROR))
