"""The table of library functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from duet.frontend.cells import lifetimes
from duet.frontend.cells.context import Context
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.library import EACH, Control, Description, LockOperation, Reads, Result, Role
from duet.frontend.ctypes.signatures import BUILTIN
from duet.frontend.ctypes.types import VOID_POINTER
from duet.frontend.models import checks, heap, jumps, library, linux, record
from duet.frontend.models.atomic_names import ATOMICS
from duet.frontend.models.builtins import BUILTINS
from duet.frontend.models.call import Call, Model
from duet.frontend.models.database_names import DATABASES
from duet.frontend.models.exact import with_marks
from duet.frontend.models.further_libraries import FURTHER
from duet.frontend.models.kernel_names import KERNEL
from duet.frontend.models.library_names import LIBRARY
from duet.frontend.models.mathematics_names import MATHEMATICS
from duet.frontend.models.optional import told_apart
from duet.frontend.models.orders import weak
from duet.frontend.models.other_libraries import OTHERS
from duet.frontend.models.posix_names import POSIX
from duet.frontend.models.quiet_names import QUIET
from duet.frontend.models.record import LibraryFunction, without
from duet.frontend.models.stubs import is_stub
from duet.frontend.models.synchronisation import SYNCHRONISATION
from duet.frontend.models.system_names import SYSTEM
from duet.frontend.models.unknown import IMPORT
from duet.frontend.models.wide_names import WIDE, with_locale
from duet.frontend.source.nodes import Node
from duet.frontend.source.words import INSTALLED, INVARIANT, OPENED

OPAQUE = frozenset(
    (
        *("pthread_mutex_t", "pthread_cond_t", "pthread_rwlock_t", "pthread_barrier_t", "pthread_spinlock_t"),
        *("pthread_attr_t", "pthread_mutexattr_t", "pthread_condattr_t", "pthread_rwlockattr_t", "sem_t"),
        *("pthread_barrierattr_t", "mtx_t", "cnd_t", "spinlock_t", "raw_spinlock_t"),
    )
)
"""Typedef names of library objects: one cell each, whatever the headers make of them."""

_own = partial(LibraryFunction, reads=Reads.NOTHING)

_CHECKS: tuple[LibraryFunction, ...] = (
    LibraryFunction("assert", checks.assertion, role=Role.ASSERTION, checks="assertion"),
    _own("__VERIFIER_assert", checks.assertion, role=Role.ASSERTION, checks="assertion"),
    LibraryFunction(
        "__goblint_check __goblint_assert", checks.soft_assertion, role=Role.SOFT_ASSERTION, checks="assertion"
    ),
    LibraryFunction("BUG_ON", checks.bug_on, role=Role.NEGATED_ASSERTION, checks="assertion"),
    _own("reach_error __VERIFIER_error", checks.unreachable, role=Role.FAILURE, checks="unreach-call"),
    LibraryFunction("__assert_fail", checks.assert_failed, role=Role.FAILURE, checks="assertion"),
    LibraryFunction("assume assume_abort_if_not", checks.assume, role=Role.ASSUMPTION),
    _own("__VERIFIER_assume __duet_assume", checks.assume, role=Role.ASSUMPTION),
    _own("__VERIFIER_atomic_begin __duet_atomic_begin", checks.begin_atomic, role=Role.ATOMIC_SECTION),
    _own("__VERIFIER_atomic_end __duet_atomic_end", checks.end_atomic, role=Role.ATOMIC_SECTION),
)
"""These hold even where the program defines a function of that name that does nothing else."""

_NONDETERMINISTIC: tuple[LibraryFunction, ...] = tuple(
    _own(f"{prefix}{name}", checks.nondet(kind, is_outside), result=kind)
    for prefix, is_outside in checks.NONDETERMINISTIC
    for name, kind in checks.KINDS.items()
)

_MEMORY: tuple[LibraryFunction, ...] = (
    LibraryFunction("malloc kmalloc vmalloc valloc pvalloc", heap.allocate(0), makes_object=True),
    LibraryFunction("kzalloc vzalloc", heap.allocate(0, is_zeroed=True), makes_object=True),
    LibraryFunction("calloc kcalloc", heap.allocate(0, 1, is_zeroed=True), makes_object=True),
    LibraryFunction("aligned_alloc memalign", heap.allocate(1), makes_object=True),
    LibraryFunction("alloca", heap.stacked()),
    LibraryFunction("__builtin_alloca_with_align __builtin_alloca_with_align_and_max", heap.stacked(in_block=True)),
    LibraryFunction("realloc krealloc", heap.resize(1), passed=(0,), brief=(0,), into=0, may_make_object=True),
    LibraryFunction("reallocarray", heap.resize(1, 2), passed=(0,), brief=(0,), into=0, may_make_object=True),
    LibraryFunction("__duet_text", heap.written, makes_object=True),
    LibraryFunction("strdup wcsdup", heap.copied, texts=(0,), makes_object=True, brief=(0,)),
    LibraryFunction("strndup", heap.copied_within, makes_object=True, brief=(0,)),
    LibraryFunction("posix_memalign", heap.allocate_into, brief=EACH),
    _own("free", heap.release, passed=(0,), brief=(0,)),
    LibraryFunction("cfree kfree vfree kvfree", heap.release, passed=(0,)),
    LibraryFunction("srand srandom", checks.zero),
)

_INTRINSICS: tuple[LibraryFunction, ...] = (
    _own("__duet_havoc", linux.havoc, takes_places=True),
    _own("__duet_expose", linux.expose),
    _own("__duet_container", linux.container),
    _own("__duet_named", linux.named, takes_places=True, result=Result.FIRST),
    _own("__duet_error_pointer", linux.error_pointer),
    _own("__duet_size_sum", linux.size_sum),
    _own("__duet_size_product", linux.size_product),
    _own("__duet_run_as", linux.run_as),
    _own("__duet_give", linux.give),
    _own("__duet_operate", linux.operate),
    _own("__duet_keep", linux.keep),
    _own("__duet_relay", linux.relay),
    _own("__duet_behind", linux.behind),
    _own("__duet_knows_own", linux.knows_own),
    _own("__duet_place", linux.place),
    _own(OPENED, linux.begun),
    _own(INSTALLED, linux.begun),
    _own("__duet_closed", linux.closed),
    _own("__duet_call_by", linux.call_by),
    _own(IMPORT, linux.imported),
    _own("__duet_receive", linux.receive),
    _own("__duet_read_once", weak(linux.read_once), takes_places=True, result=Result.FIRST),
    _own("__duet_write_once", weak(linux.write_once), takes_places=True),
    _own("__duet_acquire", linux.acquire, lock=LockOperation.ACQUIRE),
    _own("__duet_release", linux.release, lock=LockOperation.RELEASE),
    _own(INVARIANT, checks.invariant),
    _own("__duet_asm", linux.assembler, takes_places=True),
    _own("__duet_asm_memory", linux.assembler_of_memory, takes_places=True),
    _own("__duet_va_arg", linux.variadic, takes_places=True, result=VOID_POINTER),
)

_JUMPS: tuple[LibraryFunction, ...] = (
    LibraryFunction(
        "setjmp _setjmp sigsetjmp __sigsetjmp __sigsetjmp_cancel __builtin_setjmp",
        jumps.prepare,
        control=Control.JUMPS,
    ),
    LibraryFunction("longjmp _longjmp siglongjmp __builtin_longjmp", jumps.leap, control=Control.JUMPS),
    LibraryFunction(
        "getcontext setcontext swapcontext makecontext __builtin_apply __builtin_return __builtin_eh_return",
        linux.jump,
        control=Control.JUMPS,
    ),
)

_ENDS: tuple[LibraryFunction, ...] = (
    LibraryFunction("err errx verr verrx", library.printed_at_last, control=Control.ENDS_PROCESS, may_be_null=(1,)),
)

_PLAIN: Mapping[str, LibraryFunction] = record.table(LIBRARY, POSIX, WIDE)
_CHECKING: tuple[LibraryFunction, ...] = tuple(
    LibraryFunction(f"__{name}_chk", without(name, positions, _PLAIN[name]), reads=_PLAIN[name].reads)
    for positions, names in (
        ((0,), "printf vprintf"),
        ((1,), "fprintf vfprintf fgets fread"),
        ((1, 2), "sprintf vsprintf"),
        ((2,), "strcpy stpcpy strcat"),
        ((2, 3), "snprintf vsnprintf"),
        ((3,), "memset memcpy memmove mempcpy strncpy stpncpy strncat read recv"),
    )
    for name in names.split()
)
"""What compilers call with `_FORTIFY_SOURCE`: as those without it, and without the sizes and flags that it adds."""

TABLE: Mapping[str, LibraryFunction] = record.table(
    _CHECKS,
    _NONDETERMINISTIC,
    LIBRARY,
    POSIX,
    WIDE,
    with_locale(_PLAIN),
    SYSTEM,
    DATABASES,
    OTHERS,
    FURTHER,
    QUIET,
    MATHEMATICS,
    SYNCHRONISATION,
    ATOMICS,
    _MEMORY,
    _CHECKING,
    _INTRINSICS,
    _JUMPS,
    _ENDS,
    BUILTINS,
    KERNEL,
)
"""All records by name."""


def describe(name: str) -> LibraryFunction | None:
    """The record of a function; behind `__builtin_` that of the function without it."""
    found = TABLE.get(name)
    if found is None and name.startswith(BUILTIN):
        found = TABLE.get(name.removeprefix(BUILTIN))
        return found if found is not None and found.role is None else None
    return found


def changes_locks(name: str) -> bool:
    """Whether a function may change the state of a lock, or of what else threads wait for."""
    known = TABLE.get(name)
    return known is not None and known.lock is not None


def model_of(
    name: str, definition: Node | None, applying: Callable[[str], Description | None] = describe
) -> Model | None:
    """The model of a function whose own definition, if any, is a tree; None for one to be inlined, or unknown.

    `applying` gives the records that apply to the program.
    """
    found = describe(name)
    if found is None or applying(name) is None:
        return None
    if definition is not None and (found.role is None or not is_stub(name, definition, applying)):
        return None
    if found.model is None:
        return None
    marked = with_marks(name, found.model)
    return told_apart(found, _releasing(marked) if found.releases else marked)


def _releasing(model: Model) -> Model:
    """The model of a function that may give back memory of the library."""

    def releasing(ctx: Context, call: Call) -> list[Outcome]:
        lifetimes.may_end_outside(ctx)
        return model(ctx, call)

    return releasing
