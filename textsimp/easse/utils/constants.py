"""The metrics of ``easse evaluate``."""

DEFAULT_METRICS = ["bleu", "sari", "fkgl"]
VALID_METRICS = [
    *("bleu", "sent_bleu", "sari", "sari_legacy", "sari_by_operation"),
    *("samsa", "fkgl", "f1_token", "bertscore"),
]
