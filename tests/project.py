"""The folder of the project, and those that tests read."""

from pathlib import Path

PROJECT = Path(__file__).parents[1]
EXAMPLES = PROJECT / "examples"
SHARED = PROJECT.parent / "shared"
"""What can't be redistributed; it may be missing."""
