"""Representation-invariance benchmark for language models on geometry problems."""

__version__ = "0.1.0"
