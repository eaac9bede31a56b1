r"""Numbers as people write them: tokens to a small tree, by a bounded reader.

Nothing of the text is ever executed: the only names are the tables of `geoutils.tokens`; size, depth and number of
steps are bounded (`TooBig`, `Budget`). `geoutils.values` turns a tree into a number.

Trees: ``("n", fmpq)``, ``("pi",)``, ``("e",)``, ``("neg", a)``, ``("+", a, b)`` and likewise ``- * / ^``,
``("root", k, a)``, ``("fn", name, a)``, ``("log", base, a)``, ``("deg", a)`` for a°, ``("pct", a)``,
``("!", a)``, ``("abs", a)``; ``("d", fmpq, places, figures, more)`` is a decimal literal with the digits it shows.
"""

from __future__ import annotations

from flint import fmpq

from geoutils.tokens import FUNCTIONS, INVERSE, MAX_DEPTH, ROOTS, Budget, Token, TooBig, Tree, literal, tokenise

__all__ = ["FUNCTIONS", "INVERSE", "ROOTS", "Budget", "Reader", "Token", "TooBig", "Tree", "literal", "tokenise"]


class Reader:
    """Reads the longest expression that starts at a token. One reader serves one text.

    `strict` (inside a box or a JSON value) lets ``!`` be a factorial at the end of the text.
    """

    __slots__ = ("at", "comma", "deepest", "depth", "steps", "strict", "tokens")

    def __init__(self, tokens: list[Token], *, comma: bool = False, strict: bool = False, steps: int = 4000, deepest: int = MAX_DEPTH) -> None:
        self.tokens = tokens
        self.comma = comma
        self.strict = strict
        self.steps = steps
        self.deepest = deepest
        self.at = 0
        self.depth = 0

    def read(self, start: int) -> tuple[Tree, int] | None:
        """The tree of the longest expression from token `start` and the index after it, or None."""
        self.at = start
        self.depth = 0
        tree = self._sum()
        return None if tree is None else (tree, self.at)

    def _peek(self, ahead: int = 0) -> Token | None:
        self.steps -= 1
        if self.steps < 0:
            raise Budget("more steps than an answer is worth")
        index = self.at + ahead
        return self.tokens[index] if index < len(self.tokens) else None

    def _sum(self) -> Tree | None:
        self.depth += 1
        if self.depth > self.deepest:
            self.depth -= 1
            return None
        left = self._product()
        while left is not None:
            token = self._peek()
            if token is None or token.text not in "+-" or token.kind != "o":
                break
            after = self._peek(1)
            # "12 -5" is not a difference, "12 - 5" and "12-5" are
            if after is None or (token.gap and not after.gap and self.depth == 1 and after.kind == "n" and not self.strict):
                break
            mark = self.at
            self.at += 1
            right = self._product()
            if right is None:
                self.at = mark
                break
            left = (token.text, left, right)
        self.depth -= 1
        return left

    def _product(self) -> Tree | None:
        left = self._signed()
        while left is not None:
            token = self._peek()
            if token is None:
                break
            text, mark = token.text, self.at
            if token.kind == "o" and text in "*/":
                self.at += 1
                right = self._signed()
                if right is None:
                    self.at = mark
                    break
                left = (text, left, right)
            elif text in ("x", "X") and (after := self._peek(1)) is not None and after.kind == "n":
                self.at += 1
                right = self._signed()
                if right is None:
                    self.at = mark
                    break
                left = ("*", left, right)
            elif self._joins(token):
                right = self._power()
                if right is None:
                    self.at = mark
                    break
                left = ("*", left, right)
            else:
                break
        return left

    def _joins(self, token: Token) -> bool:
        """Whether `token` right after a factor multiplies it: 2π, 5√2, 3(4+1), 2e, \\frac12\\sqrt3."""
        text = token.text
        if token.kind == "o":
            return text in "π√∛" or (text in "({" and not token.gap)
        if token.kind == "w":
            if text in ROOTS or text in FUNCTIONS or text == "pi":
                return True
            return text == "e" and not token.gap and self.tokens[self.at - 1].kind == "n"
        return token.kind == "c" and text == "\\frac"

    def _signed(self) -> Tree | None:
        token = self._peek()
        if token is not None and token.kind == "o" and token.text in "-+":
            self.depth += 1
            self.at += 1
            inner = self._signed() if self.depth <= self.deepest else None
            self.depth -= 1
            if inner is None or token.text == "+":
                return inner
            return ("neg", inner)
        return self._power()

    def _power(self) -> Tree | None:
        base = self._atom()
        if base is None:
            return None
        base = self._after(base)
        token = self._peek()
        if token is not None and token.kind == "o" and token.text in ("^", "**"):
            mark = self.at
            self.at += 1
            self.depth += 1
            exponent = self._signed() if self.depth <= self.deepest else None
            self.depth -= 1
            if exponent is None:
                self.at = mark
                return base
            return self._after(("^", base, exponent))
        return base

    def _after(self, base: Tree) -> Tree:
        """What stands behind a factor: %, °, minutes and seconds, factorial."""
        while (token := self._peek()) is not None and token.kind == "o":
            text = token.text
            if text == "%":
                base = ("pct", base)
            elif text == "°":
                base = ("deg", base)
                self.at += 1
                return self._minutes(base)
            elif text == "!" and not token.gap and self._is_factorial():
                base = ("!", base)
            else:
                break
            self.at += 1
        return base

    def _is_factorial(self) -> bool:
        after = self._peek(1)
        if after is None:
            return self.strict
        return not after.gap and after.kind == "o" and after.text in "+-*/^)}" and after.text != "**"

    def _minutes(self, base: Tree) -> Tree:
        scale = 60
        for mark in ("'", "''"):
            token, after = self._peek(), self._peek(1)
            if token is None or after is None or token.kind != "n" or after.text not in ("'", '"'):
                break
            tree = literal(token.text, self.comma)
            if tree is None or (mark == "'" and after.text == '"'):
                break
            self.at += 2
            third = self._peek()
            if mark == "''" and after.text == "'" and third is not None and third.text == "'":
                self.at += 1
            base = ("deg", ("+", base[1], ("/", tree, ("n", fmpq(scale)))))
            scale *= 60
        return base

    def _atom(self) -> Tree | None:
        token = self._peek()
        if token is None:
            return None
        kind, text = token.kind, token.text
        if kind == "n":
            return self._numeral()
        if kind == "o":
            if text == "π":
                self.at += 1
                return ("pi",)
            if text in "({[":
                return self._group(text)
            if text in "√∛":
                return self._root(ROOTS[text])
            if text == "|":
                return self._bars()
            return None
        if kind == "c":
            if text == "\\frac":
                return self._fraction()
            if text == "\\e":
                self.at += 1
                return ("e",)
            if text == "\\overline":
                return None
            return None
        if kind != "w":
            return None
        if text in ROOTS:
            return self._root(ROOTS[text])
        if text in FUNCTIONS:
            return self._function(FUNCTIONS[text])
        if text in ("pi", "Pi", "PI"):
            self.at += 1
            return ("pi",)
        if text == "e" and self._is_constant_e():
            self.at += 1
            return ("e",)
        return None

    def _is_constant_e(self) -> bool:
        """Is this word the number e? Only next to a sign of arithmetic, or alone in its text."""
        before = self.tokens[self.at - 1] if self.at else None
        after = self._peek(1)
        if (after is not None and after.text in ("^", "**")) or len(self.tokens) == 1:
            return True
        if before is None:
            return after is not None and after.kind == "o" and after.text in "+-*/"
        if (before.kind == "n" and not self.tokens[self.at].gap) or before.text in FUNCTIONS:
            return True
        return before.kind == "o" and before.text in ("+", "-", "*", "/", "(", "{", "^", "**")

    def _numeral(self) -> Tree | None:
        token = self.tokens[self.at]
        text = token.text
        tokens, count = self.tokens, len(self.tokens)
        # 45 600: groups of three after blanks
        if len(text) <= 3 and text.isdigit() and text[0] != "0":
            index, joined = self.at + 1, text
            while index < count and tokens[index].kind == "n" and tokens[index].gap and tokens[index].start - tokens[index - 1].end == 1:
                group = tokens[index].text
                if len(group) == 3 and group.isdigit():
                    joined += group
                elif len(group) > 4 and group[:3].isdigit() and group[3] in ".," and group[4:].isdigit():
                    joined += group
                    index += 1
                    break
                else:
                    break
                index += 1
            if joined != text and not (index < count and tokens[index].text == "/"):
                self.at = index
                return literal(joined.replace(",", "."), False)
        tree = literal(text, self.comma)
        if tree is None:
            return None
        self.at += 1
        after = self._peek()
        if after is None:
            return tree
        if after.kind == "c" and after.text == "\\overline":
            return self._repeating(text)
        if after.text == "(" and not after.gap and "." in text:
            close, digits = self._peek(2), self._peek(1)
            if digits is not None and close is not None and digits.kind == "n" and close.text == ")" and digits.text.isdigit():
                return self._repeat(text, digits.text, 3)
        if after.text == "..." and tree[0] == "d":
            self.at += 1
            return (*tree[:4], True)
        if tree[0] == "n":
            return self._mixed(tree)
        return tree

    def _repeating(self, text: str) -> Tree | None:
        """0.\\overline{3}"""
        opening, digits, close = self._peek(1), self._peek(2), self._peek(3)
        if opening is None or digits is None or opening.text != "{" or digits.kind != "n" or close is None or close.text != "}":
            return None
        return self._repeat(text, digits.text, 4)

    def _repeat(self, text: str, digits: str, skip: int) -> Tree | None:
        part = text.partition(".")[2]
        if not digits.isdigit() or len(text) + len(digits) > 200:
            return None
        self.at += skip
        period = fmpq(int(digits), (10 ** len(digits) - 1) * 10 ** len(part))
        return ("n", fmpq(int(text.replace(".", "") or 0), 10 ** len(part)) + period)

    def _mixed(self, whole: Tree) -> Tree:
        """2 3/4 and 1\\frac{1}{2}; also "2 1/2" with the fraction not reduced."""
        token = self._peek()
        if token is None:
            return whole
        if token.kind == "c" and token.text == "\\frac":
            mark = self.at
            tree = self._fraction()
            if tree is not None and tree[1][0] == "n" and tree[2][0] == "n" and 0 < tree[1][1] < tree[2][1]:
                return ("+", whole, tree)
            self.at = mark
            return whole
        if token.kind == "n" and token.gap and token.text.isdigit():
            slash, below = self._peek(1), self._peek(2)
            if slash is not None and below is not None and slash.text == "/" and below.kind == "n" and below.text.isdigit():
                top, bottom = int(token.text[:9]), int(below.text[:9])
                if 0 < top < bottom:
                    self.at += 3
                    return ("+", whole, ("/", ("n", fmpq(top)), ("n", fmpq(bottom))))
        return whole

    def _group(self, opening: str) -> Tree | None:
        mark = self.at
        self.at += 1
        inner = self._sum()
        token = self._peek()
        if inner is None or token is None or token.text != {"(": ")", "{": "}", "[": "]"}[opening]:
            self.at = mark
            return None
        self.at += 1
        return inner

    def _bars(self) -> Tree | None:
        mark = self.at
        self.at += 1
        inner = self._sum()
        token = self._peek()
        if inner is None or token is None or token.text != "|":
            self.at = mark
            return None
        self.at += 1
        return ("abs", inner)

    def _root(self, degree: int) -> Tree | None:
        mark = self.at
        self.at += 1
        token = self._peek()
        if token is not None and token.text == "[":
            index, close = self._peek(1), self._peek(2)
            if index is None or close is None or close.text != "]" or not index.text.isdigit() or len(index.text) > 2:
                self.at = mark
                return None
            degree = int(index.text)
            self.at += 3
        self.depth += 1
        inner = self._atom() if self.depth <= self.deepest else None
        self.depth -= 1
        if inner is None or degree < 2:
            self.at = mark
            return None
        return ("root", degree, inner)

    def _function(self, name: str) -> Tree | None:
        mark = self.at
        self.at += 1
        power: Tree | None = None
        base: Tree | None = None
        self.depth += 1
        try:
            if self.depth > self.deepest:
                self.at = mark
                return None
            token = self._peek()
            if token is not None and token.text == "_":
                self.at += 1
                base = self._atom()
                token = self._peek()
                if base is None or name not in ("ln", "log"):
                    self.at = mark
                    return None
            if token is not None and token.text in ("^", "**"):
                self.at += 1
                power = self._signed_atom()
                token = self._peek()
                if power is None:
                    self.at = mark
                    return None
            if token is not None and token.text in "({[":
                inner = self._group(token.text)
                if inner is not None:
                    inner = self._after(inner) if self._degree_follows() else inner
            else:
                inner = self._argument()
            if inner is None:
                self.at = mark
                return None
        finally:
            self.depth -= 1
        if power == ("neg", ("n", fmpq(1))) and "a" + name in INVERSE:
            return ("fn", "a" + name, inner)
        tree: Tree = ("log", base, inner) if base is not None else ("fn", name, inner)
        return tree if power is None else ("^", tree, power)

    def _degree_follows(self) -> bool:
        token = self._peek()
        return token is not None and token.text == "°"

    def _signed_atom(self) -> Tree | None:
        token = self._peek()
        if token is not None and token.text == "-":
            self.at += 1
            inner = self._atom()
            return None if inner is None else ("neg", inner)
        return self._atom()

    def _argument(self) -> Tree | None:
        """The argument of a function without parentheses: sin 30°, cos 2π/3, ln 2."""
        left = self._signed()
        while left is not None:
            token = self._peek()
            if token is None or not ((token.text == "/" and not token.gap) or token.text in "π√"):
                break
            mark = self.at
            self.at += token.text == "/"
            right = self._power()
            if right is None:
                self.at = mark
                break
            left = ("/" if token.text == "/" else "*", left, right)
        return left

    def _fraction(self) -> Tree | None:
        mark = self.at
        self.at += 1
        self.depth += 1
        top = self._part() if self.depth <= self.deepest else None
        bottom = self._part() if top is not None else None
        self.depth -= 1
        if top is None or bottom is None:
            self.at = mark
            return None
        return ("/", top, bottom)

    def _part(self) -> Tree | None:
        r"""One argument of \frac: a group, or a single digit of \frac{3}4."""
        token = self._peek()
        if token is not None and token.kind == "n":
            if token.text.isdigit() and len(token.text) > 1:
                self.tokens[self.at] = token._replace(text=token.text[1:], start=token.start + 1, gap=False)
                return ("n", fmpq(int(token.text[0])))
            self.at += 1
            return literal(token.text)
        return self._atom()
