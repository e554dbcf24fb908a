"""Texts without metrics: tokens, n-grams, sentences, syllables, words, alignments, models.

- In: strings, or functions of users as tokenizers, splitters and aligners.
- Out: arrays of numbered tokens, sentences, counts, and pairs of aligned words or sentences.
- Read ``tokenizers.py`` first, then ``sentences.py`` and ``alignment.py``.
"""
