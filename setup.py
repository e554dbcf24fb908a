"""What setup.cfg can't say: addresses, and the text for PyPI, where a relative link is dead."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from setuptools import setup

PROJECT = Path(__file__).parent
sys.path.insert(0, str(PROJECT))

from textsimp.support import addresses  # noqa: E402

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https://)([^)\s]+)\)")


def for_pypi(text: str, code: str) -> str:
    """Make the links of the README absolute; without an address keep only their texts."""

    def absolute(link: re.Match[str]) -> str:
        picture, title, target = link.groups()
        if not code:
            return "" if picture else title
        file = f"README.md{target}" if target.startswith("#") else target
        return f"{picture}[{title}]({code}/{'raw' if picture else 'blob'}/main/{file})"

    return LINK.sub(absolute, text)


if __name__ == "__main__":
    setup(
        long_description=for_pypi(
            (PROJECT / "README.md").read_text(encoding="utf-8"), addresses.CODE
        ),
        project_urls=addresses.links(),
    )
