"""Compile LaTeX as a two-column paper has it, and read its log."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

COLUMN, PAGE = 219, 455  # points, as in the style files of ACL

needs_latex = pytest.mark.skipif(
    shutil.which("kpsewhich") is None
    or subprocess.run(["kpsewhich", "booktabs.sty"], stdout=subprocess.DEVNULL).returncode != 0,
    reason="pdflatex or booktabs is not installed",
)

_HEAD = r"""\documentclass[twocolumn]{article}
\usepackage{booktabs}
\setlength{\textwidth}{455pt}\setlength{\columnsep}{17pt}
\begin{document}
"""
_TABULAR = re.compile(r"\\begin\{tabular\}.*?\\end\{tabular\}", re.DOTALL)
_SIZE = re.compile(r"\\(small|footnotesize|scriptsize)\\setlength.*")


def compile_paper(body: str, folder: Path) -> str:
    """Compile a two-column article; return its log."""
    (folder / "paper.tex").write_text(f"{_HEAD}{body}\n\\end{{document}}\n", encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    return done.stdout


def measure(tables: Sequence[str], folder: Path) -> list[float]:
    """Return the widest part of each table in points; nothing is wider than its place."""
    boxes = [
        rf"\sbox0{{{size[0]}{part}}}\typeout{{WIDTH {i} \the\wd0}}"
        for i, table in enumerate(tables)
        if (size := _SIZE.search(table))
        for part in _TABULAR.findall(table)
    ]
    log = compile_paper("\n".join([*tables, *boxes]), folder)
    assert "Overfull" not in log
    assert "too large" not in log  # a float, for its page
    found = re.findall(r"WIDTH (\d+) ([\d.]+)pt", log)
    return [max(float(width) for j, width in found if int(j) == i) for i in range(len(tables))]
