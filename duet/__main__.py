"""The program `duet`, also as `python -m duet`."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from types import FrameType

import click

from duet.cli import BUG, cli
from duet.errors import DuetError, Terminated
from duet.garbage import collected_rarely
from duet.report.text import diagnostic


def main() -> None:
    """Runs the command line and ends the process with the exit code of the contract."""
    _open_closed_streams()
    signal.signal(signal.SIGTERM, _terminate)
    with collected_rarely():
        code = _run()
    try:
        sys.stdout.flush()
    except OSError as error:
        code = _unwritable(error)
    sys.exit(code)


def _open_closed_streams() -> None:
    """Streams that were closed before the start: what is written to standard output fails, messages are lost."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, encoding="utf-8")  # noqa: SIM115  # it stays open, for reading only
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _run() -> int:
    try:
        return int(cli.main(standalone_mode=False, prog_name="duet") or 0)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except Terminated:
        return 128 + signal.SIGTERM
    except (click.Abort, KeyboardInterrupt):
        return 128 + signal.SIGINT
    except DuetError as error:
        print(diagnostic(str(error)), file=sys.stderr)
        return error.exit_code
    except OSError as error:
        return _unwritable(error)
    except Exception as error:  # the last resort: no user is to meet a traceback
        if "--debug" in sys.argv:
            traceback.print_exc()
        print(f"duet: internal error: {type(error).__name__}: {error}; {BUG}", file=sys.stderr)
        return 4


def _unwritable(error: OSError) -> int:
    """Standard output is full or closed: says so, unless whoever reads it just went away."""
    if not isinstance(error, BrokenPipeError):
        print(diagnostic(f"cannot write the output: {error.strerror or 'it is closed'}"), file=sys.stderr)
    # Python flushes once more on the way out; that must not fail again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 2


def _terminate(number: int, frame: FrameType | None) -> None:
    """Ends as Ctrl-C does: what was found stands, and processes started for a limit are ended, too."""
    del number, frame
    raise Terminated


if __name__ == "__main__":
    main()
