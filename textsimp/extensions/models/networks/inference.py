"""Texts in, numbers out: vectors of tokens and texts, and what a classifier says of them.

Equal texts are read once, and those of like lengths together, so that there is less to pad.
Threads take turns: a tokenizer keeps the padding and truncation of its last call.
"""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textsimp.extensions.models.networks import checkpoints
from textsimp.extensions.models.networks.checkpoints import Pretrained
from textsimp.support.errors import InputError
from textsimp.support.imports import require
from textsimp.support.progress import progress

Floats32 = NDArray[np.float32]
Text = str | tuple[str, str]
"""A text, or a pair of texts that a model reads together."""
Ask = Callable[[list[Any]], Sequence[Any] | Floats32]
"""From a batch of texts to the model's answers."""

_BYTES = 2**28  # of answers that are kept
_OF_ANSWER = 2**11  # bytes of its text and itself, about, beside those of its numbers
_CHARACTERS = 256  # of a text, of which a batch has `batch_size`; of longer ones it has fewer
_OF_TOKEN = 4  # characters, about
_SPACED = ("Roberta", "GPT2", "Bart", "Longformer", "LED")  # whose words begin with their space


class Encoded(NamedTuple):
    ids: NDArray[np.int64]
    """(tokens,) their numbers, special ones included."""
    vectors: Floats32
    """(tokens, d)"""
    special: NDArray[np.bool_]
    """(tokens,) whether the tokenizer put it in."""

    @property
    def nbytes(self) -> int:
        return self.vectors.nbytes


def check_embedder(pretrained: Pretrained) -> None:
    """Check that a model of sentence-transformers and that library are there."""
    require("sentence_transformers", checkpoints.EXTRA)
    pretrained.check()


class _Model:
    """A loaded model of transformers."""

    def __init__(self, pretrained: Pretrained, path: Path, kind: str) -> None:
        self.pretrained = pretrained
        self.model, self.tokenizer, self.device = checkpoints.load(pretrained, path, kind)
        self.longest = checkpoints.longest(self.model, self.tokenizer)
        self._reader = Reader(pretrained, self.longest)

    def _tokenize(self, texts: list[Text]) -> Any:
        """A batch of texts or pairs, padded; those that are too long are cut."""
        pairs = [(text,) if isinstance(text, str) else text for text in texts]
        columns = [[*column] for column in zip(*pairs, strict=True)]
        options = {"truncation": True, "max_length": self.longest, "return_tensors": "pt"}
        batch = self.tokenizer(*columns, padding=True, **options).to(self.device)
        self._reader.count_cut(batch.encodings)
        return batch


class TokenEncoder(_Model):
    """Vectors of a text's tokens in a layer, 0 for the embeddings; up to 256 MB are kept."""

    def __init__(self, pretrained: Pretrained, path: Path, layer: int | None) -> None:
        super().__init__(pretrained, path, "AutoModel")
        if not self.tokenizer.is_fast:
            raise pretrained.error(f"{pretrained.model} has no fast tokenizer (tokenizer.json)")
        if self.model.config.is_encoder_decoder:
            self.model = self.model.get_encoder()
        self._layer = _cut_above(self.model, layer)
        self.tokenizer.padding_side = "right"
        self.tokenizer.pad_token = self.tokenizer.pad_token or self.tokenizer.eos_token
        kind = type(self.tokenizer).__name__.removesuffix("Fast").removesuffix("Tokenizer")
        self.prefix = " " if kind in _SPACED else ""
        """What stands before a text, so that its first word is read as the others are."""

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """The tokens of each text, and their vectors."""
        return self._reader.read(texts, self._ask)

    def _ask(self, texts: list[str]) -> list[Encoded]:
        batch = self._tokenize([*texts])
        several = {} if self._layer is None else {"output_hidden_states": True}
        with require("torch", checkpoints.EXTRA).inference_mode():
            output = self.model(batch.input_ids, attention_mask=batch.attention_mask, **several)
            states = output.hidden_states[self._layer] if several else output.last_hidden_state
            vectors: Floats32 = states.float().cpu().numpy()
        encoded = []
        for row, states in zip(batch.encodings, vectors, strict=True):
            n = sum(row.attention_mask)
            check_finite(self.pretrained, states[:n])
            special = np.array(row.special_tokens_mask[:n], bool)
            encoded.append(Encoded(np.array(row.ids[:n], np.int64), states[:n].copy(), special))
        return encoded


def _cut_above(model: Any, layer: int | None) -> int | None:
    """Remove the layers above one; return it if that isn't possible, or None."""
    layers = int(model.config.num_hidden_layers)
    stacks = [
        (parent, name)
        for parent in model.modules()
        for name, child in parent.named_children()
        if type(child).__name__ == "ModuleList" and len(child) == layers
    ]
    if layer is None or layer == layers:
        return None
    if len(stacks) != 1 or (layer == 0 and "deberta" in model.config.model_type):
        return layer  # DeBERTa doesn't run without a layer
    ((parent, name),) = stacks
    setattr(parent, name, getattr(parent, name)[:layer])
    return None


class Classifier(_Model):
    """The logits that a model gives texts, or pairs of texts; one number of a regression."""

    def __init__(self, pretrained: Pretrained, path: Path) -> None:
        super().__init__(pretrained, path, "AutoModelForSequenceClassification")

    def logits(self, texts: Sequence[Text]) -> NDArray[np.float64]:
        """(n, labels) of texts, or of pairs: of too long ones the longer text is cut."""
        rows = self._reader.read(texts, self._ask)
        return np.array(rows, np.float64).reshape(len(texts), len(self.model.config.id2label))

    def probabilities(self, texts: Sequence[Text], labels: Any = slice(None)) -> Any:
        """(n, labels) the softmax of the logits of some labels, by default all."""
        from scipy.special import softmax

        return softmax(self.logits(texts)[:, labels], axis=1)

    def _ask(self, texts: list[Text]) -> Floats32:
        # Pipelines of transformers can't: an empty text of a pair is none there.
        batch = self._tokenize(texts)
        with require("torch", checkpoints.EXTRA).inference_mode():
            logits: Floats32 = self.model(**batch).logits.float().cpu().numpy()
        check_finite(self.pretrained, logits)
        return logits


class Embedder:
    """A loaded model, and up to 256 MB of the vectors that it made. Threads take turns."""

    def __init__(self, pretrained: Pretrained, path: Path) -> None:
        library = require("sentence_transformers", checkpoints.EXTRA)
        torch = require("torch", checkpoints.EXTRA)
        try:
            model = library.SentenceTransformer(
                str(path),
                device=pretrained.device,
                local_files_only=True,
                model_kwargs={"dtype": getattr(torch, pretrained.dtype)},
            )
        except Exception as error:  # of any kind, as a folder can hold anything
            raise checkpoints.not_loadable(pretrained, error) from error
        self._model, self._pretrained = model, pretrained
        self._longest = model.max_seq_length or math.inf
        self._reader = Reader(pretrained, self._longest)

    def vectors(self, texts: Sequence[str]) -> Floats32:
        """Return (n, d) vectors of length 1, or 0 for a text of white space alone."""
        return np.stack(self._reader.read(texts, self._encode))

    def _encode(self, texts: list[str]) -> Floats32:
        rows: Floats32 = self._model.encode(
            texts,
            batch_size=len(texts),
            show_progress_bar=False,
            convert_to_numpy=True,
            normalize_embeddings=True,
        )
        check_finite(self._pretrained, rows)
        rows[[not text.strip() for text in texts]] = 0
        if self._longest < math.inf:
            ids = self._model.tokenizer(texts, truncation=False, verbose=False).input_ids
            self._reader.cut += sum(len(row) > self._longest for row in ids)
        return rows


class Reader:
    """Asks a model about texts in batches; up to 256 MB of answers are kept. Threads take turns."""

    def __init__(self, pretrained: Pretrained, longest: float) -> None:
        self.lock = threading.Lock()
        self._pretrained, self._longest = pretrained, longest
        self._kept: dict[Text, Any] = {}
        self._bytes = self.cut = 0

    def count_cut(self, encodings: Sequence[Any]) -> None:
        """Count the texts that a tokenizer has cut."""
        self.cut += sum(bool(encoding.overflowing) for encoding in encodings)

    def read(self, texts: Sequence[Any], ask: Ask) -> list[Any]:
        """Return the answer to each text; ``ask`` is called with new ones, sorted by length."""
        model, size = self._pretrained.model, self._pretrained.batch_size
        with self.lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._kept]
            made = {text: self._kept[text] for text in set(texts).difference(new)}
            new.sort(key=length)
            self.cut = 0
            with progress(desc=model, total=len(new)) as bar:
                for batch in batches(new, size, self._longest):
                    try:
                        answers = ask(new[batch])
                    except InputError:
                        raise
                    except Exception as error:  # of any kind: memory, or what a model can't read
                        raise self._pretrained.error(
                            f"{model} can't read {size} texts at once (batch_size): "
                            f"{checkpoints.first_line(error)}"
                        ) from error
                    for text, answer in zip(new[batch], answers, strict=True):
                        made[text] = self._kept[text] = answer
                        self._bytes += _OF_ANSWER + getattr(answer, "nbytes", _OF_ANSWER)
                        if self._bytes > _BYTES:
                            self._kept.clear()
                            self._bytes = 0
                    bar.update(len(answers))
            if self.cut:
                warnings.warn(
                    f"{self.cut} of {len(new)} texts are longer than the {self._longest} tokens "
                    f"that {model} reads: they were cut",
                    stacklevel=3,
                )
        return [made[text] for text in texts]


def length(text: Text) -> int:
    return len(text) if isinstance(text, str) else sum(map(len, text))


def check_finite(pretrained: Pretrained, numbers: Floats32) -> None:
    if not np.isfinite(numbers).all():
        half = " in half precision" if pretrained.dtype != "float32" else ""
        raise InputError(
            f"{pretrained.argument}: {pretrained.model} makes numbers that aren't finite{half}"
        )


def batches(texts: Sequence[Text], batch_size: int, longest: float) -> Iterator[slice]:
    """Yield slices of texts that are sorted by length: with padding, so many of 256 characters.

    Batches of so many long texts take twice the time and memory.
    """
    start = 0
    for end, text in enumerate(texts):
        size = max(_CHARACTERS, min(length(text), _OF_TOKEN * longest))
        if start < end and (end + 1 - start) * size > batch_size * _CHARACTERS:
            yield slice(start, end)
            start = end
    if texts:
        yield slice(start, len(texts))
