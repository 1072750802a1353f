"""The error tree: everything that duet raises on purpose, with its exit code."""

from __future__ import annotations

from duet.source import Span


class DuetError(Exception):
    """Root of all errors that end a run with a message instead of a traceback."""

    exit_code = 4


class UsageError(DuetError):
    """The command line asks for something that does not exist or does not fit together."""

    exit_code = 2


class SourceError(DuetError):
    """The input cannot be read, preprocessed or parsed; the user can mend it."""

    exit_code = 2

    def __init__(self, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span

    def __str__(self) -> str:
        return f"{self.span}: error: {self.message}" if self.span else f"error: {self.message}"


class MissingHeader(SourceError):
    """A header that is in none of the directories that are searched."""

    def __init__(self, name: str, span: Span | None = None) -> None:
        super().__init__(f"cannot find the header '{name}'; name its directory with -I", span)
        self.name = name


class NothingDeclared(SourceError):
    """A file without any declaration: of several files, one that can be left out."""


class Unsupported(SourceError):
    """The input is valid C outside the fragment that duet can over-approximate."""


class Unrecoverable(Unsupported):
    """Valid C whose effects reach beyond the function that it stands in, so that leaving that one out is not enough."""


class EngineError(DuetError):
    """An external tool failed, hung or printed nonsense.

    `command` is its command line, `stderr` the end of what it printed there.
    """

    def __init__(self, message: str, command: tuple[str, ...] = (), stderr: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.command = command
        self.stderr = stderr

    def __str__(self) -> str:
        parts = [f"error: {self.message}"]
        if self.command:
            parts.append(f"command: {' '.join(self.command)}")
        if self.stderr:
            parts.append(self.stderr.strip())
        return "\n".join(parts)


class ResourceLimit(DuetError):
    """The run hit its time or memory limit: every verdict is then `unknown`."""

    exit_code = 3

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status  # "timeout" or "out-of-memory"


class InternalError(DuetError):
    """A bug in duet."""

    exit_code = 4


class Terminated(KeyboardInterrupt):
    """Somebody has asked the process to end, as `timeout` does: like Ctrl-C, but for the exit code."""
