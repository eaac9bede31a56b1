"""Representation-invariance benchmark for language models on geometry problems."""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"
__all__ = ["__version__", "grade"]


def __getattr__(name: str) -> Any:
    """`geoutils.grade` without importing the grader with the package."""
    if name == "grade":
        from geoutils.grading import grade

        return grade
    raise AttributeError(f"module 'geoutils' has no attribute {name!r}")
