"""Which locals of a function are certainly assigned before anything else is done with them.

Read off the statements of the outermost block in their order: nothing enters it but at its start, or by a jump from
inside of it. *Approximates*: under.
"""

from __future__ import annotations

from collections.abc import Iterator

from duet.frontend.ctypes.scope import Local
from duet.frontend.form.control import Block, ComputedGoto, Declare, Evaluate, Goto, Statement
from duet.frontend.form.tree import Assign, Form, Parts, Variable
from duet.frontend.form.walk import every, mentions


def settled(block: Statement) -> Iterator[Local]:
    """The locals of which the first statement that mentions them assigns them, with no jump in front of that."""
    seen: set[Local] = set()
    for item in block.items if isinstance(block, Block) else ():
        found = _assigned(item)
        if found is not None and found not in seen:
            yield found
        parts = list(every(item))
        seen |= {part.symbol for part in parts if isinstance(part, Variable) and isinstance(part.symbol, Local)}
        if any(isinstance(part, Goto | ComputedGoto) for part in parts):
            return


def _assigned(item: Statement) -> Local | None:
    """The local that a statement assigns as a whole, where its value does not mention it."""
    match item:
        case Declare(local=local, initialiser=given) if given is not None and not isinstance(given, Parts):
            value: Form = given
        case Evaluate(value=Assign(operator="", place=Variable(symbol=Local() as local), value=value)):
            pass
        case _:
            return None
    return None if local.duration != "automatic" or mentions(value, local) else local
