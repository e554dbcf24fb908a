"""Check what a release would upload: built, installed in an empty environment, and used there.

    python tools/release_check.py            names what is not filled in yet
    python tools/release_check.py --final    fails for it

The files are left in ``dist/``. It asks PyPI for the packages that textsimp needs.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from textsimp.support import addresses
from textsimp.support.version import __version__

PROJECT = Path(__file__).parents[1]
DIST = PROJECT / "dist"
EXTRAS = "report,demo,scale"
PLACEHOLDERS = {"CODE": addresses.CODE}


def run(*command: str | Path, cwd: Path = PROJECT) -> None:
    """Run a command, which must succeed."""
    print(">", *command, flush=True)
    subprocess.run(list(map(str, command)), cwd=cwd, check=True)


def find_placeholders() -> list[str]:
    """Return a line for each address that a release needs and that is empty."""
    return [
        f"{name} in textsimp/support/addresses.py is empty: a release has no link to its home"
        for name, address in PLACEHOLDERS.items()
        if not address
    ]


def main() -> None:
    """Build, check, install, use."""
    missing = find_placeholders()
    if missing and "--final" in sys.argv:
        sys.exit("\n".join(missing))
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", DIST)
    wheel = DIST / f"textsimp-{__version__}-py3-none-any.whl"
    run(sys.executable, "-m", "twine", "check", "--strict", *sorted(DIST.iterdir()))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "empty", with_pip=True)
        python = folder / "empty" / "bin" / "python"
        run(python, "-m", "pip", "install", "--quiet", f"{wheel}[{EXTRAS}]", cwd=folder)
        run(python.with_name("textsimp"), "demo", cwd=folder)
        run(python, PROJECT / "tools" / "doors.py", cwd=folder)
    print(*missing, f"textsimp {__version__} works from {DIST.name}/", sep="\n")


if __name__ == "__main__":
    main()
