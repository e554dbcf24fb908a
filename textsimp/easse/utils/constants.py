"""The metrics of ``easse evaluate``."""

DEFAULT_METRICS = ["bleu", "sari", "fkgl"]
VALID_METRICS = [*DEFAULT_METRICS, "sent_bleu", "sari_legacy", "sari_by_operation", "f1_token"]
VALID_METRICS += ["samsa", "bertscore"]
