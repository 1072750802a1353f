"""Semaphores that are used as locks: each thread that posts one waited for it before.

*Approximates*: exact for the order of operations on each way through a thread; such a semaphore lets in at most as
many threads as it starts with, and is taken to let in one. Others stay what threads are woken by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from duet.check.held import Lock, given_unheld, lock_of
from duet.plip.accesses import UNKNOWN_LOCK, Access, AccessKind
from duet.plip.syntax import Assign, Linear, Program, steps

_AS_LOCK: Mapping[AccessKind, AccessKind] = {AccessKind.AWAIT: AccessKind.LOCK, AccessKind.POST: AccessKind.UNLOCK}


def as_locks(program: Program) -> Program:
    """The program with the operations on semaphores that are used as locks noted as those of locks."""
    operated = [access for command in program.commands for access in command.accesses if access.kind in _AS_LOCK]
    if any(access.object == UNKNOWN_LOCK for access in operated):  # which may be any of them
        return program
    candidates = frozenset(lock_of(access) for access in operated if access.kind is AccessKind.AWAIT)
    candidates = frozenset(lock for lock in candidates if _starts_open(program, lock))
    used = candidates.difference(map(lock_of, given_unheld(_noted(program, candidates))))
    return _noted(program, used) if used else program


def _starts_open(program: Program, lock: Lock) -> bool:
    """Whether a semaphore is only ever set to constants from 1 on, besides being counted."""
    name = lock[0] + "".join(lock[1])
    values: list[int] = []
    for command in program.commands:
        for step in steps(command.instruction):
            match step:
                case Assign(target, Linear(((source, 1),), 1 | -1)) if target == name == source:
                    pass
                case Assign(target, Linear((), value)) if target == name:
                    values.append(value)
                case Assign(target) if target == name:
                    return False
                case _:
                    pass
    return bool(values) and min(values) >= 1


def _noted(program: Program, locks: frozenset[Lock]) -> Program:
    def changed(accesses: tuple[Access, ...]) -> Iterator[Access]:
        for access in accesses:
            kind = _AS_LOCK.get(access.kind)
            yield replace(access, kind=kind) if kind is not None and lock_of(access) in locks else access

    commands = (replace(it, accesses=tuple(changed(it.accesses))) if it.accesses else it for it in program.commands)
    return replace(program, commands=tuple(commands))
