"""The tree as one SQL expression: a flat CASE, one WHEN per leaf, so that no database's limit on nesting matters."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from tsdt.schema import OTHER, Attribute
from tsdt.views.conditions import Branch, Category, Condition, Interval, branches
from tsdt.views.values import has_half_pair, plain

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree

DialectName = Literal["sqlite", "postgresql", "duckdb"]


def to_sql(tree: DecisionTree, dialect: DialectName = "sqlite") -> str:
    """The tree as a CASE expression over the columns of a table; see `DecisionTree.to_sql`.

    >>> from tsdt.views.example import weather
    >>> print(to_sql(weather(), "postgresql"))
    CASE
      WHEN "outlook" = 'sunny' AND CAST("humidity" AS double precision) <= 77.5 THEN 'yes'
      WHEN "outlook" = 'sunny' AND (CAST("humidity" AS double precision) > 77.5 OR "humidity" IS NULL) THEN 'no'
      WHEN "outlook" = 'overcast' THEN 'yes'
      WHEN "outlook" = 'rain' THEN 'yes'
      ELSE 'yes'
    END
    """
    if dialect not in DIALECTS:
        raise ValueError(f"dialect is {dialect!r}; it must be one of {', '.join(map(repr, DIALECTS))}")
    speak = DIALECTS[dialect]
    used = sorted({node.attribute for node in tree.nodes if not node.is_leaf})
    speak.check_columns([tree.attributes[i] for i in used])
    answers = [speak.answer(tree.answer(node)) for node in tree.nodes]
    speak.check_types([tree.answer(node) for node in tree.nodes], "the classes")
    asked = branches(tree)
    whens = [f"  WHEN {_where(asked[i], speak)} THEN {answers[i]}" for i in _decisive(tree, asked)]
    return "\n".join(["CASE", *whens, f"  ELSE {answers[0]}", "END"]) if whens else answers[0]


def _decisive(tree: DecisionTree, asked: list[Branch]) -> Iterator[int]:
    """The nodes that need a WHEN, in their order: a leaf, or a split after all below it, for what it has not seen.

    A split that would say what falls through to a split above it anyway needs none.
    """
    stack, through = [(0, False)], {0: tree.nodes[0].label}
    while stack:
        i, after = stack.pop()
        node = tree.nodes[i]
        if after or node.is_leaf:
            if i and all(condition.possible for condition in asked[i].values()):
                yield i
            continue
        complete = node.threshold is not None and node.missing >= 0
        if not complete and node.label != through[i]:
            stack.append((i, True))
            through[i] = node.label
        for child in reversed(node.children):
            through[child] = through[i]
            stack.append((child, False))


def _where(branch: Branch, speak: Dialect) -> str:
    return " AND ".join(speak.condition(condition) for condition in branch.values())


class Dialect:
    """How PostgreSQL writes names, values and conditions; the others differ in a few places.

    NaN is above every number there, equal to itself, and stands for missing as NULL does.
    """

    quote = '"'
    real = "double precision"
    has_nan = True
    empty_names = False
    strict_types = True
    folds_case = False

    def column(self, attribute: Attribute) -> str:
        """The name of a column, quoted."""
        name = attribute.name
        if not isinstance(name, (str, int)) or isinstance(name, bool):
            raise TypeError(f"attribute {name!r} ({type(name).__name__}) has no name that a column can have; use text")
        text = _clean(str(name))
        if not text and not self.empty_names:
            raise ValueError("an attribute's name is empty; this database has no such columns")
        return self.quote + text.replace(self.quote, self.quote * 2) + self.quote

    def check_columns(self, attributes: list[Attribute]) -> None:
        """Refuse attributes that cannot be the columns of one table."""
        for attribute in attributes:
            if not attribute.is_numeric:
                self.check_types(list(attribute.categories), f"the categories of {attribute.name!r}")
        names = [str(name) for name in dict.fromkeys(attribute.name for attribute in attributes)]
        seen = {_lower(name) if self.folds_case else name for name in names}
        if len(seen) < len(names):
            raise ValueError(f"the attributes {names} would not be different columns here; rename one")

    def check_types(self, values: list[Hashable], what: str) -> None:
        """Refuse values that no typed column can hold together."""
        known = [_plain(value) for value in values if value is not None and value is not OTHER]
        kinds = {"number" if type(value) in (int, float) else type(value).__name__ for value in known}
        if self.strict_types and len(kinds) > 1:
            raise TypeError(f"{what} are of the types {sorted(kinds)}; a column here has one type")

    def condition(self, condition: Condition) -> str:
        """What a path asks of one column."""
        if isinstance(condition, Interval):
            return self._interval(condition)
        return self._category(condition)

    def _interval(self, interval: Interval) -> str:
        column = self.column(interval.attribute)
        number = f"CAST({column} AS {self.real})"
        if interval.empty:
            return self._missing(column, numeric=True)
        tests = [f"{number} > {self.number(interval.low)}"] if interval.low is not None else []
        tests += [f"{number} <= {self.number(interval.high)}"] if interval.high is not None else []
        if interval.missing:  # NaN passes a test without an upper limit already
            missing = self._missing(column, numeric=interval.high is not None)
            return f"({' AND '.join(tests)} OR {missing})"
        if not tests:
            tests.append(f"{column} IS NOT NULL")
        if interval.high is None and self.has_nan:
            tests.append(f"NOT {self.is_nan(number)}")
        return " AND ".join(tests)

    def _category(self, category: Category) -> str:
        attribute = category.attribute
        column = self.column(attribute)
        known = [_plain(c) for c in attribute.categories if c is not None and c is not OTHER]
        numeric = any(type(c) in (int, float) for c in known)
        wanted = attribute.categories[category.code]
        if wanted is None:
            return self._missing(column, numeric)
        if wanted is not OTHER:
            return f"{column} = {self.value(wanted)}"
        test = f"{column} NOT IN ({', '.join(map(self.value, known))})" if known else f"{column} IS NOT NULL"
        return f"{test} AND NOT {self.is_nan(f'CAST({column} AS {self.real})')}" if numeric and self.has_nan else test

    def _missing(self, column: str, numeric: bool) -> str:
        if not numeric or not self.has_nan:
            return f"{column} IS NULL"
        return f"({column} IS NULL OR {self.is_nan(f'CAST({column} AS {self.real})')})"

    def is_nan(self, number: str) -> str:
        """Whether a float is NaN."""
        return f"({number} = 'NaN')"

    def number(self, value: float) -> str:
        """A float, exactly."""
        return repr(value) if math.isfinite(value) else f"CAST('{value}inity' AS {self.real})"

    def boolean(self, value: bool) -> str:
        """True or false."""
        return "TRUE" if value else "FALSE"

    def value(self, value: Any) -> str:
        """A value as a literal."""
        value = _plain(value)
        if value is None:
            return "NULL"
        if isinstance(value, str):
            return "'" + _clean(value).replace("'", "''") + "'"
        if isinstance(value, bool):
            return self.boolean(value)
        return self.number(value) if isinstance(value, float) else str(value)

    def answer(self, value: Any) -> str:
        """A class as a literal that keeps its type."""
        literal = self.value(value)
        return f"CAST({literal} AS {self.real})" if isinstance(_plain(value), float) else literal


class DuckDB(Dialect):
    """DuckDB: a number with a point is a decimal there, one with an exponent a float."""

    real = "DOUBLE"
    folds_case = True

    def is_nan(self, number: str) -> str:
        """Whether a float is NaN."""
        return f"isnan({number})"

    def number(self, value: float) -> str:
        """A float, exactly."""
        text = super().number(value)
        return text if "e" in text or "C" in text else text + "e0"


class SQLite(Dialect):
    """SQLite: values have types, columns have none; NaN is stored as NULL; booleans are 0 and 1.

    Names stand between backticks: SQLite takes "name" for a text where the table lacks the column.
    """

    quote = "`"
    real = "REAL"
    has_nan = False
    empty_names = True
    strict_types = False
    folds_case = True

    def boolean(self, value: bool) -> str:
        """True or false."""
        return str(int(value))

    def number(self, value: float) -> str:
        """A float, exactly: before 3.43 SQLite reads some decimals a little too high, so those are a quotient here."""
        if not math.isfinite(value):
            return "9e999" if value > 0 else "-9e999"
        return repr(value) if _reads_exactly(value) else _quotient(value)


DIALECTS: dict[str, Dialect] = {"sqlite": SQLite(), "postgresql": Dialect(), "duckdb": DuckDB()}


def _reads_exactly(value: float) -> bool:
    """Whether dividing in 64 bits and rounding to 53 gives the float: few digits, not near the middle of two floats."""
    mantissa, _, exponent = f"{value!r}".partition("e")
    digits = mantissa.strip("-").replace(".", "").strip("0")
    if len(digits) > 15 or exponent or abs(value) >= 1e15:
        return False
    off = abs(Fraction(mantissa) - Fraction(value)) / Fraction(math.ulp(value))
    return abs(off - Fraction(1, 2)) > Fraction(1, 256)


def _quotient(value: float) -> str:
    """A float as an integer times or divided by powers of two, every step of it exact."""
    above, below = value.as_integer_ratio()
    shift = below.bit_length() - 1
    while above and above % 2 == 0:
        above, shift = above // 2, shift - 1
    text, sign = f"CAST({above} AS REAL)", "/" if shift > 0 else "*"
    for start in range(0, abs(shift), 62):
        text += f" {sign} {2 ** min(62, abs(shift) - start)}"
    return f"({text})"


def _plain(value: Any) -> Any:
    value = plain(value)
    if type(value) is int and not -(2**63) <= value < 2**63:
        raise ValueError(f"{value!r} does not fit in 64 bits, as an integer in SQL must")
    if type(value) in (str, int, float, bool, type(None)) and value == value:
        return value
    raise TypeError(
        f"{value!r} ({type(value).__name__}) has no literal in SQL; text, numbers, booleans and None have one"
    )


def _clean(text: str) -> str:
    if "\x00" in text or has_half_pair(text):
        raise ValueError(f"{text!r} has a character that no SQL text can have (NUL or half of a surrogate pair)")
    return text


def _lower(text: str) -> str:
    return "".join(c.lower() if c.isascii() else c for c in text)
