"""A batch from start to end: what is left is run, every result is kept at once, the reports of the suite come last."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass

from duet.batch import baseline, cluster, page, pool, tables
from duet.batch.baseline import Earlier
from duet.batch.fingerprint import fingerprint
from duet.batch.progress import Display
from duet.batch.resume import JUNIT, PAGE, TABLE, Record, Store
from duet.batch.task import Suite, Task
from duet.batch.verdict import Row, rows
from duet.batch.work import Done


@dataclass(frozen=True, slots=True)
class Plan:
    """How a suite is to be run; `scheduler` is the address of a Dask cluster, empty for this machine.

    The results are compared with an `earlier` batch, if there is one.
    """

    directory: str
    jobs: int
    resume: bool = False
    scheduler: str = ""
    earlier: Earlier | None = None


def run(suite: Suite, plan: Plan) -> tuple[Row, ...]:
    """The tasks with their results. The suite's page and tables are also written when the user interrupts.

    *Raises*: UsageError where results cannot be written or the cluster cannot be reached; KeyboardInterrupt.
    """
    with Store(plan.directory, plan.resume) as store, Display(len(suite.tasks)) as display:
        records: dict[str, Record] = {}
        try:
            _run(suite, plan, store, display, records)
        finally:
            found = rows(suite, records)
            if plan.earlier is not None:
                opened = {name: store.open_checks(record) for name, record in records.items()}
                found = baseline.compared(found, opened, plan.earlier)
            store.write(PAGE, page.render(suite, found))
            store.write(TABLE, tables.render_csv(found))
            store.write(JUNIT, tables.render_junit(suite.title, found))
        return found


def _run(suite: Suite, plan: Plan, store: Store, display: Display, records: dict[str, Record]) -> None:
    """Fills `records` with results, the earlier ones first."""
    left: list[Task] = []
    for task in suite.tasks:
        if task.skipped:
            display.ended(Row(task, None))
        elif (record := store.finished(task)) is not None:
            records[task.name] = record
            display.ended(Row(task, record), "from before")
        else:
            left.append(task)
    # The input as it is before the run: should it change meanwhile, the next resume runs the task again.
    marks = {task.name: fingerprint(task) for task in left}
    with closing(_results(left, plan, display)) as results:
        for task, done in results:
            records[task.name] = store.save(task, marks[task.name], done)
            display.ended(Row(task, records[task.name]))


def _results(tasks: list[Task], plan: Plan, display: Display) -> Generator[tuple[Task, Done], None, None]:
    if plan.scheduler and tasks:
        yield from cluster.results(tasks, plan.scheduler, display)
    else:
        yield from pool.results(tasks, plan.jobs, display)
