"""Modules for Hugging Face ``evaluate``: load, register and install them.

- In: a metric's name and options; for `textsimp.trainer` a tokenizer or a dataset's columns.
- Out: modules with ``compute``; a ``compute_metrics`` for ``transformers``; a reward for TRL.
- Read this file first, then ``module.py``, ``prepared_corpora.py``, ``compute_metrics.py``,
  ``rewards.py`` and ``eval_results.py``.
"""

import contextlib
import hashlib
import os
import shutil
from pathlib import Path
from typing import Any

from textsimp.metrics.catalogue import ALIASES, all_names
from textsimp.support.errors import InputError, check_choice
from textsimp.support.files import write_files

NAMESPACE = "textsimp"  # before the slash
UPSTREAM = frozenset({"sari"})  # evaluate.load("sari") loads the Hub's own
_MARK = ".textsimp"  # a file beside every script that install_modules wrote


def names() -> list[str]:
    """Return the names of all modules."""
    scripts = shipped("metrics", "_modules").glob("*/*.py")
    return sorted(script.stem for script in scripts if script.stem == script.parent.name)


def path(name: str) -> Path:
    """Return the folder of a module, with its script, metric card and app."""
    text = name if isinstance(name, str) else ""
    if text in ALIASES:
        metric, variant = ALIASES[text]
        raise InputError(f"{name!r} is no module: it is {metric!r} with variant={variant!r}")
    modules = names()
    if text not in modules and text in all_names():
        raise InputError(
            f"{name!r} is no module of textsimp, since evaluate has one, or it needs a model or "
            f"columns: textsimp.compare(..., metric={name!r}) and textsimp score -m {name} "
            "compute it"
        )
    check_choice("module", name, modules)
    return shipped("metrics", "_modules") / name


def load(name: str, *args: Any, **kwargs: Any) -> Any:
    """Load a module with ``evaluate.load`` from its folder, without network.

    Args:
        name: The module, such as ``"sari"``; ``"fkgl"`` is ``"fkgl_components"`` with
            ``variant="easse"``.
        *args: Arguments of ``evaluate.load``; the first is the variant.
        **kwargs: Arguments of ``evaluate.load``, and options of the metric, which become defaults
            of ``compute``.

    Returns:
        The ``evaluate`` module.
    """
    import evaluate

    if isinstance(name, str) and name in ALIASES:
        name, variant = ALIASES[name]
        if not args and not {"config_name", "variant"} & kwargs.keys():
            args = (variant,)
    return evaluate.load(str(path(name)), *args, **kwargs)


def register() -> contextlib.ExitStack:
    """Let ``evaluate.load("d_sari")`` and ``evaluate.load("textsimp/sari")`` find the modules.

    This lasts until the process ends, or until the block ends if `register` is used as a context
    manager. ``sari`` needs the namespace, since the Hub has a module of this name.

    Evaluate has no way to add names: `register` replaces its function that finds modules. `load`
    and `install_modules` change nothing in evaluate.

    Example:
        >>> import evaluate, textsimp
        >>> with textsimp.register():
        ...     sari = evaluate.load("textsimp/sari")
    """
    from evaluate import loading

    before = loading.evaluation_module_factory
    folders = {alias: str(path(name)) for alias, name in _aliases().items()}

    def factory(path: str, *args: Any, **kwargs: Any) -> Any:
        return before(folders.get(path, path), *args, **kwargs)

    loading.evaluation_module_factory = factory
    undo = contextlib.ExitStack()
    undo.callback(setattr, loading, "evaluation_module_factory", before)
    return undo


def install_modules() -> list[str]:
    """Write the modules into the Hugging Face modules cache, as ``evaluate`` itself does.

    After that ``evaluate.load("d_sari")`` works in every process, with and without network. Modules
    of another version of textsimp are replaced.

    Returns:
        The names that ``evaluate.load`` now accepts.
    """
    aliases = _aliases()
    cache = _cache()
    for alias, name in aliases.items():
        _install(path(name) / f"{name}.py", cache / _cached_name(alias))
    for folder in (cache.parent.parent, cache.parent, cache):
        (folder / "__init__.py").touch()
    return list(aliases)


def remove_modules() -> list[str]:
    """Remove the modules that `install_modules` wrote; return their names."""
    removed = []
    for alias in _aliases():
        folder = _cache() / _cached_name(alias)
        installed = _installed(folder)
        for code in installed:
            shutil.rmtree(code)
        if installed:
            removed.append(alias)
            if not any(folder.glob("*/*.py")):  # nor any that evaluate itself cached
                shutil.rmtree(folder)
    return removed


def _install(script: Path, folder: Path) -> None:
    """Write a module where evaluate looks for it; it takes the newest."""
    content = script.read_bytes()
    code = folder / hashlib.sha256(content).hexdigest()
    files = {code / _MARK: b"", code / "__init__.py": b"", code / script.name: content}
    write_files({folder / "__init__.py": b"", **files}, overwrite=True)
    for older in _installed(folder):
        if older != code:
            shutil.rmtree(older, ignore_errors=True)  # another process may remove it, too


def _installed(folder: Path) -> list[Path]:
    """Return the folders that `install_modules` wrote."""
    return [mark.parent for mark in folder.glob(f"*/{_MARK}")]


def shipped(beside: str, inside: str) -> Path:
    """Return a folder that lies beside the package in a clone, and inside it when installed."""
    package = Path(__file__).parents[1]
    return package / inside if (package / inside).is_dir() else package.parent / beside


def space_folders() -> list[Path]:
    """Return the folders of all modules and pages: each is a Space."""
    pages = shipped("spaces", "_spaces").glob("*/app.py")
    return [*map(path, names()), *sorted(page.parent for page in pages)]


def read_card(folder: Path) -> tuple[dict[str, Any], str]:
    """Return a Space's front matter and the text below it."""
    from textsimp.support.yaml_parsing import read_yaml

    card = folder / "README.md"
    text = card.read_text(encoding="utf-8") if card.is_file() else ""
    start, _, rest = text.removeprefix("---\n").partition("\n---\n")
    front = read_yaml(start, str(card)) if rest and text.startswith("---\n") else None
    if not isinstance(front, dict):
        raise InputError(f"{card}: expected front matter between two lines of ---")
    return front, rest.strip()


def _aliases() -> dict[str, str]:
    """Return name for ``evaluate.load`` → module."""
    bare = {name: name for name in names() if name not in UPSTREAM}
    return {**bare, **{f"{NAMESPACE}/{name}": name for name in names()}}


def _cached_name(alias: str) -> str:
    return alias.replace("/", "--") if "/" in alias else f"evaluate-metric--{alias}"


def _cache() -> Path:
    """Return the cache of evaluate, whose import would take seconds."""
    home = os.path.join(os.environ.get("XDG_CACHE_HOME", "~/.cache"), "huggingface")
    home = os.path.expanduser(os.environ.get("HF_HOME", home))
    modules = os.environ.get("HF_MODULES_CACHE", os.path.join(home, "modules"))
    return Path(modules) / "evaluate_modules" / "metrics"
