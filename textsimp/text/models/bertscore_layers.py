"""The layer of a model whose vectors BERTScore compares: the best for ratings of translations.

Facts from the table ``model2layers`` of bert-score 0.3.13 (MIT), by the authors of BERTScore.
"""

from __future__ import annotations

_MODELS = {
    0: "bort",
    1: (
        "bert_uncased_L-2_H-128_A-2 bert_uncased_L-2_H-256_A-4 bert_uncased_L-2_H-512_A-8 "
        "byt5-small"
    ),
    2: "bert_uncased_L-2_H-768_A-12 blenderbot-400M-distill tiny-mbart",
    3: (
        "bert_uncased_L-4_H-128_A-2 bert_uncased_L-4_H-256_A-4 bert_uncased_L-4_H-512_A-8 "
        "bert_uncased_L-4_H-768_A-12"
    ),
    4: (
        "bert-base-uncased-embedding-relative-key deberta-v3-small "
        "distilbert-base-turkish-cased distilbert-base-uncased-distilled-squad "
        "prophetnet-large-uncased"
    ),
    5: (
        "bert_uncased_L-6_H-128_A-2 bert_uncased_L-6_H-256_A-4 bert_uncased_L-6_H-512_A-8 "
        "bert_uncased_L-6_H-768_A-12 distilbert-base-multilingual-cased "
        "distilbert-base-uncased distilroberta-base xlnet-base-cased"
    ),
    6: "bart-base bert_uncased_L-8_H-512_A-8 led-base-16384 t5-small xlm-mlm-en-2048",
    7: (
        "bert-base-uncased-embedding-relative-key-query bert_uncased_L-8_H-128_A-2 "
        "bert_uncased_L-8_H-256_A-4 bert_uncased_L-8_H-768_A-12 blenderbot_small-90M "
        "longformer-base-4096 prophetnet-large-uncased-cnndm roberta-base-openai-detector "
        "xlnet-large-cased xprophetnet-large-wiki100-cased"
    ),
    8: (
        "albert-xxlarge-v1 albert-xxlarge-v2 bert-base-chinese "
        "bert_uncased_L-10_H-128_A-2 bert_uncased_L-10_H-256_A-4 "
        "bert_uncased_L-10_H-768_A-12 bigbird-base-trivia-itc mpnet-base mt5-small "
        "pegasus-large scibert_scivocab_uncased spanbert-base-cased "
        "unsup-simcse-roberta-base"
    ),
    9: (
        "albert-base-v2 bart-large-xsum bert-base-cased-finetuned-mrpc "
        "bert-base-multilingual-cased bert-base-uncased bert_uncased_L-10_H-512_A-8 "
        "bert_uncased_L-12_H-768_A-12 bertweet-base conv-bert-medium-small deberta-base "
        "deberta-base-mnli deberta-v3-base electra-base-discriminator "
        "electra-small-generator scibert_basevocab_uncased scibert_scivocab_cased "
        "squeezebert-mnli squeezebert-mnli-headless squeezebert-uncased xlm-roberta-base"
    ),
    10: (
        "albert-base-v1 bart-large bart-large-cnn bert-base-turkish-cased "
        "bert_uncased_L-12_H-128_A-2 bert_uncased_L-12_H-512_A-8 bigbird-roberta-base "
        "conv-bert-base conv-bert-small deberta-v2-xlarge deberta-v3-xsmall "
        "electra-base-generator finbert mdeberta-v3-base roberta-base "
        "sup-simcse-bert-base-uncased sup-simcse-roberta-base "
        "unsup-simcse-bert-base-uncased xlm-mlm-100-1280"
    ),
    11: (
        "bart-large-mnli bert_uncased_L-12_H-256_A-4 electra-small-discriminator mt5-base "
        "pegasus-xsum t5-base t5_paraphraser"
    ),
    12: (
        "T5_Paraphrase_Paws deberta-v3-large mbart-large-50 "
        "mbart-large-50-many-to-many-mmt mbart-large-50-one-to-many-mmt mbart-large-cc25 "
        "mbart-large-en-ro"
    ),
    13: "albert-xlarge-v2 unsup-simcse-roberta-large",
    14: (
        "albert-large-v2 bigbird-roberta-large electra-large-discriminator "
        "longformer-large-4096 longformer-large-4096-finetuned-triviaqa"
    ),
    15: "pegasus_paraphrase roberta-large-openai-detector",
    16: "albert-xlarge-v1 deberta-large sup-simcse-roberta-large",
    17: (
        "albert-large-v1 byt5-base deberta-v2-xlarge-mnli roberta-large "
        "spanbert-large-cased xlm-roberta-large"
    ),
    18: (
        "DeBERTa-v3-large-mnli bert-large-uncased deberta-large-mnli deberta-xlarge "
        "electra-large-generator sup-simcse-bert-large-uncased "
        "unsup-simcse-bert-large-uncased"
    ),
    19: (
        "bert-large-uncased-whole-word-masking-embedding-relative-key-query mt5-large "
        "roberta-large-mnli"
    ),
    21: "deberta-v2-xxlarge",
    22: "deberta-v2-xxlarge-mnli",
    23: "t5-large",
    24: "mt5-xl",
    30: "byt5-large",
    40: "deberta-xlarge-mnli",
}

LAYERS = {name: layer for layer, names in _MODELS.items() for name in names.split()}
"""Name on the Hub, without its owner → layer."""

LIKE = {
    ("bert", 12): "bert-base-uncased",
    ("bert", 24): "bert-large-uncased",
    ("roberta", 6): "distilroberta-base",
    ("roberta", 12): "roberta-base",
    ("roberta", 24): "roberta-large",
    ("xlm-roberta", 12): "xlm-roberta-base",
    ("xlm-roberta", 24): "xlm-roberta-large",
    ("distilbert", 6): "distilbert-base-uncased",
    ("deberta", 12): "deberta-base",
    ("deberta", 24): "deberta-large",
    ("deberta-v2", 12): "deberta-v3-base",
    ("deberta-v2", 24): "deberta-v3-large",
    ("mpnet", 12): "mpnet-base",
}
"""Architecture and number of layers → the model of the table that others are made from."""
