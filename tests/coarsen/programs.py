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
