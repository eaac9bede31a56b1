"""Two different cevians from one corner."""

from __future__ import annotations

from .cevians import altitude, bisector_from, median
from .engine import entry
from .state import State

for _one, _two_ in (
    ("bisector", "altitude"),
    ("bisector", "median"),
    ("altitude", "median"),
    ("median", "altitude"),
    ("altitude", "bisector"),
    ("median", "bisector"),
):

    def _both(s: State, p: str, _one: str = _one, _two_: str = _two_) -> list:
        make = {"bisector": bisector_from, "altitude": altitude, "median": median}
        return [make[_one](s, p), make[_two_](s, p)]

    _both.__name__ = f"{_one}_and_{_two_}"
    _say = {
        "bisector": "on_segment({0},B,C); bisects({0},B,A,C)",
        "altitude": "on_segment({0},B,C); perp(A,{0},B,C)",
        "median": "midpoint({0},B,C)",
    }
    entry(
        "Curve",
        f"[the] {_one} and [the] {_two_} from <p:Point>",
        example=f"In triangle ABC, the {_one} and the {_two_} from A meet BC at D and E. => triangle(A,B,C); {_say[_one].format('D')}; {_say[_two_].format('E')}",
        counter=f"The {_one} and the {_two_} from A meet BC at D and E.",
    )(_both)
