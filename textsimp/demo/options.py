"""A metric's options as controls of a page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from textsimp.demo.limits import RESAMPLES
from textsimp.demo.page import gradio
from textsimp.metric import Metric
from textsimp.text.sentences import SPLITTERS

_NONE = "(none)"
WIDTH = 200  # of a control: two stand side by side, on a phone one


@dataclass(frozen=True)
class Control:
    """A control for one option.

    Attributes:
        name: The option.
        component: Gradio's.
        values: What it can be set to, or empty if that is typed in.
    """

    name: str
    component: Any
    values: tuple[Any, ...] = ()

    def shown(self, value: Any) -> Any:
        """What the control shows for an option's value."""
        return _label(value) if self.values else value

    def value(self, shown: Any) -> Any:
        """The option's value for what the control shows."""
        if self.values:
            return next(value for value in self.values if _label(value) == shown)
        if isinstance(shown, str):
            return int(shown) if re.fullmatch(r"[0-9]{1,9}", shown) else shown or None
        return shown


def metric_controls(metric: type[Metric], defaults: Mapping[str, Any]) -> list[Control]:
    """A control for each option of a metric, to be laid out; the variant sets the others.

    Args:
        metric: The metric.
        defaults: Options that differ from the first variant's.
    """
    gr = gradio()
    helps = {"variant": "a preset of the options below"} | metric.option_lines()
    start = metric.configure(defaults)[0]
    controls = []
    for f in fields(metric):
        common = {"label": f.name, "info": helps.get(f.name), "min_width": WIDTH, "render": False}
        choices = tuple(f.metadata.get("choices", ()))
        value = getattr(start, f.name)
        if f.name == "variant":
            choices = tuple(metric.presets)
        elif f.name == "splitter":
            of_presets = (getattr(metric(preset), f.name) for preset in metric.presets)
            choices = tuple(dict.fromkeys((*SPLITTERS, *of_presets)))
        if set(choices) == {True, False} and isinstance(value, bool):
            choices = ()
            component = gr.Checkbox(value, **common)
        elif choices:
            labels = [_label(choice) for choice in choices]
            component = gr.Dropdown(labels, value=_label(value), filterable=False, **common)
        else:
            component = gr.Textbox(value, placeholder=_NONE, **common)
        controls.append(Control(f.name, component, choices))
    variant, *others = controls
    if len(metric.presets) > 1:

        def preset(name: str) -> Any:
            chosen = metric(name)
            shown = [control.shown(getattr(chosen, control.name)) for control in others]
            return shown if len(shown) > 1 else shown[0]

        variant.component.input(
            preset,
            variant.component,
            [control.component for control in others],
            show_progress="hidden",
            queue=False,
            api_visibility="private",
        )
    return controls


def sampling_controls(required: bool = False) -> list[Control]:
    """Controls of the bootstrap, which may be switched off unless it is required."""
    gr = gradio()
    common = {"info": "For intervals", "min_width": WIDTH, "render": False}
    levels = (*([] if required else [None]), 0.9, 0.95, 0.99)
    labels = [_label(level) for level in levels]
    confidence = gr.Dropdown(
        labels, value=_label(0.95), label="confidence", filterable=False, **common
    )
    resamples = gr.Slider(100, RESAMPLES, 1000, step=100, label="resamples", **common)
    seed = gr.Number(0, label="seed", precision=0, minimum=0, **common)
    return [
        Control("confidence", confidence, levels),
        Control("resamples", resamples),
        Control("seed", seed),
    ]


def lay_out(components: Sequence[Any]) -> None:
    """Put controls side by side where there is room, and below them those to be ticked."""
    gr = gradio()
    ticked = [component for component in components if isinstance(component, gr.Checkbox)]
    with gr.Row():
        for component in components:
            if component not in ticked:
                component.render()
    for component in ticked:
        component.render()


def values(controls: Sequence[Control], shown: Sequence[Any]) -> dict[str, Any]:
    """Option → value."""
    return {
        control.name: control.value(value) for control, value in zip(controls, shown, strict=True)
    }


def _label(value: Any) -> str:
    return _NONE if value is None else str(value)
