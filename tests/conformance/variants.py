"""The variants of SARI and BLEU that goldens name, as they are said here."""

SARI = {
    "easse": {},
    "easse_delp": {"delete": "precision"},
    "easse_paper": {"variant": "easse_paper"},
    "easse_paper_delp": {"variant": "easse_paper", "delete": "precision"},
    "easse_legacy": {"variant": "easse_legacy"},
    "easse_legacy_delp": {"variant": "easse_legacy", "delete": "precision"},
    "easse_none": {"tokenizer": "none"},
    "easse_none_nolc": {"tokenizer": "none", "lowercase": False},
    "xu_sentence": {"variant": "xu", "tokenizer": "13a"},
    "xu_sentence_13a": {"variant": "xu", "tokenizer": "13a"},
    "xu_sentence_raw": {"variant": "xu"},
    "huggingface": {"variant": "huggingface"},
}
BLEU = {
    "easse_lctrue": {},
    "easse_lcfalse": {"variant": "sacrebleu"},
    "sacrebleu_13a_lctrue": {},
    "sacrebleu_13a_lcfalse": {"variant": "sacrebleu"},
    "sacrebleu_none": {"variant": "sacrebleu", "tokenizer": "none"},
}


def sari_options(line):
    """Those of a golden; None for a script of unclear standing, which is left out."""
    if line["variant"].startswith("xu_modified"):
        return None
    if (line["variant"], line.get("dataset")) == ("xu_sentence", "turkcorpus_test_legacy"):
        return SARI["xu_sentence_raw"]  # its texts are tokenised already
    return SARI[line["variant"]]
