"""What runs without evaluate and datasets, whose upkeep isn't ours."""

import subprocess
import sys

from tests.project import PROJECT

CORPUS = "-s examples/source.txt -p examples/systems -r examples/references"
BLOCKED = """
import sys
sys.modules["evaluate"] = sys.modules["datasets"] = None
from textsimp.cli import main
for command in sys.argv[1:]:
    print(command, flush=True)
    main(command.split(), standalone_mode=False)
"""


def test_commands_need_neither_evaluate_nor_datasets():
    commands = [
        f"score {CORPUS} -m sari,bleu",
        f"compare {CORPUS}",
        f"check {CORPUS}",
        f"explain 35 {CORPUS.replace('systems', 'systems/splitter.txt')}",
        "ratings examples/ratings.jsonl --rating rating",
        "meta -d examples/ratings.jsonl -m sari",
        "split divergence a=examples/source.txt,examples/references/0.txt "
        "b=examples/source.txt,examples/references/1.txt",
        "documents -s examples/documents/source.txt -t examples/documents/references/0.txt",
    ]
    run = subprocess.run(
        [sys.executable, "-c", BLOCKED, *commands],
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout
