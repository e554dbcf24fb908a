"""Train a tiny T5 on the example corpus and watch its SARI: half a minute on a CPU.

Needs torch, transformers and accelerate; draws the curve if matplotlib is there. Nothing is
downloaded: the model starts from random numbers and learns 40 sentences by heart. The curve shows
how evaluation works, not how to simplify.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import (
    DataCollatorForSeq2Seq,
    PreTrainedTokenizerFast,
    PrinterCallback,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
    T5Config,
    T5ForConditionalGeneration,
    set_seed,
)

from textsimp.trainer import make_compute_metrics

HERE = Path(__file__).parent
PICTURE = HERE.parent / "results" / "train_tiny.png"


def lines(name: str) -> list[str]:
    """The lines of a file; only a line feed ends a line."""
    return (HERE / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def make_tokenizer(texts: list[str]) -> PreTrainedTokenizerFast:
    """A byte-pair encoding learned from the texts."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=1000,
        special_tokens=["<pad>", "</s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>")


def main() -> None:
    set_seed(0)
    torch.set_num_threads(1)  # more only wait for one another in so small a model
    sources, targets = lines("source.txt"), lines("references/0.txt")
    tokenizer = make_tokenizer(sources + targets)
    rows = [
        {**tokenizer(source), "labels": tokenizer(target)["input_ids"]}
        for source, target in zip(sources, targets, strict=True)
    ]
    model = T5ForConditionalGeneration(
        T5Config(
            vocab_size=len(tokenizer),
            d_model=64,
            d_kv=16,
            d_ff=256,
            num_layers=2,
            num_heads=4,
            dropout_rate=0.0,
            decoder_start_token_id=0,
            pad_token_id=0,
            eos_token_id=1,
        )
    )
    compute_metrics = make_compute_metrics(tokenizer)
    with tempfile.TemporaryDirectory() as folder:
        trainer = Seq2SeqTrainer(
            model,
            Seq2SeqTrainingArguments(
                folder,
                predict_with_generate=True,  # scores need texts
                include_for_metrics=["inputs"],  # the sources are decoded from them
                generation_max_length=100,  # 20 unless set, which cuts most sentences
                eval_strategy="steps",
                eval_steps=25,
                eval_on_start=True,  # a wrong argument is told now, not after the first epoch
                max_steps=150,
                learning_rate=3e-3,
                lr_scheduler_type="constant_with_warmup",
                warmup_steps=20,
                per_device_train_batch_size=20,
                per_device_eval_batch_size=40,
                save_strategy="no",
                report_to="none",
                disable_tqdm=True,
                use_cpu=True,
            ),
            train_dataset=rows[:40],
            eval_dataset={"learned": rows[:40], "new": rows[40:]},
            data_collator=DataCollatorForSeq2Seq(tokenizer, model),
            processing_class=tokenizer,
            compute_metrics=compute_metrics,
        )
        trainer.remove_callback(PrinterCallback)  # the curve is printed at the end
        print("training 150 steps ...")
        trainer.train()

    curves: dict[str, dict[int, float]] = {
        name: {
            log["step"]: log[f"eval_{name}_sari"]
            for log in trainer.state.log_history
            if f"eval_{name}_sari" in log
        }
        for name in ("learned", "new")
    }
    print(f"{'step':>4}{'SARI, 40 sentences trained on':>33}{'8 new sentences':>18}")
    for step, learned in curves["learned"].items():
        print(f"{step:4}{learned:33.1f}{curves['new'][step]:18.1f}")
    print(compute_metrics.signatures["sari"])
    draw(curves)


def draw(curves: dict[str, dict[int, float]]) -> None:
    """Save the curves as a picture, if matplotlib is there."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        print("For a picture of it: pip install matplotlib")
        return
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.subplots()
    for name, curve in curves.items():
        axes.plot(list(curve), list(curve.values()), marker="o", label=f"{name} sentences")
    axes.set(xlabel="step", ylabel="SARI", ylim=(0, 105), title="A tiny T5 learns by heart")
    axes.legend()
    PICTURE.parent.mkdir(exist_ok=True)
    figure.savefig(PICTURE, dpi=150)
    print(f"The curve is in {PICTURE.relative_to(HERE.parent)}")


if __name__ == "__main__":
    main()
