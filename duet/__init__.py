"""duet: a verifier for concurrent C programs in which any number of threads run the same code.

Source text -> PLIP -> data flow graph <-> invariants and interference -> verdicts -> report. Each arrow is a package; a
stage takes frozen values and returns frozen values. From what everything uses to what uses everything:

- `duet.source`, `duet.errors`, `duet.options`, `duet.result`: places in text, the error tree, options, results;
  `duet.records`: what the most numerous objects are made of.
- `duet.plip`: the intermediate language, its text form, its explicit-state semantics (the oracle of the tests).
- `duet.frontend`: C text to PLIP. Its rooms, from the text to the program: `source` (text to tree), `ctypes` (types,
  scopes, constants), `graph` (the control flow graph that is built), `judgments` (about the whole program), `cells`
  (objects to cells, the gate of accesses), `expressions`, `models` (library functions), `bodies` (statements, calls).
- `duet.boolean`: Boolean programs with threads (`.bp`) to PLIP.
- `duet.linux`: roles of the functions of a driver, buses, the harness that runs them, model headers.
- `duet.fixpoint`: iteration engines; they know nothing of PLIP.
- `duet.flow`: reaching definitions, packs, data flow graphs.
- `duet.absint`: the invariants of a data flow graph.
- `duet.interference`: which definitions one thread can see of another; the facts for `datalog`, and what it derives.
- `duet.check`: invariant and assertion to verdict.
- `duet.coarsen`: the technique: the two halves in turn, until nothing new flows, for one configuration after the other.
- `duet.verify`: what data flow graphs leave open: schedules in which checks fail, proofs with cubes.
- `duet.replay`: only if asked: the C program compiled and run under a schedule, so that what fails is seen to.
- `duet.certificate`: the proof of the verdicts as a file, and a checker of it that shares no code with what is above.
- `duet.report`: results as text, JSON, SARIF and HTML.
- `duet.limits`, `duet.deadline`, `duet.clock`: a job in a process of its own, under a time and a memory limit; work
  that may give up; how long each stage took.
- `duet.reading`: from files and options to the program that is analysed.
- `duet.pipeline`, `duet.show`, `duet.stages`, `duet.doctor`: the stages put together, what they see, what they can use.
- `duet.batch`: many tasks at once: suites, worker processes, results that survive a kill, tables.
- `duet.witness`: correctness witnesses: invariants in C at places of the source, written, read and checked.
- `duet.competition`, `duet.benchexec`: one property and one result line, as competitions have it.
- `duet.lsp`: a language server for editors; `duet.configuration`: files and options that a directory has.
- `duet.cli`, `duet.arguments`, `duet.compiler`, `duet.__main__`: the command line; `duet.terminal`, `duet.progress`:
  what a terminal shows; `duet.lazy`: modules that are loaded when they are needed; `duet.garbage`: how often
  cycles of objects are looked for.

`domains` (numeric abstract domains) and `datalog` (rule engines) are libraries beside this package; they never
import it. `docs/tour.md` walks through all of it.
"""

__version__ = "0.2.0"
