"""Metrics that run a pretrained model, and alignments of sentences by one (extra ``models``).

- In: columns of texts, and the model that the user names: a folder, or a name on the Hub.
- Out: metrics as those of the core. Only `fetch_model` downloads models.
- Read ``modelled.py`` first, then ``lens.py`` and ``networks/checkpoints.py``.
"""

__all__ = ["fetch_model"]


def fetch_model(name: str, revision: str | None = None) -> str:
    """Download a pretrained model of a metric into the cache of the Hugging Face Hub.

    Args:
        name: Its name on the Hub.
        revision: Its branch, tag or commit there.

    Returns:
        A line with the model, its commit and its folder.
    """
    from textsimp.extensions.models.networks import checkpoints, lens_model

    pretrained = checkpoints.Pretrained(name, revision, argument="--fetch")
    folder = checkpoints.download(pretrained)
    if (folder / checkpoints.HYPERPARAMETERS).is_file():
        lens_model.find_encoder(pretrained, download=True)
    return f"{checkpoints.signed(pretrained)} is in {folder}"
