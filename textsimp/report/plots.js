"use strict";
(() => {
  // Plots, in the page's width.
  const specs = JSON.parse(byId("plots").textContent);
  const views = {};
  const draw = async (container) => {
    const id = container.dataset.plot;
    const spec = {
      ...specs[id],
      width: container.clientWidth,
      autosize: { type: "fit-x", contains: "padding" },
    };
    views[id]?.finalize();
    views[id] = await vegaEmbed(container, spec, {
      mode: "vega-lite", renderer: "svg", actions: false, ast: true, defaultStyle: false,
      tooltip: { disableDefaultStyle: true },
    });
    for (const part of all("svg [role], svg [aria-roledescription]", container)) { // without names
      part.removeAttribute("role");
      part.removeAttribute("aria-roledescription");
    }
    if (id === "by-length") focus();
  };
  const drawn = new Map();
  const drawAll = () => {
    for (const container of all("[data-plot]")) {
      const width = container.clientWidth;
      if (width && drawn.get(container) !== width) {
        drawn.set(container, width);
        draw(container);
      }
    }
  };
  let waiting;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(drawAll, 150);
  });

  // The legend emphasises one row in the plot.
  const legend = all("[data-focus]");
  const focus = () => {
    const pressed = legend.find((button) => button.getAttribute("aria-pressed") === "true");
    views["by-length"]?.view.signal("focus", pressed ? pressed.dataset.focus : "").run();
  };
  for (const button of legend) {
    button.addEventListener("click", () => {
      const pressed = button.getAttribute("aria-pressed") === "true";
      for (const other of legend) other.setAttribute("aria-pressed", "false");
      button.setAttribute("aria-pressed", String(!pressed));
      focus();
    });
  }
  drawAll();
})();
