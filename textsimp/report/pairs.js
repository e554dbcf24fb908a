"use strict";
(() => {
  // Systems by two scores of the tables: any two, and the main score and what people say.
  const [LEFT, RIGHT, TOP, BOTTOM, HEIGHT] = [62, 16, 12, 350, 392];
  const PAPER = 700; // pixels between the margins of A4
  const looks = new Map(Examples.data.looks.map((look) => [look.name, look]));
  const { confidence } = JSON.parse(document.querySelector("meta[name=provenance]").content);

  // The columns: a title, what it is, and of each row the value with its interval.
  const heads = all("#scores thead th:not(.name, .gap)");
  const axes = heads.map((head) => {
    const values = new Map();
    for (const { cells } of head.closest("table").tBodies[0].rows) {
      const { value, bounds = "" } = cells[head.cellIndex].dataset;
      const numbers = [value, ...bounds.split(" ").filter(Boolean)].map(Number);
      if (value !== undefined) values.set(cells[0].textContent, numbers);
    }
    return { title: head.textContent, about: head.title, values };
  });

  // Where values are on an axis, as a share of it, and about five round numbers.
  const scale = (values) => {
    const [least, most] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
    const room = (most - least || Math.abs(most) || 1) * 0.05;
    const [low, high] = [least - room, most + room];
    const rough = (high - low) / 5;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
    const ticks = [];
    for (let n = Math.ceil(low / step); n * step <= high; n += 1) ticks.push(n * step);
    return { ticks, at: (value) => (value - low) / (high - low),
      places: Math.max(0, -Math.floor(Math.log10(step))) };
  };
  const line = (attributes) => svg("line", { stroke: "var(--line)", ...attributes });
  const write = (text, attributes) =>
    svg("text", { fill: "var(--muted)", "text-anchor": "middle", ...attributes }, text);

  const short = (value) =>
    Examples.number(value, value ? Math.min(Math.max(2 - Math.floor(Math.log10(Math.abs(value))), 0), 20) : 0);
  const tell = ({ title, values }, name) => {
    const [value, low, high] = values.get(name).map(short);
    const interval = low && `${100 * confidence} % interval: ${low} to ${high}`;
    return [`${title}: ${value}`, interval].filter(Boolean).join("\n");
  };

  const drawn = (across, up, width) => {
    const names = [...across.values.keys()].filter((name) => up.values.has(name));
    const [x, y] = [across, up].map(({ values }) => scale(names.flatMap((name) => values.get(name))));
    const atX = (value) => `${100 * x.at(value)}%`;
    const atY = (value) => BOTTOM - y.at(value) * (BOTTOM - TOP);
    const picture = svg("svg", { role: "group", "aria-label": `${up.title} by ${across.title}`,
      width: "100%", "font-size": 12, "font-family": "system-ui, sans-serif",
      style: `display: block; overflow: visible; box-sizing: border-box; height: ${HEIGHT}px; padding: 0 ${RIGHT}px 0 ${LEFT}px`,
      "data-columns": JSON.stringify([across, up].flatMap(({ title }) => [title, `${title}, low`, `${title}, high`])) });
    const axis = svg("g", { "aria-hidden": "true" });
    for (const tick of x.ticks) {
      axis.append(line({ x1: atX(tick), x2: atX(tick), y1: TOP, y2: BOTTOM + 5 }),
        write(Examples.number(tick, x.places), { x: atX(tick), y: BOTTOM + 18 }));
    }
    for (const tick of y.ticks) {
      axis.append(line({ x1: -5, x2: "100%", y1: atY(tick), y2: atY(tick) }),
        write(Examples.number(tick, y.places), { x: -8, y: atY(tick) + 4, "text-anchor": "end" }));
    }
    axis.append(write(across.title, { x: "100%", y: BOTTOM + 38, "text-anchor": "end" }),
      write(up.title, { transform: `translate(${14 - LEFT} ${TOP}) rotate(-90)`, "text-anchor": "end" }));
    picture.append(axis);

    // A name stands where it covers least, right or left of its point, and tied to it.
    const inner = width - LEFT - RIGHT;
    const points = names.map((name) => ({ name, ...looks.get(name),
      x: across.values.get(name), y: up.values.get(name) })).sort((a, b) => a.x[0] - b.x[0]);
    const taken = points.map((point) => [x.at(point.x[0]) * inner - 6, atY(point.y[0]) - 6, 12, 12]);
    const overlap = (a, b, size, other) => Math.max(0, Math.min(a + size, b + other) - Math.max(a, b));
    const covered = ([left, top, w, h]) =>
      taken.reduce((sum, [l, t, ww, hh]) => sum + overlap(left, l, w, ww) * overlap(top, t, h, hh), 0)
      + 1e4 * (left < 0 || left + w > inner || top < 0 || top + h > BOTTOM);
    for (const { name, color, glyph, x: [value, ...ofX], y: [other, ...ofY] } of points) {
      const [cx, cy, w] = [x.at(value) * inner, atY(other), 6.8 * name.length];
      const point = svg("g", { role: "img", "data-name": name,
        "data-numbers": JSON.stringify([across, up].flatMap(({ values }) => [...values.get(name), null, null].slice(0, 3))) });
      const around = svg("svg", { x: atX(value), y: cy, overflow: "visible" });
      const quiet = { stroke: color, "pointer-events": "none" };
      point.append(svg("title", {}, [name, tell(across, name), tell(up, name)].join("\n")));
      if (ofX.length) point.append(line({ x1: atX(ofX[0]), x2: atX(ofX[1]), y1: cy, y2: cy, ...quiet }));
      if (ofY.length) point.append(line({ x1: atX(value), x2: atX(value), y1: atY(ofY[0]), y2: atY(ofY[1]), ...quiet }));
      around.append(svg("circle", { r: 10, fill: "none", "pointer-events": "all" }),
        write(glyph, { y: 5, "font-size": 15, fill: color }));
      point.append(around);
      picture.append(point);
      const places = [-20, 4, -34, 18].flatMap((down) => [[cx + 9, cy + down], [cx - 9 - w, cy + down]]);
      const boxes = places.map(([left, top]) => [left, top, w, 15]);
      const best = boxes.reduce((a, b) => (covered(b) < covered(a) ? b : a));
      if (covered(best) > w * 5) continue;  // a third of it; the mark tells the name
      taken.push(best);
      const [side, down] = [best[0] < cx ? -1 : 1, best[1] - cy];
      around.append(line({ x2: 9 * side, y2: down + 8, opacity: 0.5, ...quiet }),
        write(name, { x: 9 * side, y: down + 12, fill: color, "text-anchor": side < 0 ? "end" : "start", "pointer-events": "none" }));
    }
    return picture;
  };

  const byTitle = (title) => axes.findIndex((axis) => axis.title === title);
  const choices = all("#pair-controls select");
  for (const select of choices) {
    select.append(...axes.map(({ title }, i) => new Option(title, i)));
    select.value = byTitle(select.dataset.axis);
  }
  for (const plot of all(".plot[data-across]")) {
    let width = 0;
    plot.redraw = (room = plot.clientWidth) => {
      width = room;
      const [across, up] = [axes[plot.dataset.across], axes[plot.dataset.up]];
      plot.querySelector("svg")?.remove();
      plot.prepend(drawn(across, up, width));
      Plots.prepare(plot);
    };
    for (const side of ["across", "up"]) plot.dataset[side] = byTitle(plot.dataset[side]);
    new ResizeObserver(() => { if (plot.clientWidth !== width) plot.redraw(); }).observe(plot);
    plot.redraw();
    addEventListener("beforeprint", () => plot.redraw(PAPER));
    addEventListener("afterprint", () => plot.redraw());
  }
  const show = () => {
    const [up, across] = choices.map((select) => select.value);
    Object.assign(byId("plot-pair").dataset, { up, across });
    byId("plot-pair").redraw();
    byId("pair-about").textContent = choices.map(({ value }) => `${axes[value].title}: ${axes[value].about}.`).join(" ");
  };
  for (const select of choices) select.addEventListener("change", show);
  show();
})();
