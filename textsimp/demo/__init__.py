"""Pages to try textsimp in a browser: one for each metric, and those of ``spaces/``.

- In: texts that visitors type, paste or upload.
- Out: pages of Gradio (extra ``demo``), from `build_demo`, `build_compare` and `build_splits`.
  Texts stay in memory; uploaded files are deleted within two hours.
- Read ``metric_page.py`` first, then ``gradio_page.py``.
"""

from textsimp.demo.comparison_page import build_compare
from textsimp.demo.metric_page import build_demo
from textsimp.demo.splits_page import build_splits

__all__ = ["build_compare", "build_demo", "build_splits"]
