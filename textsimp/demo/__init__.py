"""Pages to try textsimp in a browser: one for each metric, and those of ``spaces/``.

They need Gradio (the extra ``demo``). Texts stay in memory while they are scored;
uploaded files are deleted within two hours, except those that are to be annotated.
"""

from textsimp.demo.annotate import build_annotate
from textsimp.demo.comparison import build_compare
from textsimp.demo.metric import build_demo
from textsimp.demo.splits import build_splits

__all__ = ["build_annotate", "build_compare", "build_demo", "build_splits"]
