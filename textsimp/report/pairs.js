"use strict";
(() => {
  // Systems by any two scores of the tables.
  const SIZE = 420;
  const BOX = { left: 58, right: 404, top: 12, bottom: 370 };
  const looks = new Map(Examples.data.looks.map((look) => [look.name, look]));
  const plot = byId("plot-pair");
  const [y, x] = all("#pair-controls select");

  // The columns: a title, what it is, and of each row the value with its interval.
  const heads = all(":is(#scores, #description) thead th:not(.name)");
  const axes = heads.map((head) => {
    const values = new Map();
    for (const { cells } of head.closest("table").tBodies[0].rows) {
      const { value, bounds = "" } = cells[head.cellIndex].dataset;
      const numbers = [value, ...bounds.split(" ").filter(Boolean)].map(Number);
      if (value !== undefined) values.set(cells[0].textContent, numbers);
    }
    const title = head.textContent;
    return { title, about: head.title, values };
  });

  // Draw an axis; return where values are on it. A line is drawn at each of about five round numbers.
  const axis = (picture, title, values, [start, end], line, number, place) => {
    const [least, most] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
    const room = (most - least || Math.abs(most) || 1) * 0.05;
    const [low, high] = [least - room, most + room];
    const at = (value) => start + ((value - low) / (high - low)) * (end - start);
    const write = (text, where) => picture.append(
      svg("text", { fill: "var(--muted)", "text-anchor": "middle", ...where }, text));
    const rough = (high - low) / 5;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
    const places = Math.max(0, -Math.floor(Math.log10(step)));
    for (let n = Math.ceil(low / step); n * step <= high; n += 1) {
      picture.append(svg("path", { d: line(at(n * step)), stroke: "var(--line)" }));
      write(Examples.number(n * step, places), number(at(n * step)));
    }
    write(title, place);
    return at;
  };

  const drawn = (across, up) => {
    const label = `${up.title} and ${across.title} of every row; the numbers are in the tables`;
    const picture = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, width: SIZE, height: SIZE,
      role: "img", "aria-label": label, "font-size": 12, "font-family": "system-ui, sans-serif" });
    const names = [...across.values.keys()].filter((name) => up.values.has(name));
    const of = ({ values }) => names.flatMap((name) => values.get(name));
    const atX = axis(picture, across.title, of(across), [BOX.left, BOX.right],
      (at) => `M${at} ${BOX.top}V${BOX.bottom}`, (at) => ({ x: at, y: BOX.bottom + 16 }),
      { x: (BOX.left + BOX.right) / 2, y: SIZE - 4 });
    const atY = axis(picture, up.title, of(up), [BOX.bottom, BOX.top],
      (at) => `M${BOX.left} ${at}H${BOX.right}`,
      (at) => ({ x: BOX.left - 6, y: at + 4, "text-anchor": "end" }),
      { transform: `translate(24 ${(BOX.top + BOX.bottom) / 2}) rotate(-90)` });

    // A name stands where it covers least, right or left of its point, in its colour and tied to it.
    const points = names.map((name) =>
      ({ name, ...looks.get(name), x: across.values.get(name).map(atX), y: up.values.get(name).map(atY) }));
    const taken = points.map((point) => [point.x[0] - 6, point.y[0] - 6, 12, 12]);
    const overlap = (a, b, size, other) => Math.max(0, Math.min(a + size, b + other) - Math.max(a, b));
    const covered = ([left, top, w, h]) =>
      taken.reduce((sum, [l, t, ww, hh]) => sum + overlap(left, l, w, ww) * overlap(top, t, h, hh), 0)
      + 1e4 * (left < BOX.left || left + w > BOX.right || top < 0 || top + h > BOX.bottom);
    for (const { name, color, glyph, x: [cx, ...ofX], y: [cy, ...ofY] } of points) {
      const point = svg("text", { x: cx, y: cy + 5, "text-anchor": "middle", "font-size": 15, fill: color }, glyph);
      const told = ({ title, values }) => `${title}: ${values.get(name).map((value) => +value.toPrecision(5)).join(", ")}`;
      point.append(svg("title", {}, `${name}\n${told(across)}\n${told(up)}`));
      const w = 6.8 * name.length;
      const places = [-20, 4, -34, 18].flatMap((down) => [[cx + 9, cy + down], [cx - 9 - w, cy + down]]);
      const boxes = places.map(([left, top]) => [left, top, w, 15]);
      const best = boxes.reduce((a, b) => (covered(b) < covered(a) ? b : a));
      const lines = [];
      if (ofX.length) lines.push(`M${ofX[0]} ${cy}H${ofX[1]}`);
      if (ofY.length) lines.push(`M${cx} ${ofY[0]}V${ofY[1]}`);
      picture.append(...lines.map((d) => svg("path", { d, stroke: color })), point);
      if (covered(best) > w * 5) continue;  // a third of it; the mark tells the name
      taken.push(best);
      const tie = `M${cx} ${cy}L${best[0] < cx ? best[0] + w : best[0]} ${best[1] + 8}`;
      picture.append(svg("path", { d: tie, stroke: color, opacity: 0.5 }),
        svg("text", { x: best[0], y: best[1] + 12, fill: color }, name));
    }
    return picture;
  };

  const show = () => {
    plot.replaceChildren(drawn(axes[x.value], axes[y.value]));
    byId("pair-about").textContent =
      [axes[y.value], axes[x.value]].map(({ title, about }) => `${title}: ${about}.`).join(" ");
  };
  for (const select of [y, x]) {
    select.append(...axes.map(({ title }, i) => new Option(title, i)));
    select.value = axes.findIndex(({ title }) => title === select.dataset.axis);
    select.addEventListener("change", show);
  }
  show();
})();
