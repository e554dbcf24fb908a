"""Which model a user means, where it is on this machine, and what loads it.

Nothing is ever downloaded here: `textsimp models --fetch NAME` does that. ``torch`` and
``transformers`` are imported when a model is loaded.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from textsimp.support.errors import InputError
from textsimp.support.extras import require
from textsimp.text.models import pretrained

EXTRA = "models"
DTYPES = ("float32", "bfloat16", "float16")

_REVISION = 12  # characters of a revision in signatures
_UNREADABLE = re.compile(r"[^\w./-]")  # what would be hard to read in a signature
_NO_HEAD = re.compile(r"pooler|position_ids")  # weights that vectors of tokens don't need

Runner = TypeVar("Runner")


@dataclass(frozen=True)
class Pretrained:
    """A pretrained model that a user named, and how it is run.

    Attributes:
        model: A folder, or a name on the Hugging Face Hub that was fetched before.
        revision: Its branch, tag or commit there; of a folder, the beginning of the digest of its
            contents that is expected.
        dtype: Of its weights, one of `DTYPES`.
        device: Where torch computes; None for a GPU if there is one.
        batch_size: Texts that it reads at once.
        pickles: Whether weights may be pickles, which can run code when they are loaded.
        remote_code: Whether code that comes with it may run.
        argument: What the user calls it, for messages.
    """

    model: str
    revision: str | None = None
    dtype: str = "float32"
    device: str | None = None
    batch_size: int = 64
    pickles: bool = False
    remote_code: bool = False
    argument: str = "model"

    def check(self) -> None:
        """See that it is there, without loading it.

        Raises:
            InputError: It isn't, or not as is expected; the message says what fetches it.
            ImportError: The extra ``models`` isn't installed.
        """
        require("torch", EXTRA)
        require("transformers", EXTRA)
        signed(self)


def folder(given: Pretrained) -> Path:
    """The folder that a model is in.

    Raises:
        InputError: There is none on this machine, or none that may be loaded.
    """
    path = Path(given.model)
    if not path.is_dir():
        path = _fetched(given)
    if not (path / "config.json").is_file():
        raise InputError(
            f"{given.argument}: expected a model's folder, {given.model!r} has no config.json"
        )
    if any(path.glob("*.safetensors")):
        return path
    if not any(path.glob("*.bin")):
        also = "" if path == Path(given.model) else " (with --pickles if it has no others)"
        raise InputError(
            f"{given.argument}: {given.model!r} has no weights in safetensors here"
            f"{_command(given)}{also}"
        )
    if not given.pickles:
        raise InputError(
            f"{given.argument}: expected safetensors, {given.model!r} has only pickles, which "
            "can run code when they are loaded: pickles=True allows it"
        )
    return path


def label_names(given: Pretrained) -> list[str]:
    """What a classifier calls its labels, in the order of its outputs, without loading it.

    Raises:
        InputError: As `folder`, or what it says of itself can't be read.
    """
    path = folder(given) / "config.json"
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
        unnamed = {i: f"LABEL_{i}" for i in range(config.get("num_labels") or 2)}
        names = {int(i): str(name) for i, name in (config.get("id2label") or unnamed).items()}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{given.argument}: {path} can't be read: {error}") from error
    return [names[i] for i in sorted(names)]


def signed(given: Pretrained) -> str:
    """What signatures call a model: its name, and its commit or the digest of its folder.

    Raises:
        InputError: As `folder`, or it has another revision than was expected.
    """
    path = folder(given)
    name, revision = given.model, path.name
    if Path(given.model).is_dir():
        name, revision = path.resolve().name, digest(path)
        if given.revision is not None and not revision.startswith(given.revision):
            raise InputError(
                f"revision: expected {revision[:_REVISION]} of {given.model}, "
                f"got {given.revision!r}"
            )
    return f"{_UNREADABLE.sub('-', name)}@{revision[:_REVISION]}"


def digest(path: Path) -> str:
    """What tells models in folders apart: a digest of the files that make them."""
    patterns = [*pretrained.OF_MODEL, *pretrained.PICKLES]
    found = {
        file for name in patterns for at in (name, f"[0-9]_*/{name}") for file in path.glob(at)
    }
    stats = [(file, file.stat()) for file in sorted(found)]
    return _digest(path, tuple((str(file), s.st_size, s.st_mtime_ns) for file, s in stats))


@functools.lru_cache(maxsize=64)
def _digest(path: Path, files: tuple[tuple[str, int, int], ...]) -> str:
    """Read once, as long as sizes and times stay."""
    found = hashlib.sha256()
    for name, size, _ in files:
        found.update(f"{Path(name).relative_to(path).as_posix()}\0{size}\0".encode())
        with open(name, "rb") as file:
            while part := file.read(2**20):
                found.update(part)
    return found.hexdigest()


def load_once(given: Pretrained, make: Callable[[Pretrained, Path], Runner]) -> Runner:
    """Return what runs a model, which a process makes once for the same weights and options.

    Args:
        given: Which model, and how.
        make: Loads it from its folder.
    """
    runner: Runner = _load(make, given, folder(given).resolve(), signed(given))
    return runner


@functools.lru_cache(maxsize=3)  # as many classifiers may vote on a level
def _load(make: Any, given: Pretrained, path: Path, signature: str) -> Any:
    return make(given, path)


def load(given: Pretrained, path: Path, kind: str) -> tuple[Any, Any, str]:
    """A model, its tokenizer and its device.

    Args:
        given: Which, and how.
        path: Its folder.
        kind: The class of transformers that loads it, such as ``"AutoModel"``.

    Raises:
        InputError: It can't be loaded, lacks weights, or the device isn't there.
    """
    torch, transformers = require("torch", EXTRA), require("transformers", EXTRA)
    device = given.device or _device(torch)
    if device == "cpu" and given.dtype == "float16":
        raise InputError("dtype: expected float32 or bfloat16 on a CPU, got 'float16'")
    options = {"local_files_only": True, "trust_remote_code": given.remote_code}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(str(path), **options)
        model, info = getattr(transformers, kind).from_pretrained(
            str(path),
            dtype=getattr(torch, given.dtype),
            use_safetensors=not given.pickles or None,
            output_loading_info=True,
            **options,
        )
        model = model.to(device).eval()
    except Exception as error:  # of any kind, as a folder can hold anything
        raise InputError(
            f"{given.argument}: {given.model} can't be loaded: {why(error)}"
        ) from error
    if len(tokenizer) <= len({*tokenizer.all_special_ids}):  # transformers 5 makes an empty one
        raise InputError(f"{given.argument}: {given.model} has no tokenizer: save it there, too")
    missing = sorted(name for name in info["missing_keys"] if not _NO_HEAD.search(name))
    if missing:
        raise InputError(
            f"{given.argument}: {given.model} has no weights for {missing[0]} and "
            f"{len(missing) - 1} others: it is no model for this ({kind})"
        )
    return model, tokenizer, device


def why(error: BaseException) -> str:
    """What went wrong, in a line: messages of transformers have several, the first says it."""
    return str(error).strip().partition("\n")[0] or type(error).__name__


def config(given: Pretrained) -> Any:
    """What transformers says of a model that isn't loaded: its layers, sizes, architecture.

    Raises:
        InputError: As `folder`, or it can't be read.
    """
    path, transformers = folder(given), require("transformers", EXTRA)
    try:
        return transformers.AutoConfig.from_pretrained(
            str(path), local_files_only=True, trust_remote_code=given.remote_code
        )
    except Exception as error:  # of any kind, as a folder can hold anything
        raise InputError(
            f"{given.argument}: {given.model} can't be loaded: {why(error)}"
        ) from error


def longest(model: Any, tokenizer: Any) -> int:
    """How many tokens a model reads."""
    config = model.config
    positions = getattr(config, "max_position_embeddings", None) or -1
    if positions < 1:  # XLNet's, which has no end
        positions = 2**20
    if "roberta" in config.model_type or config.model_type in _NUMBERED_FROM_PAD:
        positions -= (config.pad_token_id or 0) + 1
    return int(min(tokenizer.model_max_length, positions))


# Their positions start after the number of the padding token, as do those of all RoBERTas.
_NUMBERED_FROM_PAD = ("camembert", "mpnet", "longformer", "data2vec-text", "luke", "esm", "ibert")


def _device(torch: Any) -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _fetched(given: Pretrained) -> Path:
    """The folder of the Hub's cache."""
    import huggingface_hub

    if not pretrained.is_hub_id(given.model):
        raise InputError(
            f"{given.argument}: expected a folder or a name on the Hub, got {given.model!r}"
        )
    try:
        found = huggingface_hub.snapshot_download(
            given.model, revision=given.revision, local_files_only=True
        )
    except (OSError, ValueError) as error:
        raise InputError(
            f"{given.argument}: {given.model!r} isn't on this machine{_command(given)}"
        ) from error
    return Path(found)


def _command(given: Pretrained) -> str:
    if Path(given.model).is_dir():
        return ""
    revision = f" --revision {given.revision}" if given.revision else ""
    pickles = " --pickles" if given.pickles else ""
    return f"; fetch it with: textsimp models --fetch {given.model}{revision}{pickles}"
