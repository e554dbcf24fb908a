"""Fixtures of the core's tests."""

from tests.browser.conftest import browser, documents, many, opened, page, served, texts, violations  # noqa: F401
