"""Corpora as columns: text files, tables, datasets, test sets, and the checks of their texts.

- In: the names of files or datasets, and of the columns in them.
- Out: ``Examples``, rows joined by their ids; or the subsets of a corpus. ``checks.find`` returns
  findings on texts.
- Read ``reading.py`` first, then ``tables.py``; ``shards.py`` for data larger than memory; and
  ``checks.py``, then ``checked_texts.py``, for the data checks.
"""
