"""Models of the Hugging Face Hub, fetched into its cache."""

from __future__ import annotations

import re
from pathlib import Path

from textsimp.support.errors import InputError

# No pickles, which can run code when they are loaded; Python runs only if a user allows that.
OF_MODEL = ("*.json", "*.txt", "*.model", "*.py", "*.safetensors")
PICKLES = ("*.bin",)


def is_hub_id(name: str) -> bool:
    """Whether a name could be one on the Hub: ``model`` or ``owner/model``."""
    return bool(re.fullmatch(r"\w[\w.-]*(/[\w.-]+)?", name))


def fetched(
    name: str, argument: str, revision: str | None = None, *, pickles: bool = False
) -> Path:
    """The folder with a model of the Hub, fetched unless it was before.

    Args:
        name: What is no folder here.
        argument: What the user calls it, for messages.
        revision: A branch, tag or commit.
        pickles: Also weights that are pickles.
    """
    if not is_hub_id(name):
        raise InputError(f"{argument}: expected a folder or a name on the Hub, got {name!r}")
    import huggingface_hub

    files = [*OF_MODEL, *(PICKLES if pickles else ())]
    try:
        folder = huggingface_hub.snapshot_download(name, revision=revision, allow_patterns=files)
    except (OSError, ValueError) as error:
        raise InputError(
            f"{argument}: {name!r} is no folder, and can't be had from the Hub: {error}"
        ) from error
    return Path(folder)
