"""Judgements of outputs: plans, answers, tables of values, agreement and meta-evaluation.

- In: a `Scheme` (what is asked), a `Plan` (who sees what) and files of answers.
- Out: `Judgements`, a table with a row per value, and analyses of it.
- Read ``judgements.py`` first, then ``reading.py``; ``README.md`` says which file does what.
"""
