"""The records are about all that the model headers have."""

from __future__ import annotations

from duet.linux.buses import BUSES, Bus
from duet.linux.refusals import TAKERS
from duet.linux.tables import HOLDERS
from tests.linux.callbacks import headers, members


def test_every_function_of_a_holder_has_a_record() -> None:
    for holder in HOLDERS.values():
        assert set(members(holder.structure)) == {callback.member for callback in holder.callbacks}


def test_every_structure_with_functions_is_a_holder() -> None:
    assert {name for name in headers() if members(name)} == set(HOLDERS) - {"miscdevice"}


def test_tables_of_holders_are_members() -> None:
    for holder in HOLDERS.values():
        assert holder.bound <= {member.name for member in headers()[holder.structure].decls}


def test_buses_are_told_apart() -> None:
    def names(bus: Bus) -> set[str]:
        return set(filter(None, (bus.name, bus.driver.structure, bus.register, bus.unregister, bus.add, bus.delete)))

    everything = [name for bus in BUSES for name in names(bus)]
    assert len(everything) == len(set(everything))


def test_every_bus_is_registered_by_something_that_is_refused_otherwise() -> None:
    for bus in BUSES:
        assert not bus.register or TAKERS[bus.register].structure == bus.driver.structure
        assert bus.device in headers()
