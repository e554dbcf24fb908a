"""Uses that `make check` reads: a type checker finds these mistakes, and no others.

mypy reports a comment that ignores no error. Nothing runs this file.
"""

import textsimp

sari = textsimp.Sari("xu", tokenizer="none", per_order=True)
sari.score(sources=["a"], predictions=["a"], references=[["a"]], confidence=0.95)
textsimp.load("sari", "xu", seed=3).compute(predictions=["a"])
print(textsimp.splits.random_split)
textsimp.Sari(varaint="xu")  # type: ignore[call-arg]
textsimp.Sari(per_order="yes")  # type: ignore[arg-type]
print(textsimp.Saari)  # type: ignore[attr-defined]
print(textsimp.spilts)  # type: ignore[attr-defined]
