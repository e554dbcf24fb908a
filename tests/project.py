"""The folder of the project, and those that tests read."""

from pathlib import Path

PROJECT = Path(__file__).parents[1]
EXAMPLES = PROJECT / "examples"
SHARED = PROJECT.parent / "shared"
"""What can't be redistributed; it may be missing."""
EXTENSIONS = PROJECT / "textsimp" / "extensions"


def is_there(path):
    """Whether a file exists, or is one of extensions, which may be deleted as a whole."""
    return path.exists() or ("extensions" in path.parts and not EXTENSIONS.exists())
