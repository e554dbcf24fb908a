"""Where textsimp is on the web, for links of reports and pages.

An empty address gives no link.
"""

CODE = ""  # of the repository, without a slash at the end
PAPER = ""


def page(path: str) -> str:
    """Return the address of a page of the documentation, such as ``docs/report.md#tests``."""
    return f"{CODE}/blob/main/{path}" if CODE else ""


def links() -> dict[str, str]:
    """Return what every page links to, by name, without empty addresses."""
    named = {"Documentation": page("README.md"), "Paper": PAPER, "Code": CODE}
    return {name: address for name, address in named.items() if address}
