"""Every numeric domain under the shared laws."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from domains.apron import ApronDomain, Kind, load
from domains.equalities import WithEqualities
from domains.numbers import NumbersDomain
from domains.octagon import OctagonDomain
from domains.ppl import PplDomain
from domains.ppl import load as load_ppl
from domains.product import Product
from domains.registry import available
from tests.domains.laws import NumericLaws
from tests.domains.programs import Domain

_, apron, ppl = available()
needs_apron = pytest.mark.skipif(apron.version is None, reason=f"APRON cannot be used: {apron.reason}")


needs_ppl = pytest.mark.skipif(ppl.version is None, reason=f"PPL cannot be used: {ppl.reason}")


@cache
def apron_domain(name: Kind) -> Domain:
    """APRON by itself, without the numbers that `domains.registry` puts beside it."""
    return ApronDomain(load(), name)


class TestOctagon(NumericLaws):
    def make(self) -> Domain:
        return OctagonDomain()


class ValuedLaws(NumericLaws):
    """Constraints leave out what is not linear, which `number` tells."""

    def rebuilt(self, domain: Domain, value: Any, n: int) -> Any:
        assert isinstance(domain, NumbersDomain | Product)
        result = super().rebuilt(domain, value, n)
        for v in range(0 if domain.is_bottom(value) else n):
            result = domain.meet_number(result, v, domain.number(value, v))
        return result


class TestNumbers(ValuedLaws):
    def make(self) -> Domain:
        return NumbersDomain()


class TestOctagonWithNumbers(ValuedLaws):
    def make(self) -> Domain:
        return Product(OctagonDomain())


class TestOctagonWithEqualities(NumericLaws):
    rounds = False

    def make(self) -> Domain:
        return WithEqualities(OctagonDomain())


class TestOctagonWithEqualitiesAndNumbers(ValuedLaws):
    rounds = False

    def make(self) -> Domain:
        return Product(WithEqualities(OctagonDomain()))


@needs_apron
class TestApronOctagonWithNumbers(ValuedLaws):
    rounds = False

    def make(self) -> Domain:
        return Product(apron_domain("octagon"))


@needs_ppl
class TestPolyhedra(NumericLaws):
    rounds = False

    def make(self) -> Domain:
        return PplDomain(load_ppl())


@needs_ppl
class TestPolyhedraWithNumbers(ValuedLaws):
    rounds = False

    def make(self) -> Domain:
        return Product(PplDomain(load_ppl()))


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
