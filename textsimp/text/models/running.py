"""Texts in, numbers out: vectors of tokens, and what a classifier says of texts or pairs.

Equal texts are read once. Those of like lengths are read together, so that there is less to pad;
the numbers are the same for any batch, but for some 1e-6 of rounding. Threads take turns.
"""

from __future__ import annotations

import itertools
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textsimp.support.errors import InputError
from textsimp.support.extras import require
from textsimp.text.models import loading
from textsimp.text.models.loading import Pretrained

Floats32 = NDArray[np.float32]
Text = str | tuple[str, str]
"""A text, or a pair of texts that a model reads together."""

_BYTES = 2**28  # that a runner keeps
_SPACED = ("Roberta", "GPT2", "Bart", "Longformer", "LED")  # whose words begin with their space


class Encoded(NamedTuple):
    """A text's tokens."""

    ids: NDArray[np.int64]
    """(tokens,) their numbers, special ones included."""
    vectors: Floats32
    """(tokens, d)"""
    spans: NDArray[np.int64]
    """(tokens, 2) their first character and the one after their last; equal for special tokens."""
    special: NDArray[np.bool_]
    """(tokens,) whether the tokenizer put it in."""


def encoder(given: Pretrained) -> Encoder:
    """What gives the vectors of tokens.

    Raises:
        InputError: See `textsimp.text.models.loading.load`.
        ImportError: The extra ``models`` isn't installed.
    """
    return loading.kept(given, Encoder)


def classifier(given: Pretrained) -> Classifier:
    """What gives the logits of labels, or the number of a regression.

    Raises:
        InputError: See `textsimp.text.models.loading.load`.
        ImportError: The extra ``models`` isn't installed.
    """
    return loading.kept(given, Classifier)


class _Runner:
    """A loaded model, and what it made last: up to 256 MB of it."""

    kind: str

    def __init__(self, given: Pretrained, path: Path) -> None:
        self.given = given
        self.model, self.tokenizer, self.device = loading.load(given, path, self.kind)
        if not self.tokenizer.is_fast:
            raise InputError(
                f"{given.argument}: {given.model} has no fast tokenizer (tokenizer.json)"
            )
        self.longest = loading.longest(self.model, self.tokenizer)
        self.pads_left = False
        self._made: dict[Any, Any] = {}
        self._bytes = 0
        self._lock = threading.Lock()

    def _run(
        self,
        texts: Sequence[Text],
        key: Any,
        read: Callable[[dict[str, Any], list[Any]], Iterator[Any]],
        **options: Any,
    ) -> list[Any]:
        """What is made of each text: what is known, or what ``read`` makes of a batch."""
        with self._lock:
            new = [text for text in dict.fromkeys(texts) if (key, text) not in self._made]
            made = {text: self._made[key, text] for text in set(texts).difference(new)}
            for text, found in self._read(new, read, options):
                made[text] = found
                self._keep((key, text), found)
        return [made[text] for text in texts]

    def _read(self, texts: list[Text], read: Any, options: Any) -> Iterator[tuple[Text, Any]]:
        from tqdm import tqdm  # type: ignore[import-untyped]

        torch = require("torch", loading.EXTRA)
        texts.sort(key=lambda text: len(text) if isinstance(text, str) else sum(map(len, text)))
        cut = 0
        with tqdm(desc=self.given.model, total=len(texts), disable=None, leave=False) as progress:
            for start in range(0, len(texts), self.given.batch_size):
                part = texts[start : start + self.given.batch_size]
                rows = self._tokenize(part, **options)
                cut += sum(bool(row.overflowing) for row in rows)
                size = max(1, *(len(row.ids) for row in rows))
                names = [
                    ("input_ids", "ids", self.tokenizer.pad_token_id or 0),
                    ("attention_mask", "attention_mask", 0),
                    ("token_type_ids", "type_ids", 0),
                ]
                batch = {
                    name: torch.tensor(
                        [self._padded(getattr(row, of), size, pad) for row in rows],
                        device=self.device,
                    )
                    for name, of, pad in names
                    if name in self.tokenizer.model_input_names
                }
                for text, found in zip(part, self._ask(read, batch, rows), strict=True):
                    numbers = found.vectors if isinstance(found, Encoded) else found
                    if not np.isfinite(numbers).all():
                        raise InputError(
                            f"{self.given.argument}: {self.given.model} makes numbers that "
                            "aren't finite"
                            + (" in half precision" if self.given.dtype != "float32" else "")
                        )
                    yield text, found
                progress.update(len(part))
        if cut:
            warnings.warn(
                f"{cut} of {len(texts)} texts are longer than the {self.longest} tokens that "
                f"{self.given.model} reads: they were cut",
                stacklevel=2,
            )

    def _ask(self, read: Any, batch: dict[str, Any], rows: list[Any]) -> list[Any]:
        torch = require("torch", loading.EXTRA)
        try:
            with torch.inference_mode():
                return [*read(batch, rows)]
        except Exception as error:  # of any kind: memory, or what a model can't read in batches
            raise InputError(
                f"{self.given.argument}: {self.given.model} can't read {len(rows)} texts at once "
                f"(batch_size): {loading.why(error)}"
            ) from error

    def _padded(self, numbers: list[int], size: int, pad: int) -> list[int]:
        padding = [pad] * (size - len(numbers))
        return [*padding, *numbers] if self.pads_left else [*numbers, *padding]

    def _tokenize(self, texts: list[Text], **options: Any) -> list[Any]:
        first = [text if isinstance(text, str) else text[0] for text in texts]
        second = None if isinstance(texts[0], str) else [text[1] for text in texts]
        found: list[Any] = self.tokenizer(
            first, second, truncation=True, max_length=self.longest, **options
        ).encodings
        return found

    def _keep(self, key: tuple[Any, Text], found: Any) -> None:
        self._made[key] = found
        self._bytes += _size(key, found)
        while self._bytes > _BYTES and len(self._made) > 1:
            old = next(iter(self._made))
            self._bytes -= _size(old, self._made.pop(old))


def _size(key: tuple[Any, Text], found: Any) -> int:
    """Bytes that are kept of a text, with itself."""
    texts = [key[1]] if isinstance(key[1], str) else key[1]
    arrays = found if isinstance(found, Encoded) else [found]
    return sum(map(sys.getsizeof, texts)) + sum(array.nbytes for array in arrays) + 200


class Encoder(_Runner):
    """Vectors of a text's tokens, of any layer. Made by `encoder`."""

    kind = "AutoModel"

    def __init__(self, given: Pretrained, path: Path) -> None:
        super().__init__(given, path)
        if self.model.config.is_encoder_decoder:
            self.model = self.model.get_encoder()
        self._stack = _stack(self.model, self.layers)
        self.prefix = " " if _class(self.tokenizer) in _SPACED else ""
        """What stands before a text, so that its first word is read as the others are."""

    @property
    def layers(self) -> int:
        """How many there are; 0 is that of the embeddings."""
        return int(self.model.config.num_hidden_layers)

    def encode(self, texts: Sequence[str], layer: int | None = None) -> list[Encoded]:
        """The tokens of each text, and their vectors in a layer, None for the last.

        All of them are in memory at once: give few at a time.
        """
        layer = self.layers if layer is None else layer

        def read(batch: dict[str, Any], rows: list[Any]) -> Iterator[Encoded]:
            vectors = self._vectors(batch, layer)
            for row, own in zip(rows, vectors, strict=True):
                n = len(row.ids)
                yield Encoded(
                    np.array(row.ids, np.int64),
                    own[:n].copy(),
                    np.array(row.offsets, np.int64).reshape(-1, 2),
                    np.array(row.special_tokens_mask, bool),
                )

        return self._run(texts, layer, read)

    def means(self, texts: Sequence[str]) -> Floats32:
        """(n, d) the mean of each text's vectors in the last layer, those of special tokens too.

        A text without tokens of its own has 0.
        """

        def read(batch: dict[str, Any], rows: list[Any]) -> Iterator[Floats32]:
            for row, own in zip(rows, self._vectors(batch, self.layers), strict=True):
                if all(row.special_tokens_mask):
                    yield np.zeros(own.shape[1], np.float32)
                else:
                    yield own[: len(row.ids)].mean(axis=0)

        return np.stack(self._run(texts, "means", read))

    def ids(self, texts: Sequence[str]) -> Iterator[list[int]]:
        """The numbers of each text's tokens, special ones included; the model isn't asked."""
        for rows in parts(texts, 2**10):
            with self._lock:
                found = self._tokenize([*texts[rows]])
            yield from (one.ids for one in found)

    def _vectors(self, batch: dict[str, Any], layer: int) -> Floats32:
        """(n, tokens, d) of a layer. Those above it aren't computed, where it is known how."""
        batch.pop("token_type_ids", None)  # of one text there is one type; some models take none
        if layer == self.layers:
            states = self.model(**batch).last_hidden_state
        elif self._stack is None or (layer == 0 and "deberta" in self.model.config.model_type):
            # DeBERTa doesn't run without a layer
            states = self.model(**batch, output_hidden_states=True).hidden_states[layer]
        else:
            parent, name = self._stack
            whole = getattr(parent, name)
            setattr(parent, name, whole[:layer])
            try:
                states = self.model(**batch).last_hidden_state
            finally:
                setattr(parent, name, whole)
        found: Floats32 = states.float().cpu().numpy()
        return found


def _class(tokenizer: Any) -> str:
    return type(tokenizer).__name__.removesuffix("Fast").removesuffix("Tokenizer")


def _stack(model: Any, layers: int) -> tuple[Any, str] | None:
    """The module that holds a model's layers, and its name for them, if there is only one such."""
    torch = require("torch", loading.EXTRA)
    found = [
        (parent, name)
        for parent in model.modules()
        for name, child in parent.named_children()
        if isinstance(child, torch.nn.ModuleList) and len(child) == layers
    ]
    return found[0] if len(found) == 1 else None


class Classifier(_Runner):
    """What a model says of texts, or of pairs of texts. Made by `classifier`."""

    kind = "AutoModelForSequenceClassification"

    def __init__(self, given: Pretrained, path: Path) -> None:
        super().__init__(given, path)
        self.pads_left = self.model.config.model_type == "xlnet"  # it looks at the last token

    @property
    def labels(self) -> list[str]:
        """Their names, in the order of the logits."""
        names = self.model.config.id2label
        return [str(names[i]) for i in sorted(names)]

    def logits(self, texts: Sequence[Text]) -> Floats32:
        """(n, labels) of texts, or of pairs: of too long ones the longer text is cut."""

        def read(batch: dict[str, Any], rows: list[Any]) -> Iterator[Floats32]:
            yield from self.model(**batch).logits.float().cpu().numpy()

        found = self._run(texts, None, read)
        return np.stack(found) if found else np.empty((0, len(self.labels)), np.float32)


def parts(texts: Sequence[Any], at_once: int) -> Iterator[slice]:
    """Slices of some texts each."""
    for start in itertools.count(0, at_once):
        if start >= len(texts):
            return
        yield slice(start, start + at_once)
