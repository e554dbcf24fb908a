"""A metric's options as controls of a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from textsimp.core.metric import Metric
from textsimp.core.option import Option
from textsimp.demo.gradio_page import WIDTH, gradio

_NONE = "(none)"


@dataclass(frozen=True)
class Control:
    name: str  # the option's
    component: Any
    values: tuple[Any, ...] = ()  # the option's values; empty if the visitor types them
    group: str = ""

    def label(self, value: Any) -> Any:
        return _label(value) if self.values else value

    def value(self, label: Any) -> Any:
        if self.values:
            return next(value for value in self.values if _label(value) == label)
        return None if label == "" else label


def metric_controls(metric: type[Metric], defaults: Mapping[str, Any]) -> list[Control]:
    """Return a control for each option of a metric. Selecting a variant sets the others."""
    start = metric.configure(defaults)[0]
    variant = preset_control(metric, start.variant)
    options = metric.declared_options()
    others = [_control(option, getattr(start, option.name)) for option in options]
    controls = [variant, *others]
    if len(metric.presets) > 1:

        def set_options(name: str) -> Any:
            chosen = metric(name)
            labels = [control.label(getattr(chosen, control.name)) for control in others]
            return labels if len(labels) > 1 else labels[0]

        variant.component.input(
            set_options,
            variant.component,
            [control.component for control in others],
            show_progress="hidden",
            queue=False,
            api_visibility="private",
        )
    return controls


def preset_control(metric: type[Metric], value: str) -> Control:
    """Return the list of a metric's variants, each with its description."""
    presets = {name: preset.about.replace("`", "") for name, preset in metric.presets.items()}
    component = gradio().Dropdown(
        [(f"{name}: {about}", name) for name, about in presets.items()],
        value=value,
        label="Variant",
        info="A preset of the options",
        filterable=False,
        min_width=WIDTH,
        render=False,
    )
    return Control("variant", component, tuple(presets))


def _control(option: Option, value: Any) -> Control:
    """Return the checkbox, list, number or text box that fits an option."""
    gr = gradio()
    name, group = option.name, _group(option)
    title = name.replace("_", " ").capitalize()
    common = {"label": title, "info": option.about, "min_width": WIDTH, "render": False}
    choices = tuple(option.choices or option.suggestions)
    if set(choices) == {True, False} and option.kind is bool:
        return Control(name, gr.Checkbox(value, **common), group=group)
    if choices:
        labels = [_label(choice) for choice in choices]
        component = gr.Dropdown(labels, value=_label(value), filterable=False, **common)
        return Control(name, component, choices, group)
    # The metric refuses a number out of bounds, so its message appears in place of the results.
    make = gr.Number if option.kind in (int, float) else gr.Textbox
    value = "" if value is None else value  # a page shows None as the number 0
    return Control(name, make(value, placeholder=_NONE, **common), group=group)


def _group(option: Option) -> str:
    """Return the heading of similar options; "" of those that everybody may need."""
    if option.of_variants:
        return "Set by variants"
    if option.tag == "":
        return "More scores"
    needed = [f"{name} {' or '.join(map(str, xs))}" for name, xs in option.only_with.items()]
    return f"With {' and '.join(needed)}".replace("_", " ") if needed else ""


def lay_out(controls: Sequence[Control]) -> None:
    """Show controls in groups, side by side where there is room, and checkboxes below them."""
    gr = gradio()
    for group in dict.fromkeys(control.group for control in controls):
        if group:
            gr.Markdown(f"**{group}**")
        components = [control.component for control in controls if control.group == group]
        ticked = [component for component in components if isinstance(component, gr.Checkbox)]
        with gr.Row():
            for component in components:
                if component not in ticked:
                    component.render()
        for component in ticked:
            component.render()


def values(controls: Sequence[Control], labels: Sequence[Any]) -> dict[str, Any]:
    """Return the values of the options that the controls show."""
    return {
        control.name: control.value(label) for control, label in zip(controls, labels, strict=True)
    }


def _label(value: Any) -> str:
    return _NONE if value is None else str(value)
