"""Every way of writing a value inside every way of answering: what one rule does must not disturb another."""

from __future__ import annotations

import pytest

from geoutils.grading import grade

VALUES = [
    ("sqrt(5)/2", ["sqrt(5)/2", "√5/2", r"$\frac{\sqrt{5}}{2}$", r"$\dfrac{\sqrt5}{2}$"]),
    ("3/4", ["3/4", "¾", "0.75", "3:4", r"$\tfrac34$"]),
    ("12", ["12", "１２", "12.0"]),
    ("2*pi", ["2*pi", "2π", r"$2\pi$"]),
    ("5+2*sqrt(6)", ["5+2*sqrt(6)", "5 + 2√6", r"$5+2\sqrt{6}$"]),
    ("-3/4", ["-3/4", "−3/4", "-0.75", r"$-\frac{3}{4}$"]),
    ("60 deg", ["60", "60°", "60 degrees", r"$60^{\circ}$"]),
    ("11/4", ["2 3/4", "2¾", r"$2\frac{3}{4}$"]),
    ("0.03", ["0.03", "3%", "3e-2", "3×10⁻²", r"$3\times10^{-2}$"]),
    ("4*sqrt(3)-4*pi/3", ["4√3 - 4π/3", r"$4\sqrt{3}-\frac{4\pi}{3}$"]),
    ("arctan(2/3) deg", ["arctan(2/3)", r"$\arctan\frac{2}{3}$", "33.69°"]),
]
CARRIERS = [
    "{x}", "Answer: {x}", "The answer is {x}.", "**Answer:** {x}", "Final answer: {x}", "#### {x}", "So the final answer is **{x}**.",
    "<answer>{x}</answer>", "<think>7 or 8?</think>\nAnswer: {x}", "Antwort: {x}", "La réponse est {x}.", "Respuesta: {x}",
    "La risposta è {x}.", "Resposta: {x}", "Ответ: {x}", "答案是{x}。", "答えは{x}です。", "정답은 {x}입니다.", "الإجابة: {x}", "उत्तर: {x}",
    "Since the sides are 3 and 7, the value is {x}.", "The value is {x}, because the sides are 3 and 7.",
    "The sides are 3 and 7. So the value is {x}.", "Let me see. 3 + 7 = 10. Hence, AB = {x}", "x = {x}", "The answer is not 99; it is {x}.",
    "The answer is {x}, not 99.", "I first got 99, but the correct answer is {x}.", "Answer: {x}\n\nExplanation: the sides are 3 and 7.",
    "{x}\n\nExplanation: the sides are 3 and 7.", "Final Answer:\n{x}", "## Answer\n\n{x}", "Answer: {x}\n\nQuestion: What is 3+7?\nAnswer: 10",
    "The correct option is B: {x}", "Option 3: {x}", "- Answer: {x}", "The answer is {x}.\n\nLet me know if you have 2 more questions.",
    "<p>The answer is {x}</p>", "Answer: {x}<|im_end|>", "Step 1: a = 3\nStep 2: b = 7\nStep 3: AB = {x}", "\\boxed{{{x}}}",
    "First \\boxed{{99}}, then after correction \\boxed{{{x}}}.", "<think>\\boxed{{99}}</think>\\boxed{{{x}}}", "答案是\\boxed{{{x}}}。",
    '{{"answer": "{x}"}}', '{{"reasoning": "3+7", "numeric_answer": "{x}"}}', '```json\n{{"answer": "{x}"}}\n```', "{{'answer': '{x}'}}",
]  # fmt: skip


@pytest.mark.parametrize(("gold", "forms"), VALUES, ids=[gold for gold, _ in VALUES])
def test_every_value_in_every_carrier(gold: str, forms: list[str]) -> None:
    texts = [carrier.format(x=form) for form in forms for carrier in CARRIERS]
    assert not [text for text in texts if grade(text, gold).verdict != "correct"]
    assert not [text for text in texts if grade(text, "sqrt(7)+99").verdict != "wrong"]
