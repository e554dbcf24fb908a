"""A judge behind ``transformers serve``: a tiny random model, whose nonsense is invalid."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from textsimp.extensions import judges, people
from textsimp.support.errors import InputError

transformers = pytest.importorskip("transformers")
for needed in ("torch", "fastapi", "openai", "uvicorn"):
    pytest.importorskip(needed)
if int(transformers.__version__.split(".")[0]) < 5:
    pytest.skip("transformers serve streams only, before version 5", allow_module_level=True)


def make_model(folder):
    """Write a random model of 256 bytes, with the simplest template of a chat."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({letter: i for i, letter in enumerate(letters)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=letters[0])
    fast.chat_template = "{% for message in messages %}{{ message['content'] }}{% endfor %}"
    fast.save_pretrained(folder)
    config = transformers.LlamaConfig(
        vocab_size=len(letters),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=8192,
        bos_token_id=0,
        eos_token_id=0,
    )
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of a server, and the name of its model."""
    folder = tmp_path_factory.mktemp("serve")
    model = make_model(folder / "tiny-judge")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = "from transformers.cli.transformers import main; main()"
    command = [sys.executable, "-c", program, "serve", model, "--port", str(port)]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    log = folder / "log"
    with open(log, "wb") as out:
        server = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1).close()
                break
            except OSError:
                if server.poll() is not None:
                    pytest.fail(log.read_text(errors="replace")[-2000:])
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/v1", model
    finally:
        server.terminate()
        server.wait()


@pytest.mark.slow
def test_nonsense_is_counted_as_invalid(address, tmp_path):
    url, model = address
    file = tmp_path / "answers.jsonl"
    plan = people.design(["A source."], {"a": ["One."], "b": ["Two."]}, "level", raters=1)
    found = judges.judge(plan, models=[model], base_url=url, file=file, answer_tokens=32)
    assert len(found) == 2
    assert all(found.answers["invalid"])
    for line in file.read_text(encoding="utf-8").splitlines():
        asked = json.loads(line)["judge"]
        assert asked["reported"].startswith(model)
        assert asked["tries"] == 2
        assert asked["tokens"] > 2 * 32
    with pytest.raises(InputError):
        people.analyse(found)
