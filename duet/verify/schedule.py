"""An execution of PLIP as a schedule for people, and whether it is one of the source.

The execution is run again, command by command, by the program without blocks. Whatever cannot be followed, every
command that stands for more than the source does, and every read of memory whose first value is not known, is a doubt.
*Approximates*: under; a schedule without doubt is one of the source if the checks for undefined behaviour are among the
guards of the program (`options.UNDEFINED`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from duet.coarsen.words import instruction_words, label
from duet.plip.blocks import Blocks
from duet.plip.execute import Samples, Store, Value, compile_formula, compile_step, compile_term
from duet.plip.live import live_cells
from duet.plip.marks import ALLOCATION_FAILS, UNSET, united
from duet.plip.multiplicity import many
from duet.plip.syntax import (
    SKIP,
    WHETHER,
    Assert,
    Assign,
    Atom,
    Atomic,
    Cell,
    Command,
    Compute,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Lookup,
    Program,
    Relation,
    Spawn,
    steps,
)
from duet.plip.terms import formula_cells, term_cells
from duet.plip.touched import writes
from duet.result import Move, Step
from duet.source import NOWHERE, Span
from duet.verify import explore
from duet.verify.actions import doubt_of
from duet.verify.explore import Execution
from duet.verify.why import Trace

UNFOLLOWED = "the schedule cannot be followed"
_ADDRESSES = 1 << 63  # a range that is as wide holds addresses, and not any number is one


@dataclass(frozen=True, slots=True)
class Schedule:
    """Moves, the failing one last, and why it may be none of the source, with the place; empty where it is one.

    `because` are the steps that make the check fail, and `prevented_by` what would keep them from it, see `verify.why`.
    """

    moves: tuple[Move, ...]
    doubt: str
    because: tuple[Step, ...] = ()
    prevented_by: tuple[str, ...] = ()
    place: str = ""


@dataclass
class _Thread:
    name: str
    template: str
    location: int
    own: dict[str, Value]
    unset: set[str]


@dataclass
class _Replay:
    program: Program
    blocks: Blocks
    samples: Samples
    shared: dict[str, Value] = field(default_factory=dict)
    unset: set[str] = field(default_factory=set)
    threads: list[_Thread] = field(default_factory=list)
    checks: frozenset[tuple[int, int]] = frozenset()  # the ends of commands that were checks in the whole program
    moves: list[Move] = field(default_factory=list)
    doubts: dict[str, Span | None] = field(default_factory=dict)
    started: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        program = self.program
        self.trace = Trace(program)
        self.live = live_cells(self.blocks.program)
        self.many = many(program)
        self.summaries = frozenset(name for name, cell in program.cells.items() if cell.summary)
        self.atomic = frozenset(spot for template in program.templates.values() for spot in template.atomic)
        self.own: dict[str, list[Cell]] = {name: [] for name in program.templates}
        for cell in program.cells.values():
            if cell.template is not None:
                self.own[cell.template].append(cell)

    def is_check(self, command: Command) -> bool:
        return (command.source, command.target) in self.checks

    def note_doubt(self, index: int) -> None:
        """Notes why a command stands for more than the source does, if it does."""
        doubt = doubt_of(self.program, index, self.many)
        if doubt:
            self.doubts.setdefault(doubt, self.program.commands[index].span)


def schedule(whole: Program, program: Program, blocks: Blocks, execution: Execution, samples: Samples) -> Schedule:
    """The schedule that an execution of the blocks of a program is, which is a slice of the `whole` one."""
    checks = frozenset((c.source, c.target) for c in whole.commands if isinstance(c.instruction, Assert))
    replay = _Replay(program, blocks, samples, checks=checks)
    _begin(replay, execution)
    for move in execution.moves:
        if not _follow(replay, move):
            return Schedule(tuple(replay.moves), UNFOLLOWED)
    if not _fails(replay, execution):
        return Schedule(tuple(replay.moves), UNFOLLOWED)
    trace = replay.trace
    doubt = united(*replay.doubts)
    span = replay.doubts.get(doubt)
    place = f"{span.file}:{span.line}" if span is not None and span.line else ""
    return Schedule(tuple(replay.moves), doubt, trace.why(), trace.prevented_by(), place)


def _begin(replay: _Replay, execution: Execution) -> None:
    program = replay.program
    values, ((location, own),) = execution.start
    replay.shared = dict(zip(program.globals, values, strict=True))
    cells = [program.cells[name] for name in program.globals]
    replay.unset = {cell.name for cell in cells if cell.lo is None or cell.lo != cell.hi}
    _add(replay, program.main, location, own)


def _add(replay: _Replay, template: str, location: int, own: Store, given: Mapping[str, int] | None = None) -> None:
    """A new thread; its cells hold no known value until they are set, but for parameters that are no addresses."""
    cells = replay.own[template]
    inputs = frozenset(replay.program.templates[template].parameters)
    name = replay.program.templates[template].label
    number = replay.started[name] = replay.started.get(name, 0) + 1
    is_main = template == replay.program.main
    unset = {cell.name for cell in cells if _is_unknown(cell, inputs) and cell.name not in (given or {})}
    store = {cell.name: value for cell, value in zip(cells, own, strict=True)}
    replay.threads.append(_Thread("main" if is_main else f"{name}#{number}", template, location, store, unset))


def _is_unknown(cell: Cell, inputs: Collection[str]) -> bool:
    """Whether a thread's own cell holds something at first that is no input of the program."""
    if cell.lo is not None and cell.lo == cell.hi:
        return False
    return (
        cell.name not in inputs
        or cell.name.endswith("&")
        or cell.summary
        or cell.lo is None
        or cell.hi is None
        or cell.hi >= _ADDRESSES
    )


def _follow(replay: _Replay, move: explore.Move) -> bool:
    """Takes a move; whether that was possible."""
    thread = _find(replay, move.before)
    if thread is None or any(other.location in replay.atomic for other in replay.threads if other is not thread):
        return False
    for index in replay.blocks.parts[move.command]:
        replay.note_doubt(index)
    parts = [replay.program.commands[index] for index in replay.blocks.parts[move.command]]
    if len(parts) == 1 and isinstance(parts[0].instruction, Assert | Spawn | Join):
        return _take_other(replay, thread, parts[0], move)
    names = (*replay.program.globals, *(cell.name for cell in replay.own[thread.template]))
    slots = {name: slot for slot, name in enumerate(names)}
    store = (*replay.shared.values(), *thread.own.values())
    goal = (*move.globals, *move.after[1])
    live = replay.live[move.after[0]] | frozenset(replay.program.globals) | replay.summaries
    checked = [slot for name, slot in slots.items() if name in live]
    way = next(_ways(replay, parts, store, slots, goal, checked), None)
    if way is None or parts[-1].target != move.after[0]:
        return False
    for command, after in zip(parts, way, strict=True):
        _note_reads(replay, thread, command)
        before, values = {**replay.shared, **thread.own}, dict(zip(names, after, strict=True))
        replay.shared = {name: values[name] for name in replay.program.globals}
        thread.own = {cell.name: values[cell.name] for cell in replay.own[thread.template]}
        if not _says_nothing(replay, command):
            replay.trace.take(thread.name, command, before, values)
            _tell(replay, thread, command)
    thread.location = parts[-1].target
    return True


def _find(replay: _Replay, wanted: explore.Thread) -> _Thread | None:
    """The thread that is there with these values in the cells that it may still read."""
    location, own = wanted
    live = replay.live.get(location, frozenset())
    for thread in replay.threads:
        known = zip(thread.own.items(), own, strict=True) if thread.location == location else None
        if known is not None and all(value == other for (name, value), other in known if name in live):
            return thread
    return None


def _ways(
    replay: _Replay,
    parts: Sequence[Command],
    store: Store,
    slots: Mapping[str, int],
    goal: Store,
    checked: Sequence[int],
) -> Iterator[tuple[Store, ...]]:
    """The stores behind each of some commands, such that the last is the goal where it is checked."""
    if not parts:
        if all(store[slot] == goal[slot] for slot in checked):
            yield ()
        return
    for after in _after(replay, steps(parts[0].instruction), store, slots):
        for rest in _ways(replay, parts[1:], after, slots, goal, checked):
            yield (after, *rest)


def _after(replay: _Replay, todo: Sequence[object], store: Store, slots: Mapping[str, int]) -> Iterator[Store]:
    if not todo:
        yield store
        return
    step = todo[0]
    assert isinstance(step, Assign | Havoc | Compute | Lookup | Guard)
    for after in compile_step(step, slots, replay.summaries, replay.samples)(store):
        yield from _after(replay, todo[1:], after, slots)


def _take_other(replay: _Replay, thread: _Thread, command: Command, move: explore.Move) -> bool:
    """Takes a check, a start or a join."""
    _note_reads(replay, thread, command)
    before = {**replay.shared, **thread.own}
    slots = {name: slot for slot, name in enumerate(before)}
    store = tuple(before.values())
    match command.instruction:
        case Assert(condition, _, stops):
            if stops and not compile_formula(condition, slots)(store):
                return False
        case Spawn(template, arguments):
            if move.child is None or move.child[0] != replay.program.templates[template].entry:
                return False
            given = {cell: compile_term(value, slots)(store) for cell, value in arguments}
            child = dict(zip((cell.name for cell in replay.own[template]), move.child[1], strict=True))
            if any(child[cell] != value for cell, value in given.items() if cell not in replay.summaries):
                return False
            _add(replay, template, *move.child, given)
            replay.trace.start(thread.name, command, before, replay.threads[-1].name)
        case Join(template):
            is_one = template not in replay.many
            end = replay.program.templates[template].exit
            if is_one and not any(other.location == end for other in replay.threads):
                return False
        case _:
            return False
    thread.location = command.target
    _tell(replay, thread, command)
    return True


def _fails(replay: _Replay, execution: Execution) -> bool:
    """Whether the check fails now; notes it as the last move."""
    (index,) = replay.blocks.parts[execution.command]
    command = replay.program.commands[index]
    thread = _find(replay, execution.failing)
    if thread is None or not isinstance(command.instruction, Assert) or command.source != thread.location:
        return False
    if any(other.location in replay.atomic for other in replay.threads if other is not thread):
        return False
    replay.note_doubt(index)
    _note_reads(replay, thread, command)
    before = {**replay.shared, **thread.own}
    slots = {name: slot for slot, name in enumerate(before)}
    if compile_formula(command.instruction.condition, slots)(tuple(before.values())):
        return False
    read = {name: value for name, value in before.items() if name in formula_cells(command.instruction.condition)}
    replay.trace.take(thread.name, command, before, before)
    replay.moves.append(_move(replay, thread, command, read))
    return True


def _note_reads(replay: _Replay, thread: _Thread, command: Command) -> None:
    """A doubt for a cell that is read and holds what it held at first, where that is no input of the program."""
    for step in steps(command.instruction):
        for cell in _reads(step):
            if cell in replay.unset or cell in thread.unset:
                replay.doubts.setdefault(f"the first value of {label(replay.program, cell)} is not known", command.span)
        if isinstance(step, Assign | Havoc | Compute | Lookup) and step.target not in replay.summaries:
            cells = thread.unset if replay.program.cells[step.target].template else replay.unset
            if command.approximates == UNSET and isinstance(step, Havoc):
                cells.add(step.target)
            else:
                cells.discard(step.target)


def _reads(step: object) -> Iterator[str]:
    match step:
        case Assign(_, value):
            yield from term_cells(value)
        case Guard(condition) | Assert(condition):
            yield from formula_cells(condition)
        case Compute(_, _, arguments):
            for argument in arguments:
                yield from term_cells(argument)
        case Lookup(_, _, index):
            yield from term_cells(index)
        case Spawn(_, arguments):
            for _, value in arguments:
                yield from term_cells(value)
        case _:
            pass


def _says_nothing(replay: _Replay, command: Command) -> bool:
    """Whether a command does nothing, or only says what is known of an object, or that nothing undefined happens."""
    is_guard = isinstance(command.instruction, Guard)
    match command.instruction:
        case Assign(target) if label(replay.program, target).startswith(WHETHER):
            return True
    return command.instruction == SKIP or (is_guard and (command.span is None or replay.is_check(command)))


def _tell(replay: _Replay, thread: _Thread, command: Command) -> None:
    """Notes a command as a move."""
    after = {**replay.shared, **thread.own}
    written = {
        step.target: after[step.target]
        for step in steps(command.instruction)
        if isinstance(step, Assign | Havoc | Compute | Lookup)
    }
    replay.moves.append(_move(replay, thread, command, written))


def _move(replay: _Replay, thread: _Thread, command: Command, values: Mapping[str, Value]) -> Move:
    program, span = replay.program, command.span or NOWHERE
    named = {label(program, cell): _number(value) for cell, value in values.items()}
    shown = {name: value for name, value in named.items() if not name.startswith("$")}
    text = _words(program, command)
    function = program.templates[thread.template].label
    effect, given = _effect(program, command.instruction), _given(command.instruction, values)
    return Move(thread.name, function, span.file, span.line, text, tuple(shown.items()), effect, given)


def _words(program: Program, command: Command) -> str:
    """What a command does, in words: how locks are taken is told as such."""
    match command.instruction:
        case Assign(_, Linear((), 0)) if command.approximates == ALLOCATION_FAILS:
            return "memory runs out: null"
        case Atomic((Guard(Atom(Linear(((lock, 1),), 0), Relation.EQ)), Assign(target, Linear((), 1)))) if (
            lock == target
        ):
            return f"acquire {label(program, lock)}"
    return instruction_words(program, command.instruction)


def _effect(program: Program, instruction: Instruction) -> str:
    """What other threads see of an instruction, see `result.Move`."""
    if isinstance(instruction, Spawn | Join):
        return "start" if isinstance(instruction, Spawn) else "join"
    is_read = any(program.cells[cell].template is None for step in steps(instruction) for cell in _reads(step))
    is_written = any(program.cells[cell].template is None for cell in writes(instruction))
    return "update" if is_read and is_written else "read" if is_read else "write" if is_written else ""


def _given(instruction: Instruction, values: Mapping[str, Value]) -> int | None:
    """The input that an instruction takes."""
    taken = (values.get(step.target) for step in steps(instruction) if isinstance(step, Havoc))
    return next((value for value in taken if isinstance(value, int)), None)


def _number(value: Value) -> str:
    return str(value) if isinstance(value, int) else f"one of {', '.join(map(str, sorted(value)))}"
