"""Programs that several tests of configurations are about."""

TOLD_BY_FLAGS = """
global lock = 0
global s = 0
global x = 0
thread main { while (*) { choose { spawn client } or { spawn reader } } }
thread client {
  acquire lock
  choose { s := 0  x := 0 } or { s := 1  x := 5 } or { s := 2  x := 1 }
  release lock
}
thread reader {
  local t
  local u
  acquire lock
  t := s
  [t == 1]
  u := x
  assert u == 5
  release lock
}
"""
POOL = """global free = 2 global m = 0
thread main { local r  spawn one  spawn two  join one  join two  r := free  assert r == 2 }
thread one { local place  place := -1
  acquire m  if (free >= 1) { free := free - 1  place := * in 0..3 }  release m
  if (place >= 0) { acquire m  free := free + 1  release m } }
thread two { local other  other := -1
  acquire m  if (free >= 1) { free := free - 1  other := * in 0..3 }  release m
  if (other >= 0) { acquire m  free := free + 1  release m } }
"""
"""What a thread has added is told by a place that is one of several numbers."""
LENT = """global lent = 0 global m = 0
thread main { while (*) { spawn reader } }
thread reader { local n local t  n := * in 1..5
  acquire m  t := lent  lent := t + n  release m
  acquire m  t := lent  assert n <= t  lent := t - n  release m }
"""
"""A global is at least what its reader has added and not taken back: a cell of its own."""
DRAWN = """global left = 5 global done = 0 global m = 0
thread main { spawn one  spawn two }
thread one { local mine  mine := 0
  while (*) { acquire m  if (left >= 1) { left := left - 1  done := done + 1  mine := mine + 1 }  release m }
  assert mine <= 5 }
thread two { while (*) { acquire m  if (left >= 1) { left := left - 1  done := done + 1 }  release m } }
"""
"""A cell of a thread's own is at most what all have added, of which it is a part."""
NUMBERED = """global n = 0 global k = 0
thread main { spawn one  spawn two }
thread one { local t local mine  t := 0  mine := 0
  while (t <= 3) { atomic { t := n  n := n + 1  n := wrap(n, -8, 99) }
    if (t <= 3) { mine := mine + 1  atomic { k := k + 1 } } }
  assert mine <= 4 }
thread two { atomic { n := n + 1 } }
"""
"""Whoever draws a number that others only raise has drawn no more often before."""
STARTING_OVER = NUMBERED.replace("-8, 99", "0, 3")
LOWERED = NUMBERED.replace("thread two { atomic { n := n + 1 } }", "thread two { atomic { n := n - 1 } }")

QUOTA = """global quota = 0 global limit = 0 global m = 0
thread main { local r  local s  r := * in 5..9  limit := r  s := limit  quota := s  spawn user  spawn user
  acquire m  s := quota  assert s <= limit  release m }
thread user { local t  local n  n := * in 1..3  acquire m  t := quota  quota := t - n  release m
  acquire m  t := quota  quota := t + n  t := quota  assert t <= limit  release m }
"""
"""Threads take from what is left of a limit that is set before they start, and give it back."""
HELD = """global held = 0 global m = 0
thread main { while (*) { spawn user } }
thread user { local t  local n  local mine  n := * in 1..3  acquire m  t := held  held := t + n  mine := n  release m
  acquire m  assert held >= mine  [held == mine]  t := held  held := t - mine  release m }
"""
"""A thread gives back what it has where it knows that this is all there is."""
GIVEN_BACK = """global total = 0 global result = 0 global m = 0
thread main { local r  spawn user  spawn other  join user  join other  r := result
  acquire m  assert total == r  release m }
thread user { local t  local n  local i  while (i <= 9) { i := i + 1  if (*) {
  acquire m  t := total  total := t + 1  release m  n := n + 1 } }  result := n }
thread other { local u  acquire m  u := total  total := u + 1  total := u  release m }
"""
"""A thread gives back how much it has added, and stores that only once."""
SHRUNK = """global lo = 0 global hi = 10 global moves = 0
thread main { spawn one  spawn two  spawn shrinker  spawn checker }
thread one { local d  d := * in 0..3  atomic { lo := lo + d  hi := hi + d  moves := moves + 1 } }
thread two { local e  e := * in 0..3  atomic { lo := lo + e  hi := hi + e  moves := moves + 1 } }
thread shrinker { atomic { [hi - lo >= 5]  lo := lo + 1  hi := hi - 1 } }
thread checker { local a  local b  local n  atomic { a := lo  b := hi  n := moves }  n := n + 1
  assert b - a >= 8  assert b - a <= 10 }
"""
"""What is read at once of globals whose difference is bounded by what all have changed it by."""
