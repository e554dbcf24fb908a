"""Pages to try textsimp in a browser: one for each metric, and those of ``spaces/``.

- In: texts that visitors type, paste or upload, and answers of raters.
- Out: pages of Gradio (extra ``demo``), from `build_demo`, `build_compare`, `build_splits` and
  `build_rate`. Texts stay in memory; uploaded files are deleted within two hours.
- Read ``metric_page.py`` first, then ``gradio_page.py``.
"""

from textsimp.demo.comparison_page import build_compare
from textsimp.demo.metric_page import build_demo
from textsimp.demo.splits_page import build_splits
from textsimp.extensions.people.page.rating_page import build_rate

__all__ = ["build_compare", "build_demo", "build_rate", "build_splits"]
