"""Linux drivers: who calls their functions, the harness that does it, and headers that model the kernel.

In the order of their use:

- `callbacks`: records of the structures of functions and of the functions of the kernel that take callbacks.
- `buses`: one record for each bus.
- `tree`: what can be read off a tree of C by itself.
- `refusals`: what is refused, as the harness would miss executions of it.
- `tables`: the functions in the structures that a driver initialises.
- `timers`, `parameters`: the timers and the module parameters of a driver.
- `roles`: the roles of all functions of a driver.
- `plan`: what the harness does, as records.
- `configuration`: the macros of a kernel's configuration that are not defined here.
- `harness`: the text of the harness, which the templates in `templates` write.
- `include`: the headers.
"""
