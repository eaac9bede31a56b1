"""One answer in the many ways a model may write it, all of them right.

`baseline/gold` answers with these forms, and the gold self-test grades every gold against all of them:
a grader that refuses one of them, or a gold that cannot be read, shows at once.
"""

from __future__ import annotations

import json

from flint import arb, fmpq

from geoutils.answers import MIN_SIGNIFICANT, Value, read_gold
from geoutils.choices import LETTER, is_letter
from geoutils.values import decimal_text, evaluate, precision, show


def rounded(value: Value, places: int) -> str:
    """`value` as a decimal with `places` digits after the point, half-up; angles in degrees if its unit says so."""
    assert value.tree is not None
    for bits in (192, 1024):
        with precision(bits):
            number = evaluate(value.tree, degrees=value.unit == "degrees")
            scaled = abs(number) * 10**places + fmpq(1, 2)
            floor = scaled.floor() if isinstance(scaled, fmpq) else arb(scaled).floor().unique_fmpz()
            if floor is not None:
                digits = fmpq(floor) / 10**places
                return decimal_text(digits if number > 0 else -digits, places)
    raise ValueError(f"cannot round {value.text} to {places} places")


def _figures(text: str) -> int:
    return len(text.replace(".", "").lstrip("-0"))


def written_forms(answer: str, unit: str | None = None) -> list[str]:
    r"""At least ten responses that all mean `answer`: ASCII, LaTeX, Unicode, decimals, JSON, sentences.

    `answer` is a closed form (`3*sqrt(2)/5`, `arctan(2/3)`) or a decimal, `unit` "degrees" or none.
    Decimals have 3 to 6 places and appear where that shows at least three figures and the answer
    is no whole number; a letter (of a multiple choice) is only named. Raises ValueError when `answer` cannot be read.

    >>> written_forms("sqrt(5)/2")[:4]
    ['sqrt(5)/2', 'Answer: sqrt(5)/2', '\\boxed{\\frac{\\sqrt{5}}{2}}', '√5/2']
    """
    if is_letter(answer) and unit in (None, "", LETTER):
        gold = answer.strip()
        words = ["{}", "({})", "Answer: {}", "**{}**", "The answer is ({}).", "The correct option is {}.", "Option {} is correct.", "Final answer: {}."]
        return [form.format(gold) for form in words] + [rf"\boxed{{{gold}}}", json.dumps({"answer": gold})]
    value = read_gold(answer, unit)
    degrees = value.unit == "degrees"
    assert value.tree is not None
    plain, latex, unicode = (show(value.tree, style) for style in ("ascii", "latex", "unicode"))
    is_angle_text = degrees and not plain.replace(".", "").replace("/", "").lstrip("-").isdigit()
    sign, tex_sign, word = ("°", r"^\circ", " degrees") if degrees and not is_angle_text else ("", "", "")
    forms = [
        plain,
        f"Answer: {plain}{word}",
        rf"\boxed{{{latex}{tex_sign}}}",
        f"{unicode}{sign}",
        f"The answer is ${latex}{tex_sign}$.",
        f"**Final answer:** {plain}{sign}",
        json.dumps({"answer": plain}),
        "```json\n" + json.dumps({"reasoning": "by the figure", "numeric_answer": plain}, indent=1) + "\n```",
        json.dumps({"answer": latex}),
        f"<think>First 7, then 11.</think>\nAnswer: {plain}",
        f"<answer>{plain}</answer>",
        f"We use the figure.\n\n#### {plain}",
        f"Die Antwort ist {unicode}{sign}.",
        f"答案是{unicode}{sign}。",
        f"Therefore the result is \\( {latex}{tex_sign} \\).\n\nFinal Answer: \\[ \\boxed{{{latex}{tex_sign}}} \\]",
    ]
    if value.kind != "integer":
        for places in (3, 4, 5, 6):
            digits = rounded(value, places)
            if (value.kind == "decimal" and places < value.places) or _figures(digits) < MIN_SIGNIFICANT:
                continue
            forms += [digits, f"The answer is approximately {digits}{sign or word}.", rf"\boxed{{{digits}{tex_sign}}}",
                      json.dumps({"answer": float(digits)}) if digits[-1] != "0" else f"Answer: {digits}",
                      f"Die Antwort ist {digits.replace('.', ',')}{sign}."]  # fmt: skip
    return forms
