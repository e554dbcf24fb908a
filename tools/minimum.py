"""Print the oldest versions that setup.cfg declares, as constraints for pip.

    python tools/minimum.py > constraints.txt
    pip install --constraint constraints.txt .

``make test-minimum`` does so and runs the tests: what is declared is what was tried. Extras are
included, what only the tests need isn't. Needs nothing but Python.
"""

from __future__ import annotations

import configparser
import re
from pathlib import Path

SETUP = Path(__file__).parents[1] / "setup.cfg"
_AT_LEAST = re.compile(r"([\w.-]+)(?:\[.*\])?>=([\w.]+)(?:,[^;]*)?")


def constraints(setup: str) -> list[str]:
    """``name==version`` for each dependency.

    Args:
        setup: The contents of a setup.cfg.

    Raises:
        ValueError: A dependency has no lower bound.
    """
    config = configparser.ConfigParser()
    config.read_string(setup)
    extras = config["options.extras_require"]
    lists = [config["options"]["install_requires"]]
    lists += [extras[name] for name in extras if name != "test"]
    pins = []
    for line in "\n".join(lists).split():
        if line.startswith(config["metadata"]["name"] + "["):  # extras, which are listed anyway
            continue
        bounds = _AT_LEAST.fullmatch(line)
        if bounds is None:
            raise ValueError(f"setup.cfg: expected a lower bound such as numpy>=2.0, got {line}")
        pins.append(f"{bounds[1]}=={bounds[2]}")
    return pins


if __name__ == "__main__":
    print(*constraints(SETUP.read_text(encoding="utf-8")), sep="\n")
