"""Pages to try textsimp in a browser: one for each metric, and those of ``spaces/``.

They need Gradio (the extra ``demo``). Texts stay in memory while they are scored. Uploaded files
are deleted within two hours.
"""

from textsimp.demo.comparison_page import build_compare
from textsimp.demo.metric_page import build_demo
from textsimp.demo.rating_page import build_rate
from textsimp.demo.splits_page import build_splits

__all__ = ["build_compare", "build_demo", "build_rate", "build_splits"]
