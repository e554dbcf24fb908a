"""Results as ``score --json`` saves them, and what a statement says of them."""

import json

import textsimp

SIGNATURES = {"sari": "sari|variant:xu|tok:none|case:lc|refs:8|v:0.1.0"}
SCORES = {
    "version": "0.1.0",
    "examples": 359,
    "confidence": 0.9,
    "resamples": 2000,
    "seed": 7,
    "signatures": SIGNATURES,
    "baselines": ["source unchanged"],
    "baseline_by_metric": {"sari": "ours"},
    "other_differences": {},
    "differences": {"a": {}, "b": {}, "source unchanged": {}},
    "provenance": {
        "python": "3.12.1",
        "platform": "Linux-6",
        "packages": {"sacrebleu": "2.6.0"},
        "files": {"test_set": "asset_test"},
        "data": [
            {"column": "sources", "system": None, "rows": 359, "sha256": "ab" * 32},
            {"column": "predictions", "system": "a", "rows": 359, "sha256": "cd" * 32},
        ],
    },
}


def state_results(folder, **changes):
    """The answers of a statement on results with some changes."""
    path = folder / "scores.json"
    path.write_text(json.dumps(SCORES | changes), encoding="utf-8")
    return textsimp.statement(path).answers
