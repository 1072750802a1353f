"""Linear terms and formulas of PLIP: building, free cells, negation, evaluation, renaming."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import assert_never

from duet.plip.syntax import FALSE, TRUE, And, Atom, Formula, Linear, Or, Relation


def constant(value: int) -> Linear:
    """The term `value`."""
    return Linear((), value)


def variable(cell: str) -> Linear:
    """The term that is the value of `cell`."""
    return Linear(((cell, 1),))


def linear(coefficients: Mapping[str, int], value: int = 0) -> Linear:
    """The term `sum(k * cell) + value`, normalised."""
    return Linear(tuple(sorted((cell, k) for cell, k in coefficients.items() if k)), value)


def add(left: Linear, right: Linear, factor: int = 1) -> Linear:
    """`left + factor * right`."""
    if not right.terms:
        return Linear(left.terms, left.constant + factor * right.constant)
    coefficients = dict(left.terms)
    for cell, k in right.terms:
        coefficients[cell] = coefficients.get(cell, 0) + factor * k
    return linear(coefficients, left.constant + factor * right.constant)


def scale(term: Linear, factor: int) -> Linear:
    """`factor * term`."""
    return linear({cell: k * factor for cell, k in term.terms}, term.constant * factor)


def compare(left: Linear, operator: str, right: Linear) -> Formula:
    """The formula `left operator right` for one of `< <= > >= == !=`; a constant one is TRUE or FALSE."""
    difference = add(left, right, -1)
    match operator:
        case "<=":
            return atom(difference, Relation.LE)
        case "<":
            return atom(Linear(difference.terms, difference.constant + 1), Relation.LE)
        case ">=":
            return atom(scale(difference, -1), Relation.LE)
        case ">":
            opposite = scale(difference, -1)
            return atom(Linear(opposite.terms, opposite.constant + 1), Relation.LE)
        case "==":
            return atom(difference, Relation.EQ)
        case "!=":
            return atom(difference, Relation.NE)
        case _:
            pass
    raise ValueError(f"not a comparison: {operator}")


def holds(value: int, relation: Relation) -> bool:
    """Whether `value relation 0`."""
    match relation:
        case Relation.LE:
            return value <= 0
        case Relation.EQ:
            return value == 0
        case Relation.NE:
            return value != 0
        case _:
            assert_never(relation)


def atom(term: Linear, relation: Relation) -> Formula:
    """`term relation 0`, folded when `term` is constant; `==` and `!=` get a positive first coefficient."""
    if not term.terms:
        return TRUE if holds(term.constant, relation) else FALSE
    if relation is not Relation.LE and term.terms[0][1] < 0:
        term = scale(term, -1)
    return Atom(term, relation)


def conjunction(parts: Iterable[Formula]) -> Formula:
    """All of `parts`, flattened."""
    flat: list[Formula] = []
    for part in parts:
        if part == FALSE:
            return FALSE
        flat.extend(part.parts if isinstance(part, And) else (part,))
    return flat[0] if len(flat) == 1 else And(tuple(dict.fromkeys(flat)))


def disjunction(parts: Iterable[Formula]) -> Formula:
    """Any of `parts`, flattened."""
    flat: list[Formula] = []
    for part in parts:
        if part == TRUE:
            return TRUE
        flat.extend(part.parts if isinstance(part, Or) else (part,))
    return flat[0] if len(flat) == 1 else Or(tuple(dict.fromkeys(flat)))


def negate_atom(formula: Atom) -> Formula:
    """The negation of an atom: `t <= 0` becomes `1 - t <= 0`."""
    match formula.relation:
        case Relation.LE:
            opposite = scale(formula.term, -1)
            return Atom(Linear(opposite.terms, opposite.constant + 1), Relation.LE)
        case Relation.EQ:
            return Atom(formula.term, Relation.NE)
        case Relation.NE:
            return Atom(formula.term, Relation.EQ)
        case _:
            assert_never(formula.relation)


def negate(formula: Formula) -> Formula:
    """The negation, pushed down to the atoms."""
    match formula:
        case Atom():
            return negate_atom(formula)
        case And(parts):
            return disjunction(negate(part) for part in parts)
        case Or(parts):
            return conjunction(negate(part) for part in parts)
        case _:
            assert_never(formula)


def atoms(formula: Formula) -> tuple[Atom, ...]:
    """The atoms of a formula, left to right, each once."""
    match formula:
        case Atom():
            return (formula,)
        case And(parts) | Or(parts):
            return tuple(dict.fromkeys(found for part in parts for found in atoms(part)))
        case _:
            assert_never(formula)


def term_cells(term: Linear) -> frozenset[str]:
    """The cells of a term."""
    return frozenset(cell for cell, _ in term.terms)


def formula_cells(formula: Formula) -> frozenset[str]:
    """The free cells of a formula."""
    return frozenset(cell for found in atoms(formula) for cell, _ in found.term.terms)


def evaluate(term: Linear, store: Mapping[str, int]) -> int:
    """The value of a term in a store."""
    return sum(k * store[cell] for cell, k in term.terms) + term.constant


def satisfies(formula: Formula, store: Mapping[str, int]) -> bool:
    """Whether a formula holds in a store."""
    match formula:
        case Atom():
            return holds(evaluate(formula.term, store), formula.relation)
        case And(parts):
            return all(satisfies(part, store) for part in parts)
        case Or(parts):
            return any(satisfies(part, store) for part in parts)
        case _:
            assert_never(formula)


def rename_term(term: Linear, rename: Callable[[str], str]) -> Linear:
    """The term with every cell renamed (two cells may become one)."""
    coefficients: dict[str, int] = {}
    for cell, k in term.terms:
        name = rename(cell)
        coefficients[name] = coefficients.get(name, 0) + k
    return linear(coefficients, term.constant)


def substitute(term: Linear, values: Mapping[str, Linear]) -> Linear:
    """The term with terms for some of its cells."""
    if not any(cell in values for cell, _ in term.terms):
        return term
    result = constant(term.constant)
    for cell, k in term.terms:
        result = add(result, values.get(cell, variable(cell)), k)
    return result


def map_atoms(formula: Formula, change: Callable[[Atom], Formula]) -> Formula:
    """The formula with every atom changed."""
    match formula:
        case Atom():
            return change(formula)
        case And(parts):
            return conjunction(map_atoms(part, change) for part in parts)
        case Or(parts):
            return disjunction(map_atoms(part, change) for part in parts)
        case _:
            assert_never(formula)


def rename_formula(formula: Formula, rename: Callable[[str], str]) -> Formula:
    """The formula with every cell renamed."""
    return map_atoms(formula, lambda found: atom(rename_term(found.term, rename), found.relation))


def show_term(term: Linear, name: Callable[[str], str] = str) -> str:
    """`2*x - y + 3`, with cells printed by `name`."""
    text = ""
    for cell, k in term.terms:
        sign = "-" if k < 0 else "+"
        factor = "" if abs(k) == 1 else f"{abs(k)}*"
        lead = ("-" if k < 0 else "") if not text else f" {sign} "
        text += f"{lead}{factor}{name(cell)}"
    if not text:
        return str(term.constant)
    if term.constant:
        text += f" {'-' if term.constant < 0 else '+'} {abs(term.constant)}"
    return text


def show_atom(formula: Atom, name: Callable[[str], str] = str) -> str:
    """`x - y <= 3`: the constant alone on the right; a single negative cell is turned around."""
    term, relation = formula.term, str(formula.relation)
    if all(k < 0 for _, k in term.terms):
        term, relation = scale(term, -1), {"<=": ">="}.get(relation, relation)
    return f"{show_term(Linear(term.terms), name)} {relation} {-term.constant}"


def show_formula(formula: Formula, name: Callable[[str], str] = str) -> str:
    """The formula in the notation of the text form of PLIP."""
    match formula:
        case Atom():
            return show_atom(formula, name)
        case And(parts):
            return " && ".join(_operand(part, name) for part in parts) if parts else "true"
        case Or(parts):
            return " || ".join(_operand(part, name) for part in parts) if parts else "false"
        case _:
            assert_never(formula)


def _operand(formula: Formula, name: Callable[[str], str]) -> str:
    text = show_formula(formula, name)
    return text if isinstance(formula, Atom) or formula in (TRUE, FALSE) else f"({text})"
