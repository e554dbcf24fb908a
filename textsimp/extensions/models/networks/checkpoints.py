"""Pretrained models of `transformers`: where they are on this machine, and how they are loaded."""

import functools
import hashlib
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from textsimp.support.errors import InputError
from textsimp.support.imports import require

EXTRA = "models"
DTYPES = ("float32", "bfloat16", "float16")
FILES = ("*.json", "*.txt", "*.model", "*.py", "*.safetensors")
"""The files of a model. Its code runs only if a user allows that."""
OLDER = "*.bin"
"""Weights of older models. Since torch 2.6 no code in them is run."""
HYPERPARAMETERS, CHECKPOINT = "hparams.yaml", "checkpoints/model.ckpt"
"""The files of a model of LENS: its description and its weights."""

_REVISION = 12  # characters of a revision in signatures
_UNREADABLE = re.compile(r"[^\w./-]")  # what would be hard to read in a signature
_NO_HEAD = re.compile(r"pooler|position_ids")  # weights that vectors of tokens don't need

Runner = TypeVar("Runner")


@dataclass(frozen=True)
class Pretrained:
    """A pretrained model that a user named, and how it is run.

    ``model`` is a folder, or a name on the Hugging Face Hub; ``revision`` its branch, tag or commit
    there, or the beginning of the digest of a folder. ``device`` None is a GPU if there is one.
    ``argument`` is the model's name in messages.
    """

    model: str
    revision: str | None = None
    dtype: str = "float32"
    device: str | None = None
    batch_size: int = 64
    argument: str = "model"

    def error(self, message: str) -> InputError:
        return InputError(f"{self.argument}: {message}")

    def check(self) -> None:
        """Check that it is there, without loading it."""
        require("torch", EXTRA)
        require("transformers", EXTRA)
        signed(self)


def folder(pretrained: Pretrained) -> Path:
    """Return the folder of a model; it is an error if it lacks configuration or weights."""
    model = pretrained.model
    path = Path(model)
    if not path.is_dir():
        path = find_cached(pretrained)
    if (path / HYPERPARAMETERS).is_file():
        return path  # of LENS
    if not (path / "config.json").is_file():
        raise pretrained.error(f"expected a model's folder, {model!r} has no config.json")
    if not has_weights(path):
        raise pretrained.error(f"{model!r} has no weights here{_command(pretrained)}")
    return path


def has_weights(path: Path) -> bool:
    return any(path.glob("*.safetensors")) or any(path.glob(OLDER))


def label_names(pretrained: Pretrained) -> list[str]:
    """Return the labels of a classifier, in the order of its outputs, without loading it."""
    names = config(pretrained).id2label
    return [str(names[i]) for i in sorted(names)]


def signed(pretrained: Pretrained) -> str:
    """Return a model's name for signatures, with its commit or the digest of its folder."""
    path = folder(pretrained)
    name, revision = pretrained.model, path.name
    if Path(pretrained.model).is_dir():
        name, revision = path.resolve().name, compute_digest(path)
        if pretrained.revision is not None and not revision.startswith(pretrained.revision):
            raise InputError(
                f"revision: expected {revision[:_REVISION]} of {pretrained.model}, "
                f"got {pretrained.revision!r}"
            )
    return f"{_UNREADABLE.sub('-', name)}@{revision[:_REVISION]}"


def compute_digest(path: Path) -> str:
    """Return a digest of the files of a model in a folder."""
    names = (*FILES, OLDER, HYPERPARAMETERS, CHECKPOINT)
    patterns = [part for name in names for part in (name, f"[0-9]_*/{name}", f"encoder/{name}")]
    files = {file for pattern in patterns for file in path.glob(pattern)}
    stats = [(file, file.stat()) for file in sorted(files)]
    return _digest(path, tuple((str(file), s.st_size, s.st_mtime_ns) for file, s in stats))


@functools.lru_cache(maxsize=64)
def _digest(path: Path, files: tuple[tuple[str, int, int], ...]) -> str:
    """Read once, as long as sizes and times stay."""
    digest = hashlib.sha256()
    for name, size, _ in files:
        digest.update(f"{Path(name).relative_to(path).as_posix()}\0{size}\0".encode())
        with open(name, "rb") as file:
            while part := file.read(2**20):
                digest.update(part)
    return digest.hexdigest()


_LOADING = threading.Lock()  # transformers loads one model at a time


def load_once(pretrained: Pretrained, make: Callable[..., Runner], *more: Any) -> Runner:
    """Return ``make`` of a model, its folder and ``more``, called once for the same weights."""
    path, signature = folder(pretrained).resolve(), signed(pretrained)
    with _LOADING:
        runner: Runner = _load(make, pretrained, path, signature, *more)
    return runner


@functools.lru_cache(maxsize=3)  # as many classifiers may vote on a level
def _load(make: Any, pretrained: Pretrained, path: Path, signature: str, *more: Any) -> Any:
    return make(pretrained, path, *more)


def load(pretrained: Pretrained, path: Path, kind: str) -> tuple[Any, Any, str]:
    """Load a model by a class such as ``"AutoModel"``; return it, its tokenizer and device."""
    torch, transformers = require("torch", EXTRA), require("transformers", EXTRA)
    device, options = choose_device(pretrained), {"local_files_only": True}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(str(path), **options)
        model, info = getattr(transformers, kind).from_pretrained(
            str(path), dtype=getattr(torch, pretrained.dtype), output_loading_info=True, **options
        )
        model = model.to(device).eval()
    except Exception as error:  # of any kind, as a folder can hold anything
        raise not_loadable(pretrained, error) from error
    if len(tokenizer) <= len({*tokenizer.all_special_ids}):  # transformers 5 makes an empty one
        raise InputError(
            f"{pretrained.argument}: {pretrained.model} has no tokenizer: save it there, too"
        )
    missing = sorted(name for name in info["missing_keys"] if not _NO_HEAD.search(name))
    if missing:
        raise pretrained.error(
            f"{pretrained.model} has no weights for {missing[0]} and {len(missing) - 1} others: "
            f"it is no model for this ({kind})"
        )
    return model, tokenizer, device


def not_loadable(pretrained: Pretrained, error: Exception) -> InputError:
    return pretrained.error(f"{pretrained.model} can't be loaded: {first_line(error)}")


def first_line(error: BaseException) -> str:
    """Return the first line of a message: those of transformers have several."""
    return str(error).strip().partition("\n")[0] or type(error).__name__


def config(pretrained: Pretrained) -> Any:
    """Return the configuration of a model, without loading it."""
    path, transformers = folder(pretrained), require("transformers", EXTRA)
    try:
        return transformers.AutoConfig.from_pretrained(str(path), local_files_only=True)
    except Exception as error:  # of any kind, as a folder can hold anything
        raise not_loadable(pretrained, error) from error


def longest(model: Any, tokenizer: Any) -> int:
    """Return the number of tokens that a model reads."""
    config = model.config
    positions = getattr(config, "max_position_embeddings", None) or -1
    if positions < 1:  # without an end
        positions = 2**20
    if "roberta" in config.model_type or config.model_type in _NUMBERED_FROM_PAD:
        positions -= (config.pad_token_id or 0) + 1
    return int(min(tokenizer.model_max_length, positions))


# Their positions start after the number of the padding token, as do those of all RoBERTas.
_NUMBERED_FROM_PAD = ("camembert", "mpnet", "longformer", "data2vec-text", "luke", "esm", "ibert")


def choose_device(pretrained: Pretrained) -> str:
    """Return torch's device for a model: the one that is asked for, or a GPU if there is one."""
    torch = require("torch", EXTRA)
    usual = "mps" if torch.backends.mps.is_available() else "cpu"
    return pretrained.device or ("cuda" if torch.cuda.is_available() else usual)


def find_cached(pretrained: Pretrained, **options: Any) -> Path:
    """Return the folder of a model in the Hub's cache; ``local_files_only=False`` downloads it."""
    import huggingface_hub

    if not re.fullmatch(r"\w[\w.-]*(/[\w.-]+)?", pretrained.model):
        raise pretrained.error(f"expected a folder or a name on the Hub, got {pretrained.model!r}")
    options = {"revision": pretrained.revision, "local_files_only": True, **options}
    try:
        return Path(huggingface_hub.snapshot_download(pretrained.model, **options))
    except (OSError, ValueError) as error:
        reason = f"isn't on this machine{_command(pretrained)}"
        if not options["local_files_only"]:
            reason = f"is no folder, and can't be had from the Hub: {error}"
        raise pretrained.error(f"{pretrained.model!r} {reason}") from error


def download(pretrained: Pretrained) -> Path:
    """Download a model; older weights only if it has no others."""
    files = [*FILES, HYPERPARAMETERS, CHECKPOINT]
    path = find_cached(pretrained, local_files_only=False, allow_patterns=files)
    if (path / HYPERPARAMETERS).is_file() or has_weights(path):
        return path
    return find_cached(pretrained, local_files_only=False, allow_patterns=[*files, OLDER])


def _command(pretrained: Pretrained) -> str:
    if Path(pretrained.model).is_dir():
        return ""
    revision = f" --revision {pretrained.revision}" if pretrained.revision else ""
    return f"; fetch it with: textsimp hub models --fetch {pretrained.model}{revision}"
