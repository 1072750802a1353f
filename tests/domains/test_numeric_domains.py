"""Every numeric domain under the shared laws."""

from __future__ import annotations

from functools import cache

import pytest

from domains.interval import IntervalDomain
from domains.octagon import OctagonDomain
from domains.registry import DomainName, available, domain
from tests.domains.laws import NumericLaws
from tests.domains.programs import Domain

apron = available()[1]
needs_apron = pytest.mark.skipif(apron.version is None, reason=f"APRON cannot be used: {apron.reason}")


@cache
def apron_domain(name: DomainName) -> Domain:
    return domain(name, "apron")


class TestInterval(NumericLaws):
    def make(self) -> Domain:
        return IntervalDomain()


class TestOctagon(NumericLaws):
    def make(self) -> Domain:
        return OctagonDomain()


@needs_apron
class TestApronBox(NumericLaws):
    rounds = False

    def make(self) -> Domain:
        return apron_domain("interval")


@needs_apron
class TestApronOctagon(NumericLaws):
    rounds = False

    def make(self) -> Domain:
        return apron_domain("octagon")
