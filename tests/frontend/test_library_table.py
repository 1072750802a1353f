"""Library functions are records of one table: each name once, with a prototype, and asked for by nobody else."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from importlib import resources
from pathlib import Path

import pytest

import duet.frontend
from duet.errors import InternalError
from duet.frontend.ctypes.library import Control, LockOperation, Reads, When
from duet.frontend.ctypes.scope import Scope
from duet.frontend.ctypes.signatures import known_declarations, known_type, signature
from duet.frontend.ctypes.types import CHAR_POINTER, DOUBLE, INT, LP64, VOID_POINTER, FunctionType
from duet.frontend.models.effects import ANY, COUNT
from duet.frontend.models.record import LibraryFunction, table
from duet.frontend.models.table import TABLE, describe, model_of

ROOM = Path(duet.frontend.__file__).parent
TEXT_TABLES = frozenset(("source/handlers.py", "source/known.py", "source/words.py", "cells/operations.py"))
"""Modules that say what words of a text mean, before it is lowered, and one that names members in the kernel."""
WORDS = frozenset(("error",))
"""Names of functions that are also words of duet's own, such as a severity."""
GENERIC = ("__sync_", "__atomic_", "atomic_", "__duet_", "__VERIFIER_", "__goblint_")
"""How the names of functions begin that have no one prototype, or whose prototype every program writes itself."""
OWN_PROTOTYPES = frozenset(
    (
        *("assume", "assume_abort_if_not", "reach_error", "__assert_fail", "offsetof"),
        *("_pthread_cleanup_pop", "_pthread_cleanup_push"),
        *("pthread_cleanup_pop_restore_np", "pthread_cleanup_push_defer_np"),
    )
)
"""Others of these: of verification tasks, and macros."""
TYPED_BY_COMPILERS = re.compile(
    r"__builtin_(\w+_overflow|is\w+|fpclassify|constant_p|types_compatible_p|choose_expr|prefetch"
    r"|(dynamic_)?object_size|(set|long)jmp|apply|return|eh_return)$"
)


def declared_in_headers() -> set[str]:
    """What is followed by a parenthesis in some bundled header."""
    found: set[str] = set()
    for package in ("duet.frontend.source", "duet.linux"):
        for header in Path(str(resources.files(package))).joinpath("include").rglob("*.h"):
            found.update(re.findall(r"\b([A-Za-z_]\w*)\s*\(", header.read_text(encoding="utf-8")))
    return found


def test_a_name_has_one_record() -> None:
    first, second = LibraryFunction("a b", ANY), LibraryFunction("c b", COUNT)
    with pytest.raises(InternalError, match="'b' has two records"):
        table((first,), (second,))
    with pytest.raises(InternalError, match="'c' has two records"):
        table((LibraryFunction("c c", ANY),))
    assert dict(table((first,), (LibraryFunction("c", COUNT),))).keys() == {"a", "b", "c"}


def test_every_function_has_a_prototype() -> None:
    known = declared_in_headers() | known_declarations().keys() | OWN_PROTOTYPES
    modelled = {name for name, record in TABLE.items() if record.model is not None and not record.library}
    missing = {name for name in modelled - known if not name.startswith(GENERIC) and not TYPED_BY_COMPILERS.match(name)}
    assert sorted(missing) == []


def test_nobody_else_asks_for_a_name() -> None:
    found = []
    for path in sorted(ROOM.rglob("*.py")):
        place = path.relative_to(ROOM).as_posix()
        if place in TEXT_TABLES or place.startswith("models/"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in TABLE.keys() - WORDS:
                found.append(f"{place}:{node.lineno}: {node.value}")
    assert found == []


def test_prototypes_are_read_when_they_are_asked_for() -> None:
    assert known_type("strlen", LP64) == FunctionType(LP64.ulong, (CHAR_POINTER,))
    assert known_type("no_such_function", LP64) is None
    assert signature(Scope(), "__builtin_memcpy", None, LP64) == known_type("memcpy", LP64)
    own = FunctionType(INT, (DOUBLE,))
    assert signature(Scope(), "strlen", own, LP64) == own
    assert signature(Scope(), "no_such_function", None, LP64) is None


def test_structures_of_the_header_are_not_those_of_the_program() -> None:
    assert known_type("getmntent", LP64) == FunctionType(VOID_POINTER, None)
    assert known_type("recvmsg", LP64) is not None
    assert known_type("recvmsg", LP64).parameters is None  # type: ignore[union-attr]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc to compare with")
def test_compilers_agree_with_the_prototypes() -> None:
    header = resources.files("duet.frontend.source").joinpath("builtins.h").read_text(encoding="utf-8")
    assert header.count(";") - 1 == len(known_declarations())  # one is in a comment
    command = ["gcc", "-fsyntax-only", "-Werror=builtin-declaration-mismatch", "-xc", "-"]
    done = subprocess.run(command, input=header, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_what_records_say() -> None:
    assert describe("pthread_mutex_lock").lock is LockOperation.ACQUIRE  # type: ignore[union-attr]
    assert describe("memcpy") is describe("__builtin_memcpy")
    assert describe("memcpy").reads is Reads.BYTES  # type: ignore[union-attr]
    assert describe("unknown_to_all") is None
    assert describe("__builtin_assert") is None
    assert model_of("tsearch", None) is None
    assert not describe("tsearch").runs_others  # type: ignore[union-attr]
    assert describe("clone").runs_others  # type: ignore[union-attr]


@pytest.mark.parametrize("name", sorted(name for name, record in TABLE.items() if record.callbacks))
def test_callbacks_are_arguments_that_lead_to_functions(name: str) -> None:
    kind = known_type(name, LP64)
    for callback in TABLE[name].callbacks:
        assert callback.when in When
        if kind is not None and kind.parameters is not None:
            assert callback.position < len(kind.parameters)


def test_threads_start_and_end_somewhere() -> None:
    named = {control: {name for name, record in TABLE.items() if record.control is control} for control in Control}
    assert {"pthread_create", "thrd_create"} <= named[Control.STARTS_THREAD]
    assert {"pthread_join", "thrd_join"} <= named[Control.JOINS_THREAD]
    ending = {"pthread_exit", "thrd_exit", "__pthread_unwind_next", "syscall", "__duet_may_end"}
    assert ending == named[Control.ENDS_THREAD]
    assert {"exit", "abort"} <= named[Control.ENDS_PROCESS]
    assert {"setjmp", "longjmp"} <= named[Control.JUMPS]
