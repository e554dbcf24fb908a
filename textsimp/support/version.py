"""The version and its year, readable without importing the package."""

__all__ = ["__version__"]

__version__ = "0.1.0"
__year__ = 2026
