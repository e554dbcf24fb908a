"""The page on which people rate outputs (extra ``demo``), from `build_rate`."""

from textsimp.extensions.people.page.rating_page import build_rate

__all__ = ["build_rate"]
