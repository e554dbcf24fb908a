"""Pages as their visitors use them, without a browser."""

import base64
import functools
import re
from html import unescape

from textsimp.demo import build_compare, build_demo, build_splits


def build(name):
    """A new page: of a metric, or ``"compare"`` or ``"splits"``."""
    return {"compare": build_compare, "splits": build_splits}.get(name, lambda: build_demo(name))()


page = functools.cache(build)  # for tests that don't launch it


def plain(html):
    text = re.sub('<p class="old".*?</p>|<[^>]*>', " ", html)
    return " ".join(unescape(text).split())


def handlers(page, action, output="html"):
    """The functions that an event or a button of this text starts, in the order of tabs."""
    return [
        function
        for function in page.fns.values()
        for block, event in function.targets
        if action in (event, getattr(page.blocks.get(block), "value", ""))
        and function.outputs
        and function.outputs[0].get_block_name() == output
    ]


def see(page, action, tab=0, **boxes):
    """What is shown after a click, with some boxes filled in.

    Args:
        page: The page.
        action: What the button says, or an event such as ``"then"``; or ``"open"``.
        tab: Which of the buttons that say so.
        boxes: The first word of a label → value; a tuple for several boxes of the same label.
    """
    if action == "open":
        return next(b.value for b in page.blocks.values() if b.elem_id == "results")
    function = handlers(page, action)[tab]
    inputs = {
        name: iter(value if isinstance(value, tuple) else (value,)) for name, value in boxes.items()
    }

    def value(block):
        label = (block.label or block.get_block_name()).split(" ")[0].strip(",")
        return next(inputs.get(label, iter(())), block.value)

    shown, _ = function.fn(*map(value, function.inputs))
    return str(shown)


def filled(page):
    """What "Fill in an example" puts into the boxes."""
    for function in page.fns.values():
        for block, _ in function.targets:
            if getattr(page.blocks.get(block), "value", "") == "Fill in an example":
                return function.fn()
    raise AssertionError("no such button")


def files(html):
    """The files of text that can be saved: name → content."""
    links = re.findall(r'download="([^"]*)" href="data:[\w/]+;base64,([^"]*)"', html)
    return {name: base64.b64decode(data).decode(errors="replace") for name, data in links}
