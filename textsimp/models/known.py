"""Pretrained models that the literature uses for each metric. None of them was tried here."""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    """A model on the Hugging Face Hub."""

    metric: str
    """The metric that it is for."""
    name: str
    licence: str
    size: str
    """Of its weights."""
    about: str
    """What it is, and the paper that it is from, in a line."""
    options: str = ""
    """Of the metric, that go with it."""


KNOWN: tuple[Known, ...] = ()
