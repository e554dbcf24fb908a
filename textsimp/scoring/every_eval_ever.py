"""Scores in Every Eval Ever's schema, in which groups exchange results of evaluations."""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from textsimp.core.scores import Scores, Value, is_number
from textsimp.corpora import testsets
from textsimp.support.errors import InputError
from textsimp.support.version import __version__

SCHEMA = "0.3.0"


def check_file(path: Path, systems: int) -> None:
    """Check that the file is one that holds so many systems: .json of one, .jsonl of several."""
    if path.suffix not in (".json", ".jsonl") or (path.suffix == ".json" and systems > 1):
        raise InputError(
            f"--every-eval-ever: expected a .jsonl file, or .json of one system, got {path} and "
            f"{systems} system{'s' * (systems > 1)}"
        )


def contents(
    path: Path,
    scores: Mapping[str, Mapping[str, Scores]],
    sampling: Mapping[str, Any],
    data: str,
) -> bytes:
    """Return what the file has: a record of each system, a line each if it is .jsonl.

    ``scores`` are metric → system → scores, ``data`` is the name of a test set or a file.
    """
    now = repr(time.time())
    corpora = {
        part.name: (corpus, part) for corpus in testsets.CORPORA for part in corpus.test_sets
    }
    source: dict[str, Any] = {"dataset_name": data, "source_type": "other"}
    if data in corpora and "/" in corpora[data][0].hub:
        corpus, part = corpora[data]
        source |= {"source_type": "hf_dataset", "hf_repo": corpus.hub, "hf_split": part.split}
    records = [
        {
            "schema_version": SCHEMA,
            "evaluation_id": f"{data}/{system}/{now}",
            "evaluation_timestamp": now,
            "retrieved_timestamp": now,
            "source_metadata": {
                "source_name": "textsimp",
                "source_type": "evaluation_run",
                "source_organization_name": "unknown",
                "evaluator_relationship": "other",
            },
            "eval_library": {"name": "textsimp", "version": __version__},
            "model_info": {
                "name": system,
                "id": system,
                "additional_details": {
                    "deployment_type": "unknown",
                    "model_availability": "unknown",
                },
            },
            "evaluation_results": [
                _result(name, key, value, systems[system], sampling, source)
                for name, systems in scores.items()
                for key, value in systems[system].predictions.items()
                if is_number(value.value) and systems[system].metric.find_score(key).better
            ],
        }
        for system in next(iter(scores.values()))
    ]
    indent = None if path.suffix == ".jsonl" else 1
    lines = (json.dumps(one, ensure_ascii=False, indent=indent) + "\n" for one in records)
    return "".join(lines).encode()


def _result(
    name: str,
    key: str,
    value: Value,
    scores: Scores,
    sampling: Mapping[str, Any],
    source: Mapping[str, Any],
) -> dict[str, Any]:
    score = scores.metric.find_score(key)
    uncertainty: dict[str, Any] = {"num_samples": scores.examples}
    if value.interval is not None:
        lower, upper = value.interval
        drawn = "examples and runs" if value.runs else "examples"
        uncertainty |= {
            "num_bootstrap_samples": sampling["resamples"],
            "confidence_interval": {
                "lower": lower,
                "upper": upper,
                "confidence_level": sampling["confidence"],
                "method": f"percentile bootstrap over {drawn}, seed {sampling['seed']}",
            },
        }
    return {
        "evaluation_result_id": f"{name}.{key}",
        "evaluation_name": source["dataset_name"],
        "source_data": source,
        "metric_config": {
            "evaluation_description": score.about or score.title,
            "metric_id": f"textsimp.{scores.metric.name}.{key}",
            "metric_name": score.title,
            "lower_is_better": score.better == "lower",
            "score_type": "continuous",
            "min_score": "-Infinity" if score.least is None else score.least,
            "max_score": "Infinity" if score.most is None else score.most,
            "additional_details": {"signature": scores.signature},
        },
        "score_details": {
            "score": value.value,
            "uncertainty": uncertainty,
            **({"details": {"runs": json.dumps(value.runs)}} if value.runs else {}),
        },
    }
