"""The calls that a thread is in while it is lowered."""

from duet.frontend.cells.thread import Frame, Thread
from duet.frontend.ctypes.types import INT


def test_the_innermost_call_is_the_one_being_lowered() -> None:
    thread = Thread()
    outer, inner = Frame("f", INT, "f"), Frame("g", INT, "g")
    thread.frames += [outer, inner]
    assert thread.frame is inner
    thread.frames.pop()
    assert thread.frame is outer


def test_calls_of_one_function_are_told_apart() -> None:
    assert Frame("f", INT, "f") != Frame("f", INT, "f")
