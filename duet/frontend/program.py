"""The threads of a program: templates by spawn site, the structure that main or the options give."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from duet.frontend import callbacks
from duet.frontend.bodies import callees, inline, recursion
from duet.frontend.bodies.callees import Defined, Unknown
from duet.frontend.cells import contracts, given, interrupts, ownership, private, sharing
from duet.frontend.cells.access import havoc_place, read
from duet.frontend.cells.callees import SOME, parameters
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import convert, is_copy, number
from duet.frontend.cells.escapes import publish, put_outside
from duet.frontend.cells.lists import with_lengths
from duet.frontend.cells.pointers import ASSUMED
from duet.frontend.cells.regions import leave_region
from duet.frontend.cells.rows import all_joined, filled_cells, with_prefixes, with_singled
from duet.frontend.cells.size import is_large
from duet.frontend.cells.texts import LIBRARY
from duet.frontend.cells.thread import Frame, Outcome
from duet.frontend.ctypes.origins import OUTSIDE, UNKNOWN_POINTER, Holder, Origins, Passed
from duet.frontend.ctypes.scope import Definition
from duet.frontend.ctypes.types import (
    ADDRESS,
    VOID_POINTER,
    CType,
    FunctionType,
    PointerType,
    StructType,
    VoidType,
    is_scalar,
)
from duet.frontend.ctypes.values import Address, Direct, Number, Object, Value, Whole
from duet.frontend.graph.alone import alone, own_cells
from duet.frontend.graph.apart import led_to, told_apart
from duet.frontend.graph.as_given import with_given
from duet.frontend.graph.builder import Builder
from duet.frontend.graph.compact import compacted
from duet.frontend.graph.events import Destroying
from duet.frontend.graph.exact import marked
from duet.frontend.graph.insides import without_repeated
from duet.frontend.graph.quotients import by_quotient
from duet.frontend.graph.there import HALF, PAGE
from duet.frontend.judgments.destruction import (
    DESTROYED,
    JOINED_IN_LOOPS,
    LATE_USES,
    USED_LATE,
    Course,
    course,
    late_users,
)
from duet.frontend.judgments.exclusion import argument_of
from duet.frontend.judgments.families import left
from duet.frontend.judgments.identity import APART, HANDLER, LATE, SIGNALLED, late_threads
from duet.frontend.judgments.lives import lived, lives, starting, with_ends, with_starts
from duet.frontend.judgments.marks import Mark
from duet.frontend.judgments.positions import begun_alike
from duet.frontend.judgments.settled import Settling, begun
from duet.frontend.judgments.singled import one
from duet.frontend.judgments.stored import Settled
from duet.frontend.judgments.together import Combined, begun_together
from duet.frontend.models import destructors, jumps, registrations
from duet.frontend.models.keys import KEPT
from duet.frontend.models.threads import keep_result
from duet.frontend.models.unknown import origins_of
from duet.frontend.source.nodes import Node
from duet.plip.syntax import (
    ANY_CALLBACK,
    ANY_THREAD,
    SKIP,
    Atomic,
    Cell,
    Command,
    Inside,
    Join,
    Linear,
    Program,
    Spawn,
    Template,
    steps,
)
from duet.plip.terms import compare, constant, variable
from duet.source import Span

COUNTED = 2_000
"""Commands, before they are compacted, of programs in which it is counted how many threads begin: in larger ones that
costs half as much again, and hardly ever proves something.
"""
TOGETHER = "the program is very large: all places that start a function as a thread share one template"
ALL_TOGETHER = "the program is very large: all functions that are started as threads share one template"
_CHOICE = f"{argument_of(ANY_THREAD)} that says which function"
"""The cell of the number of the function that a thread runs, where all functions share a template."""


@dataclass(frozen=True, slots=True)
class Job:
    """A template to be lowered: its function and the argument, if that is the same for all its instances.

    `position` is that of the argument among the parameters.
    `source` is where an arbitrary argument was held, if that is known; `node` is where the threads are
    started.
    """

    template: str
    function: str
    argument: Value | None
    is_parameter: bool
    ancestors: frozenset[str]
    node: Node
    span: Span
    source: Holder | None = None
    position: int = 0

    def cell_of(self, position: int) -> str:
        """The cell of an argument of its threads."""
        name = _argument(self.template, position)
        if self.template != ANY_THREAD:
            return name
        return f"{name}{'' if self.is_parameter else ' that is any'} of {self.function}"

    @property
    def is_entry(self) -> bool:
        """Whether code outside of the program runs the function, and has its result."""
        return self.argument is None and not self.is_parameter and self.source is None


@dataclass(frozen=True, slots=True, order=True)
class _Started:
    """A function that is started as a thread, and whether it is given an argument, at which position."""

    function: str
    position: int
    is_given: bool

    def job(self, node: Node, span: Span) -> Job:
        """What the threads of `ANY_THREAD` do that run it."""
        return Job(ANY_THREAD, self.function, None, self.is_given, frozenset(), node, span, None, self.position)


_STARTED: Mark[_Started] = Mark("started as a thread")
_CONSTANTS: Mark[tuple[str, int]] = Mark("constants that threads are given")
"""By the cell of the argument."""


class TooManyCopies(Exception):
    """Templates of functions that are started as threads are too much code, and each has a copy of what it calls.

    `functions` are those of which all places had better share one template, from the first round on; with `ANY_THREAD`
    among them all functions had better share one.
    """

    def __init__(self, functions: frozenset[str]) -> None:
        super().__init__()
        self.functions = functions


@dataclass
class Threads:
    """The templates of one round of lowering; `together` are the functions of which all places share one.

    With `ANY_THREAD` among these all functions share one, each thread of which is given the number of its function.
    """

    together: frozenset[str] = frozenset()
    jobs: deque[Job] = field(default_factory=deque)
    clones: dict[str, int] = field(default_factory=dict)
    shared: dict[tuple[str, bool, Holder | None], str] = field(default_factory=dict)
    """By the function, whether it is given an argument, and where else its arguments come from."""
    done: dict[str, tuple[Template, Builder]] = field(default_factory=dict)
    handlers: dict[tuple[str, Holder | None], Spawn] = field(default_factory=dict)
    beside: dict[str, Spawn] = field(default_factory=dict)
    alone: set[str] = field(default_factory=set)
    operations: dict[str, str] = field(default_factory=dict)
    started: set[str] = field(default_factory=set)
    courses: dict[str, Course] = field(default_factory=dict)
    settled: list[Settled] = field(default_factory=list)
    job: Job | None = None

    def handle(self, ctx: Context, function: str, node: Node, inside: Inside | None = None) -> Spawn | None:
        """The command that starts a function as a handler, which one template does for all places.

        None where it is one of the kernel's that the kernel calls: it changes what the kernel was given, at any time.
        """
        source = None if ctx.options.model == "linux" else OUTSIDE
        return None if _is_of_kernel(ctx, function) else self._handle(ctx, function, node, source, inside)

    def handle_ending(self, ctx: Context, function: str, source: Holder, node: Node) -> Spawn:
        """As `handle`, with what a cell holds as its first argument."""
        return self._handle(ctx, function, node, source)

    def run_beside(self, ctx: Context, function: str, node: Node) -> Spawn | None:
        """The command that starts a function that the kernel has found, or code that is not understood.

        One template does for all places: its arguments are arbitrary. The caller lets any number of threads be started.
        None where the function is one of the kernel's own.
        """
        if ctx.options.model != "linux":
            return self._handle(ctx, function, node, None)
        if _is_of_kernel(ctx, function):
            return None
        if ctx.is_silent:
            return Spawn(function)
        callbacks.note(ctx, function)
        if callbacks.are_together(ctx):
            if ANY_CALLBACK not in self.beside:
                name, span = ANY_CALLBACK, ctx.span(node)
                self.jobs.append(Job(name, name, None, False, frozenset(), node, span))
                self.beside[name] = Spawn(name)
            return self.beside[ANY_CALLBACK]
        if function not in self.beside:
            self._start_found(ctx, function, node)
            self.alone.add(self.beside[function].template)
        return self.beside[function]

    def _start_found(self, ctx: Context, function: str, node: Node) -> None:
        """Starts what the kernel calls where it has found a function."""
        caller = contracts.caller_of(ctx, function)
        self.beside[function] = self.beside[caller] = self._start(ctx, caller, None, node, None)

    def run_operation(
        self, ctx: Context, function: str, of: Number | None, data: Number | None, node: Node
    ) -> Spawn | None:
        """The command that starts an operation for what is registered with private data, as one template does.

        That is `of` where it is the first argument. None where the operation cannot be told from what the kernel calls
        at any time. The caller lets any number be started.
        """
        kinds = [kind for kind, _ in _parameters(ctx, callees.resolve(ctx, function), node)]
        is_given = bool(kinds) and isinstance(kinds[0], PointerType)
        if _is_of_kernel(ctx, function) or callbacks.are_together(ctx) or (of is not None and not is_given):
            return None
        if ctx.is_silent:
            return Spawn(function)
        if function not in self.beside:
            self._start_found(ctx, function, node)
        template = self.beside[function].template
        self.operations[template] = function
        passed = [] if of is None else [(_argument(template, 0), of)]
        if data is not None:
            passed.append((private.begin_operation(ctx, template), data))
        for _, value in passed:
            publish(ctx, value.origins)
        return Spawn(template, tuple(_passed(ctx, cell, value) for cell, value in passed))

    def _handle(
        self, ctx: Context, function: str, node: Node, source: Holder | None, inside: Inside | None = None
    ) -> Spawn:
        if ctx.is_silent:
            return Spawn(function)
        if callbacks.are_handlers_together(ctx, function, source):
            function = ANY_CALLBACK
        if (function, source) not in self.handlers:
            self.handlers[function, source] = self._start_handler(ctx, function, node, source)
        started = self.handlers[function, source]
        ctx.facts.mark(HANDLER, started.template)
        if inside is not Inside.EXIT:
            ctx.facts.mark(APART if inside is None else SIGNALLED, started.template)
        return started

    def _start_handler(self, ctx: Context, function: str, node: Node, source: Holder | None) -> Spawn:
        if function == ANY_CALLBACK:
            name = function if source is OUTSIDE else f"{function}#2"
            self.jobs.append(Job(name, function, None, False, frozenset(), node, ctx.span(node), source))
            return Spawn(name)
        started = self._start(ctx, function, None, node, source)
        if callbacks.may_be_together(ctx, function, source):
            self.alone.add(started.template)
        return started

    def spawn(self, ctx: Context, function: str, argument: Value | None, node: Node, position: int) -> Spawn:
        """The command that starts a function as a thread, with an argument for the parameter at a position.

        There is a template of its own for each place that does, where that is not too much code (`TooManyCopies`).
        """
        callee = callees.resolve(ctx, function)
        if isinstance(callee, Unknown):
            text = f"the thread function '{callee.name}' is not defined: it may change what it is given"
            ctx.warn(node, "unknown-thread", text)
        if ctx.is_silent:
            return Spawn(function)
        if ANY_THREAD in self.together:
            return self._start_any(ctx, function, argument, node, position)
        command = self._start(ctx, function, argument, node, None, position)
        self.started.add(command.template)
        return command

    def _start_any(self, ctx: Context, function: str, argument: Value | None, node: Node, position: int) -> Spawn:
        """The command that starts a function where all functions share a template.

        It gives arguments to all of them: a thread does not look at those of other functions than its own.
        """
        if ANY_THREAD not in self.started:
            self.started.add(ANY_THREAD)
            self.jobs.append(Job(ANY_THREAD, ANY_THREAD, None, False, frozenset(), node, ctx.span(node)))
        chosen = _Started(function, position, argument is not None)
        ctx.facts.mark(_STARTED, chosen)
        started = _all_started(ctx)
        given = _given(ctx, argument)
        arguments = [(_CHOICE, constant(place)) for place, other in enumerate(started) if other == chosen]
        for other in started:
            if not (other.is_given and _is_scalar(ctx, other.function, other.position, node)):
                continue
            cell = other.job(node, ctx.span(node)).cell_of(other.position)
            if given is None or other != chosen:
                arguments.append((cell, _stand_in(ctx, cell)))
                continue
            if given.constant is not None:
                ctx.facts.mark(_CONSTANTS, (cell, given.constant))
            arguments.append(_passed(ctx, cell, given))
        return Spawn(ANY_THREAD, tuple(arguments))

    def _start(
        self,
        ctx: Context,
        function: str,
        argument: Value | None,
        node: Node,
        source: Holder | None,
        position: int = 0,
    ) -> Spawn:
        ancestors = (self.job.ancestors if self.job else frozenset()) | {self.job.function if self.job else ""}
        count = self.clones.get(function, 0)
        is_given = argument is not None
        is_crowded = count >= ctx.options.budgets.templates or (is_given and function in self.together)
        is_shared = function in ancestors or is_crowded
        fixed = _given(ctx, argument)
        is_fixed = fixed is not None and not fixed.term.terms and not is_shared
        label = "unknown code" if function == SOME else function
        at = node, ctx.span(node), source, position
        if is_shared:
            key = function, is_given, source
            if key not in self.shared:
                others = sum(other[:2] == key[:2] for other in self.shared)
                self.shared[key] = f"{label}#{'shared' if is_given else 'any'}{others or ''}"
                self.jobs.append(Job(self.shared[key], function, None, is_given, ancestors, *at))
            name = self.shared[key]
        else:
            self.clones[function] = count + 1
            name = label if count == 0 else f"{label}#{count + 1}"
            if name in ("main",) or name == ctx.thread.template:
                name = f"{name}#thread"
            bound = argument if isinstance(argument, Address) else fixed
            is_parameter = fixed is not None and not is_fixed
            self.jobs.append(Job(name, function, bound if is_fixed else None, is_parameter, ancestors, *at))
        arguments: tuple[tuple[str, Linear], ...] = ()
        if fixed is not None and not is_fixed and _is_scalar(ctx, function, position, node):
            arguments = (_passed(ctx, _argument(name, position), fixed),)
        return Spawn(name, arguments)

    def lower_all(self, ctx: Context) -> None:
        """Lowers every template that is spawned, also by those lowered meanwhile. *Raises*: TooManyCopies."""
        if self.together:
            ctx.assume(ALL_TOGETHER if ANY_THREAD in self.together else TOGETHER)
        while self.jobs:
            self.lower_job(ctx, self.jobs.popleft())
            if ctx.emitted + len(ctx.builder.commands) > ctx.options.budgets.template_commands:
                copied = {function for function, count in self.clones.items() if count > 1} - self.together
                if copied:
                    raise TooManyCopies(frozenset(copied))
                if len(self.started) > 1:
                    raise TooManyCopies(frozenset((ANY_THREAD,)))

    def lower_job(self, ctx: Context, job: Job) -> None:
        """Lowers one template."""
        self.job = job
        start_template(ctx, job.template)
        ends, names, function = self._run(ctx, job)
        finish(ctx, ends)
        self._store(ctx, job.template, names, function)

    def _run(self, ctx: Context, job: Job) -> tuple[list[Outcome], tuple[str, ...], str]:
        """The outcomes of what the threads of a template do, the cells of their arguments, and their function."""
        if job.function == ANY_THREAD:
            return *self._run_any(ctx, job), job.function
        if job.function == ANY_CALLBACK:
            ctx.scope, ctx.builder.span = ctx.declared.files[0], job.span
            is_of_kernel = ctx.options.model == "linux"
            found = callbacks.run_one if is_of_kernel else partial(callbacks.run_handler, source=job.source)
            return found(ctx, job.node), (), job.function
        if job.template in self.alone and callbacks.are_together(ctx):  # a round that is not the last one
            return [], (), job.function
        return self._run_function(ctx, job)

    def _run_any(self, ctx: Context, job: Job) -> tuple[list[Outcome], tuple[str, ...]]:
        """The outcomes of running the function that a thread is given the number of, and the cells of its arguments."""
        started = _all_started(ctx)
        ctx.memory.cells[_CHOICE] = Cell(_CHOICE, ANY_THREAD, False, None, None, "function of the thread", job.span)
        ends: list[Outcome] = []
        names: list[str] = [_CHOICE]
        for place, (function, way) in enumerate(zip(started, ctx.builder.fork(len(started)), strict=True)):
            ctx.builder.at(way)
            ctx.builder.assume(compare(variable(_CHOICE), "==", constant(place)))
            found, more, _ = self._run_function(ctx, function.job(job.node, job.span))
            ends += found
            names += more
        return ends, tuple(names)

    def _run_function(self, ctx: Context, job: Job) -> tuple[list[Outcome], tuple[str, ...], str]:
        """The outcomes of running a function, the cells of its arguments, and its name."""
        callee = callees.resolve(ctx, job.function)
        if isinstance(callee, Defined):
            ctx.scope = callee.definition.scope
            if job.function in self.beside and contracts.is_cycle(ctx, job.function):
                private.begin(ctx)
            ctx.thread.operation = self.operations.get(job.template, "")
            values, names = self._arguments(ctx, job, callee)
            record = contracts.record_of(ctx, ctx.thread.operation) if ctx.thread.operation else None
            if record is not None and contracts.has_data(ctx, record):
                names = (*names, private.begin_operation(ctx, job.template))
            ends = run_function(ctx, callee.definition, values)
            for _, value in ends if job.is_entry else ():
                put_outside(ctx, origins_of(ctx, value))
            return ends, names, callee.definition.name
        ctx.scope, ctx.builder.span = ctx.declared.files[0], job.span
        values, names = self._arguments(ctx, job, callee)
        return run_library(ctx, job, callee, values), names, callee.name

    def _arguments(self, ctx: Context, job: Job, callee: callees.Callee) -> tuple[list[Value], tuple[str, ...]]:
        """The arguments of a thread function: the spawn's for one parameter, arbitrary ones for others."""
        values: list[Value] = []
        names: list[str] = []
        for place, (kind, node) in enumerate(_parameters(ctx, callee, job.node)):
            if place == job.position and job.argument is not None:
                values.append(convert(ctx, job.argument, kind, node))
                continue
            key = job.cell_of(place)
            of = Object(key, kind, "local", job.template, "argument", ctx.span(node))
            ctx.memory.declare(of, None)
            if not is_scalar(kind):
                if ctx.facts.by_itself:
                    havoc_place(ctx, Direct(of, (), kind), UNKNOWN_POINTER)
                values.append(Whole(Direct(of, (), kind), kind))
                continue
            is_passed = place == 0 and bool(ctx.thread.operation) and contracts.is_passed(ctx, ctx.thread.operation)
            is_given = is_passed or (place == job.position and job.is_parameter)
            origins = callbacks.arbitrary_origins(ctx, kind, place, job.source)
            if is_given and job.source is None:
                origins = ctx.facts.pointers.held(key)
            ctx.facts.pointers.hold(key, origins)
            value = read(ctx, Direct(of, (), kind), node)
            assert isinstance(value, Number)
            if is_given:
                names.append(key)
            is_of_kernel = job.function in self.beside
            is_whole = is_of_kernel and isinstance(kind, PointerType) and contracts.is_given(ctx, job.function, place)
            if is_whole:
                given.note_whole(ctx, key)
            is_of_key = job.source == KEPT and place == 0
            if is_whole or is_of_key or (is_of_kernel and _is_never_null(ctx, kind)):
                ctx.builder.flush()
                ctx.builder.assume(compare(value.term, "!=", constant(0)))
                value = replace(value, lo=max(value.lo, 1))
            values.append(value)
        return values, tuple(names)

    def _store(self, ctx: Context, name: str, parameters: tuple[str, ...], function: str) -> None:
        builder = ctx.builder
        destructors.run(ctx)
        jumps.connect(ctx)
        recursion.close_gaps(ctx)
        self.settled.append(registrations.finish(ctx))
        ctx.facts.objects.repeated.add(*ctx.sites.passed_again(name, builder))
        if ctx.facts.is_known(DESTROYED):
            self.courses[name] = course(builder)
        self.done[name] = (Template(name, builder.entry, builder.exit, (), parameters, frozenset(), function), builder)

    def lower_main(self, ctx: Context, name: str) -> None:
        """Lowers the first template from what has been built in the context."""
        self._store(ctx, "main", (), name)


def _all_started(ctx: Context) -> list[_Started]:
    """All functions that are started as threads, as far as this round and earlier ones have found them."""
    return sorted(ctx.facts.marked(_STARTED))


def _stand_in(ctx: Context, cell: str) -> Linear:
    """What a thread that runs another function is given for a cell: any number will do, best one that it may hold."""
    constants = [value for one, value in ctx.facts.marked(_CONSTANTS) if one == cell]
    if constants:
        return constant(max(constants))
    found = [ctx.memory.base_term(of).term for of in ctx.memory.pointed(ctx.facts.pointers.held(cell))]
    return next((term for term in found if not term.terms), constant(1))


def _given(ctx: Context, argument: Value | None) -> Number | None:
    """An argument as threads are given it; others may have it then."""
    given = None if argument is None else number(ctx, argument)
    ctx.builder.flush()
    if given is not None:
        publish(ctx, given.origins)
    return given


def _is_scalar(ctx: Context, function: str, position: int, node: Node) -> bool:
    """Whether a function has a parameter at a position, and that is a scalar."""
    kinds = [kind for kind, _ in _parameters(ctx, callees.resolve(ctx, function), node)]
    return any(map(is_scalar, kinds[position : position + 1]))


def _passed(ctx: Context, cell: str, value: Number) -> tuple[str, Linear]:
    """The argument of a command that starts threads, by which these have a value in a cell."""
    ctx.facts.pointers.hold(cell, value.origins)
    if not is_copy(ctx, value):
        ctx.facts.pointers.mixed.add(cell)
    return cell, value.term


def _argument(template: str, position: int) -> str:
    """The cell of an argument of the threads of a template."""
    return argument_of(template) + (str(position) if position else "")


def _is_never_null(ctx: Context, kind: CType) -> bool:
    """Whether arguments of a type are taken not to be null in functions that the kernel calls."""
    is_structure = isinstance(kind, PointerType) and isinstance(kind.target, StructType)
    return is_structure and ctx.options.model == "linux" and ctx.options.assumes("callback-arguments")


def start_template(ctx: Context, name: str) -> None:
    """Begins a new template in the context."""
    ctx.emitted += len(ctx.builder.commands)
    ctx.builder = Builder(ctx.builder.numbers)
    ctx.thread.template = name
    ctx.thread.frames = []
    ctx.thread.known = {}
    ctx.thread.shared_frames = {}
    ctx.thread.nested = 0
    ctx.thread.operation = ""
    interrupts.start(ctx)


def run_function(ctx: Context, definition: Definition, values: list[Value]) -> list[Outcome]:
    """The outcomes of running a function at the bottom of a thread."""
    kind = ctx.memory.types.read(definition.node.decl.type, definition.scope)
    assert isinstance(kind, FunctionType)
    if kind.variadic:
        ctx.facts.pointers.hold(Passed(definition.key), UNKNOWN_POINTER)
    with ctx.at_node(definition.node.decl):
        return inline.enter(ctx, definition, kind, values, definition.node.decl)


def run_library(ctx: Context, job: Job, callee: callees.Callee, values: list[Value]) -> list[Outcome]:
    """The outcomes of running a function without a body at the bottom of a thread; an unknown one may go on and on."""
    ctx.thread.frames.append(Frame(job.function, VoidType(), job.template))
    head, builder = ctx.builder.fresh(), ctx.builder
    builder.goto(head)
    builder.at(head)
    found = callees.pass_values(ctx, callee, values, job.node)
    builder.flush()
    for location, _ in found if isinstance(callee, Unknown) else ():
        builder.at(location)
        builder.edge(SKIP, head)
    ctx.thread.frames.pop()
    return found


def _parameters(ctx: Context, callee: callees.Callee, node: Node) -> list[tuple[CType, Node]]:
    """The types of the parameters of a function with their declarations, or else a node; a pointer if nobody tells."""
    if isinstance(callee, Defined):
        return parameters(ctx, callee.definition)
    kinds = callees.parameter_types(ctx, callee)
    return [(kind, node) for kind in ((VOID_POINTER,) if kinds is None else kinds)]


def _is_of_kernel(ctx: Context, function: str) -> bool:
    """Whether a function is one of the kernel that is not known."""
    return ctx.options.model == "linux" and isinstance(callees.resolve(ctx, function), Unknown)


def finish(ctx: Context, found: list[Outcome], is_process: bool = False) -> None:
    """Ends a thread at the outcomes of its function; the process ends with it if that is what it `is_process`."""
    ctx.builder.flush()
    last = ctx.builder.exit if is_process else destructors.last(ctx)
    for location, value in found:
        ctx.builder.at(location)
        if ctx.builder.is_inside:
            leave_region(ctx)
        keep_result(ctx, value)
        ctx.builder.goto(last)


def arbitrary_arguments(ctx: Context, definition: Definition, pointing: Origins = UNKNOWN_POINTER) -> list[Value]:
    """Any values for the parameters of a function; where pointers lead."""
    ctx.scope = definition.scope
    return [callees.any_value(ctx, kind, pointing) for kind, _ in parameters(ctx, definition)]


def run_first(ctx: Context, definition: Definition) -> None:
    """Runs a function with any arguments, and goes on behind it."""
    builder = ctx.builder
    found = run_function(ctx, definition, arbitrary_arguments(ctx, definition))
    builder.flush()
    join = builder.outside()
    for location, _ in found:
        builder.at(location)
        builder.goto(join)
    builder.at(join)


def run_entries(ctx: Context, threads: Threads, init: Definition | None, entries: tuple[str, ...]) -> None:
    """Main of a program of entries: the init function, then each entry, any number of times if parameterized."""
    builder = ctx.builder
    if init is not None:
        run_first(ctx, init)
    for name in entries:
        definition = ctx.declared.functions[name]
        with ctx.at_node(definition.node.decl):
            command = threads.spawn(ctx, name, None, definition.node.decl, 0)
            if ctx.options.parameterized:
                loop = builder.outside()
                builder.goto(loop)
                builder.at(loop)
                builder.given.add(loop)  # how many threads there are
                builder.edge(command, loop)
                after = builder.outside()
                builder.goto(after)
                builder.at(after)
            else:
                builder.emit(command)
    builder.goto(destructors.last(ctx))


def outline(ctx: Context, threads: Threads) -> Program:
    """The program as it was built, with all commands that something leads to; notes what is told by it."""
    parts = [
        (template, [command for command in builder.commands if command.source in builder.reached])
        for template, builder in threads.done.values()
    ]
    program = _joined(ctx, parts)
    ctx.facts.mark(LATE, *late_threads(program))
    return program


def note_unset(ctx: Context, threads: Threads) -> None:
    """Notes the members of objects of the heap that may be read before they are set."""
    builders = {name: builder for name, (_, builder) in threads.done.items()}
    ctx.elsewhere = ownership.accessed_elsewhere(ctx, builders)
    settling = Settling(ctx.memory.members())
    for name, builder in builders.items():
        ownership.follow_members(ctx, name, builder, settling)
    ctx.facts.objects.unset.add(*sorted(settling.open_members))


def assemble(ctx: Context, threads: Threads) -> Program:
    """The program of all templates that were lowered, made small, with the accesses that were noted.

    *Requires*: `note_unset`.
    """
    together: dict[str, Combined] = {}
    start = _start(threads)
    filled = filled_cells(ctx, {name: builder for name, (_, builder) in threads.done.items()}, start)
    members = frozenset(cell for cells in ctx.memory.members().values() for cell in cells)
    settled = members.difference(ctx.facts.objects.unset)
    known, counted = settled | filled, set[str]()
    parts = _made_small(ctx, threads, start, together, known, counted)
    program = _joined(ctx, _numbered(parts))
    program = begun(program, settled.union(map(left, settled)), filled.union(map(left, filled), counted))
    return begun_together(begun_alike(program), together)


def _start(threads: Threads) -> frozenset[int]:
    """The locations of the first thread before it has started another one."""
    _, first = threads.done["main"]
    if any(_starts_first(command) for _, builder in threads.done.values() for command in builder.commands):
        return frozenset()
    return alone(first.commands, first.entry, first.crossings)


def _made_small(
    ctx: Context,
    threads: Threads,
    start: frozenset[int],
    together: dict[str, Combined],
    known: frozenset[str],
    counted: set[str],
) -> Iterator[tuple[Template, list[Command]]]:
    """The templates with their commands and the accesses that were noted.

    `start` are the locations of the first thread before it has started another one. Adds combinations of members, and
    cells of arrays of which it is `counted` how many elements are set; nobody sees what `known` cells begin with.
    """
    regions = {name: builder.regions() for name, (_, builder) in threads.done.items()}
    noted = {
        name: [_waiting(command, threads) for command in own] for name, own in _noted(ctx, threads, regions).items()
    }
    noted["main"] = [_made_alone(command) if command.source in start else command for command in noted["main"]]
    builders = {name: builder for name, (_, builder) in threads.done.items()}
    elsewhere = sharing.written_elsewhere(ctx, noted, builders)
    joined = all_joined(ctx, builders)
    apart = ownership.apart(ctx, builders, noted)
    copied, members = ownership.with_copies(ctx, builders, noted, start, joined)
    together.update(members)
    for name, (commands, inner) in copied.items():
        noted[name] = commands
        regions[name] |= {place for place, ends in inner.items() if regions[name].issuperset(ends)}
    lengths, more = with_lengths(ctx, builders, noted, known, start, joined)
    noted = {name: list(commands) for name, commands in lengths.items()}
    for place, like in more.items():
        regions = {name: inner | {place} if like in inner else inner for name, inner in regions.items()}
    told, arrays = with_prefixes(ctx, builders, noted, known, start)
    noted = {name: list(commands) for name, commands in told.items()}
    counted.update(arrays)
    locks = {name: lives(name, "main") for name in joined}
    ctx.memory.cells.update((cell.name, cell) for of in locks.values() for cell in (of.whole, of.share, of.taken))
    starts = {name: starting(name) for name in _counted(ctx, threads, regions, noted)}
    ctx.memory.cells.update((of.cell.name, of.cell) for of in starts.values())
    own = own_cells(noted, ctx.memory.cells, frozenset(ctx.facts.many), "main", start)
    objects = {cell: place.object.key for cell, place in ctx.memory.places.items()}
    guards = ownership.guards_of(ctx, builders, start)
    summaries = frozenset(name for name, cell in ctx.memory.cells.items() if cell.summary)
    for name, builder in builders.items():
        ctx.thread.template = name
        if name == "main" and start:
            noted[name] = with_given(noted[name], builder.entry, builder.crossings, builder.insides, LIBRARY)
        decided = without_repeated(
            noted[name],
            builder.entry,
            builder.insides,
            own[name],
            builder.crossings,
            partial(elsewhere, name),
            objects,
            guards(name, noted[name]) if guards is not None else None,
            summaries,
            HALF if ctx.options.model != "linux" and ctx.data.pointer == ADDRESS.size else PAGE,
        )
        if decided != noted[name]:
            ctx.assume(ASSUMED)
        noted[name] = marked(builder, decided, ctx.memory.cells)
    singled, questions = with_singled(ctx, builders, noted, start)
    counted.update(one(cell) for cell in known | counted)
    for name, (template, builder) in threads.done.items():
        ctx.thread.template = name
        commands = by_quotient(singled[name])
        first = (*(locks[name].begun.steps if name in locks else ()), *(starts[name].taken if name in starts else ()))
        if first:
            last = locks[name].over if name in locks else None
            commands = lived(commands, (builder.entry, builder.exit), Atomic(first), last, builder.outside)
        for other in joined if name == "main" else ():
            ended = (*((starts[other].none,) if other in starts else ()), *locks[other].none_left.steps)
            commands = with_ends(commands, joined[other], Atomic(ended), builder.outside)
        commands = with_starts(commands, starts, builder.outside)
        commands, atomic = compacted(commands, builder.entry, builder.exit, regions[name])
        pointers = frozenset() if is_large(ctx) else led_to(commands, lambda name: ctx.memory.cells[name].is_own)
        asked = replace(questions, answers=questions.answers | pointers)
        commands, atomic = told_apart(commands, builder.entry, atomic, asked, ctx.builder.numbers)
        yield replace(template, atomic=atomic, apart=apart.get(name)), list(sharing.without_locks(ctx, commands))


def _counted(
    ctx: Context,
    threads: Threads,
    regions: Mapping[str, frozenset[int]],
    noted: Mapping[str, Sequence[Command]],
) -> list[str]:
    """The templates of which it is counted how many threads begin: any number of them, started outside of regions."""
    size = sum(len(commands) for commands in noted.values())
    if size > COUNTED or is_large(ctx) or ctx.options.model == "linux" or ctx.options.parameterized:
        return []
    inside = {
        command.instruction.template
        for name, commands in noted.items()
        for command in commands
        if isinstance(command.instruction, Spawn) and not regions[name].isdisjoint((command.source, command.target))
    }
    handlers = ctx.facts.marked(HANDLER)
    several = set(ctx.facts.many) - inside - {"main"}
    return [name for name in threads.done if name in several and name not in handlers]


def _starts_first(command: Command) -> bool:
    """Whether a command starts one more thread of the first template."""
    return any(isinstance(step, Spawn) and step.template == "main" for step in steps(command.instruction))


def _made_alone(command: Command) -> Command:
    """A command before which no other thread was started."""
    accesses = (replace(access, is_alone=True) if access.is_memory else access for access in command.accesses)
    return replace(command, accesses=tuple(accesses))


def _noted(ctx: Context, threads: Threads, regions: Mapping[str, frozenset[int]]) -> Mapping[str, list[Command]]:
    """The commands of each template with the accesses that were noted."""
    noted: dict[str, list[Command]] = {}
    holders = ownership.holders_of(ctx) if ownership.is_wanted(ctx) else {}
    seen: dict[str, bool] = {}
    while True:  # threads found to be given the same argument tell less of what they access
        stale = [name for name in threads.done if seen.get(name) is not (name in ctx.facts.several)]
        if not stale:
            return noted
        for name in stale:
            template, builder = threads.done[name]
            ctx.thread.template, seen[name] = name, name in ctx.facts.several
            noted[name] = sharing.attach(ctx, builder, regions[name], template.function, holders)


def _waiting(command: Command, threads: Threads) -> Command:
    """A command; it does nothing if it waits for a thread that only an earlier round has told apart from others."""
    is_gone = isinstance(command.instruction, Join) and command.instruction.template not in threads.done
    return replace(command, instruction=SKIP) if is_gone else command


def _numbered(parts: Iterable[tuple[Template, list[Command]]]) -> Iterator[tuple[Template, list[Command]]]:
    """Templates with their commands, with locations numbered from 0."""
    numbers: Iterator[int] = iter(range(10**9))
    for template, own in parts:
        renumbered: dict[int, int] = {template.entry: next(numbers)}
        for command in own:
            for place in (command.source, command.target):
                if place not in renumbered:
                    renumbered[place] = next(numbers)
        if template.exit not in renumbered:
            renumbered[template.exit] = next(numbers)
        yield (
            replace(
                template,
                entry=renumbered[template.entry],
                exit=renumbered[template.exit],
                atomic=frozenset(renumbered[place] for place in template.atomic),
            ),
            [item.between(renumbered[item.source], renumbered[item.target]) for item in own],
        )


def _joined(ctx: Context, parts: Iterable[tuple[Template, list[Command]]]) -> Program:
    """Templates with their commands as a program."""
    commands: list[Command] = []
    templates: dict[str, Template] = {}
    handlers = ctx.facts.marked(HANDLER)
    for template, own in parts:
        indices = tuple(range(len(commands), len(commands) + len(own)))
        commands.extend(own)
        is_handler = template.name in handlers
        inside = _inside(ctx, template.name) if is_handler else None
        templates[template.name] = replace(template, commands=indices, interrupts=is_handler, inside=inside)
    return Program(ctx.memory.cells, templates, tuple(commands), "main")


def _inside(ctx: Context, handler: str) -> Inside | None:
    """What a handler runs inside of; None where it may have a thread of its own."""
    if handler in ctx.facts.marked(APART):
        return None
    return Inside.SIGNAL if handler in ctx.facts.marked(SIGNALLED) else Inside.EXIT


def uses_of_destroyed(ctx: Context, threads: Threads) -> frozenset[tuple[str, str]]:
    """The cells of locks and the templates that may use them when they are destroyed, as far as this round knows."""

    def assume(what: Destroying) -> None:
        ctx.assume_at(what.node, JOINED_IN_LOOPS)

    return frozenset(late_users(threads.courses, ctx.facts.many, assume))


def note_uses_of_destroyed(ctx: Context, uses: frozenset[tuple[str, str]]) -> None:
    """Lets operations ask whether a lock is destroyed."""
    for cell, user in sorted(uses):
        ctx.facts.mark(USED_LATE, cell)
        ctx.facts.mark(LATE_USES, (cell, user))
