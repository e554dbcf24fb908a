"""Where the modules for ``evaluate`` are, and the ways in which users get them."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from textsimp.catalogue import WITHOUT_MODULE
from textsimp.columns import InputError, nearest

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from textsimp import typed

NAMESPACE = "textsimp"
UPSTREAM = frozenset({"sari"})  # evaluate.load("sari") must stay the Hub's
_MARK = ".textsimp"  # lies beside every script that install_modules wrote


def names() -> list[str]:
    """The names of all modules."""
    return sorted(
        script.stem for script in _root().glob("*/*.py") if script.stem == script.parent.name
    )


def path(name: str) -> Path:
    """The folder of a module: its script, metric card and app.

    Raises:
        InputError: No such module; the message lists those there are.
    """
    if isinstance(name, str) and name in WITHOUT_MODULE:
        raise InputError(
            f'{name!r} is no module: evaluate.load("sacrebleu") is. Beside the other metrics it is '
            f'computed by textsimp.compare(..., metric="{name}") and by textsimp score -m {name}'
        )
    if not isinstance(name, str) or name not in names():
        meant = nearest(name, names())
        raise InputError(f"unknown module {name!r}{meant}: expected one of {', '.join(names())}")
    return _root() / name


@overload
def load(
    name: Literal["sari"], config_name: str | None = None, **kwargs: Unpack[typed.LoadSari]
) -> typed.SariModule: ...
@overload
def load(
    name: Literal["d_sari"], config_name: str | None = None, **kwargs: Unpack[typed.LoadDSari]
) -> typed.DSariModule: ...
@overload
def load(
    name: Literal["fkgl_components"],
    config_name: str | None = None,
    **kwargs: Unpack[typed.LoadFkglComponents],
) -> typed.FkglComponentsModule: ...
@overload
def load(
    name: Literal["edit_ops"], config_name: str | None = None, **kwargs: Unpack[typed.LoadEditOps]
) -> typed.EditOpsModule: ...
@overload
def load(
    name: Literal["simplification_stats"],
    config_name: str | None = None,
    **kwargs: Unpack[typed.LoadSimplificationStats],
) -> typed.SimplificationStatsModule: ...
@overload
def load(name: str, config_name: str | None = None, **kwargs: Unpack[typed.LoadAny]) -> Any: ...
def load(name: str, *args: Any, **kwargs: Any) -> Any:
    """Load a module: ``evaluate.load`` on its folder, so without network.

    Args:
        name: Such as ``"sari"``.
        *args: As for ``evaluate.load``; the first is the variant.
        **kwargs: As for ``evaluate.load``; also the metric's options, as defaults for ``compute``.

    Returns:
        The ``evaluate`` module.

    Raises:
        InputError: No such module or option.
    """
    import evaluate

    return evaluate.load(str(path(name)), *args, **kwargs)


def register(namespace: str = NAMESPACE) -> contextlib.ExitStack:
    """Let ``evaluate.load("d_sari")`` and ``evaluate.load("textsimp/sari")`` find the modules.

    Holds for this process, from this call on; used as a context manager, until the block ends.
    Names that exist upstream (``sari``) resolve only with the namespace.

    Example:
        >>> import evaluate, textsimp
        >>> with textsimp.register():
        ...     sari = evaluate.load("textsimp/sari")
    """
    from evaluate import loading

    before = loading.evaluation_module_factory
    folders = {alias: str(path(name)) for alias, name in _aliases(namespace).items()}

    def factory(path: str, *args: Any, **kwargs: Any) -> Any:
        return before(folders.get(path, path), *args, **kwargs)

    loading.evaluation_module_factory = factory
    undo = contextlib.ExitStack()
    undo.callback(setattr, loading, "evaluation_module_factory", before)
    return undo


def install_modules(namespace: str = NAMESPACE) -> list[str]:
    """Write the modules into the Hugging Face modules cache, as ``evaluate`` itself does.

    After that ``evaluate.load("d_sari")`` works in every process, with and without network. What
    another version of textsimp wrote is replaced.

    Returns:
        The names that ``evaluate.load`` now takes.
    """
    cache = _cache()
    cache.mkdir(parents=True, exist_ok=True)
    for folder in (cache.parent.parent, cache.parent, cache):
        (folder / "__init__.py").touch()
    remove_modules(namespace)
    aliases = _aliases(namespace)
    for alias, name in aliases.items():
        script = path(name) / f"{name}.py"
        content = script.read_bytes()
        final = cache / _cached_name(alias)
        # A folder appears whole or not at all; its script is the newest that evaluate finds.
        with tempfile.TemporaryDirectory(dir=cache, prefix=".textsimp-") as temporary:
            new = Path(temporary) / final.name
            code = new / hashlib.sha256(content).hexdigest()
            code.mkdir(parents=True)
            (code / _MARK).touch()
            for folder in (new, code):
                (folder / "__init__.py").touch()
            (code / script.name).write_bytes(content)
            if final.exists():  # evaluate's own cache of the same name
                code.rename(final / code.name)
            else:
                new.rename(final)
    return list(aliases)


def remove_modules(namespace: str = NAMESPACE) -> list[str]:
    """Remove what `install_modules` wrote.

    Returns:
        The names that were removed.
    """
    removed = []
    for alias in _aliases(namespace):
        folder = _cache() / _cached_name(alias)
        ours = [mark.parent for mark in folder.glob(f"*/{_MARK}")]
        for code in ours:
            shutil.rmtree(code)
        if ours:
            removed.append(alias)
            if not any(folder.glob("*/*.py")):  # evaluate has cached nothing there itself
                shutil.rmtree(folder)
    return removed


def shipped(beside: str, inside: str) -> Path:
    """A folder of the project that ships in the package.

    Args:
        beside: Its name in a checkout, where it lies beside the package.
        inside: Its name in an installed package, where it lies inside.
    """
    package = Path(__file__).parent
    return package / inside if (package / inside).is_dir() else package.parent / beside


def _root() -> Path:
    return shipped("metrics", "_modules")


def _aliases(namespace: str) -> dict[str, str]:
    """What users write → module."""
    bare = {name: name for name in names() if name not in UPSTREAM}
    return {**bare, **{f"{namespace}/{name}": name for name in names()}}


def _cached_name(alias: str) -> str:
    return alias.replace("/", "--") if "/" in alias else f"evaluate-metric--{alias}"


def _cache() -> Path:
    """Where evaluate looks, found as it does, without the seconds that importing it takes."""
    home = os.path.join(os.environ.get("XDG_CACHE_HOME", "~/.cache"), "huggingface")
    home = os.path.expanduser(os.environ.get("HF_HOME", home))
    modules = os.environ.get("HF_MODULES_CACHE", os.path.join(home, "modules"))
    return Path(modules) / "evaluate_modules" / "metrics"
