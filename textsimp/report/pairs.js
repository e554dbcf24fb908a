"use strict";
(() => {
  // Systems by any two scores, in two widths, of which one is shown.
  const { axes, rows } = JSON.parse(byId("pair-data").textContent);
  const plot = byId("plot-pair");
  const selects = { x: null, y: null };
  for (const select of all("[data-axis]")) {
    select.value = all("option[selected]", select)[0].value; // whatever the browser remembers
    selects[select.dataset.axis] = select;
  }
  const SPACE = { left: 62, right: 18, top: 14, bottom: 50 };
  // The ends of an axis, and its numbers as text.
  const ticked = (values) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const room = (high - low || Math.abs(high) || 1) * 0.06;
    const [start, end] = [low - room, high + room];
    const [ticks, places] = roundNumbers(start, end);
    return { start, end, ticks: ticks.map((tick) => tick.toFixed(places)) };
  };
  const minus = (text) => text.replace(/^-/, "\u2212");
  const told = ([value, low, high]) =>
    [`${minus(String(value))}`, low === undefined ? "" : `[${minus(String(low))}, ${minus(String(high))}]`].join(" ").trim();

  const drawn = (x, y, width) => {
    const height = Math.round(width < 500 ? width : 0.56 * width);
    const inner = [SPACE.left, width - SPACE.right, height - SPACE.bottom, SPACE.top];
    const points = rows.filter(({ values }) => values[x] && values[y]);
    const label = `${axes[y]} and ${axes[x]} of every row; the numbers are in the tables`;
    const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, "font-size": 12, "font-family": "system-ui, sans-serif" });
    const [across, up] = [x, y].map((axis) => ticked(points.length ? points.flatMap(({ values }) => values[axis]) : [0, 1]));
    const atX = (value) => inner[0] + ((value - across.start) / (across.end - across.start)) * (inner[1] - inner[0]);
    const atY = (value) => inner[2] + ((value - up.start) / (up.end - up.start)) * (inner[3] - inner[2]);
    const line = (x1, y1, x2, y2, stroke) => picture.append(svg("line", { x1, y1, x2, y2, stroke }));
    const write = (text, place) => picture.append(svg("text", { fill: "var(--muted)", ...place }, text));
    for (const tick of across.ticks) {
      line(atX(tick), inner[2], atX(tick), inner[3], "var(--line)");
      write(minus(tick), { x: atX(tick), y: inner[2] + 16, "text-anchor": "middle" });
    }
    for (const tick of up.ticks) {
      line(inner[0], atY(tick), inner[1], atY(tick), "var(--line)");
      write(minus(tick), { x: inner[0] - 6, y: atY(tick) + 4, "text-anchor": "end" });
    }
    const titled = (title, x, y, room, place) => {
      const lines = title.length * 6.2 > room ? title.split(/ (?=\()/) : [title];
      lines.forEach((text, i) => write(text, { x, y: y + 14 * i - 7 * (lines.length - 1), "text-anchor": "middle", ...place }));
    };
    titled(axes[x], (inner[0] + inner[1]) / 2, height - 10, inner[1] - inner[0]);
    const middle = (inner[2] + inner[3]) / 2;
    titled(axes[y], 14, middle, inner[2] - inner[3], { transform: `rotate(-90 14 ${middle})` });

    // A name stands where it covers least, right or left of its point, in its colour and tied to it.
    const taken = points.map(({ values }) => [atX(values[x][0]) - 6, atY(values[y][0]) - 6, 12, 12]);
    const covered = ([left, top, w, h]) =>
      taken.reduce((sum, [l, t, ww, hh]) =>
        sum + Math.max(0, Math.min(left + w, l + ww) - Math.max(left, l)) * Math.max(0, Math.min(top + h, t + hh) - Math.max(top, t)), 0)
      + 1e4 * (left < inner[0] || left + w > inner[1] || top < 0 || top + h > inner[2]);
    for (const { name, color, glyph, values } of points) {
      const [cx, cy] = [atX(values[x][0]), atY(values[y][0])];
      const mark = svg("g", {});
      const point = svg("text", { x: cx, y: cy + 5, "text-anchor": "middle", "font-size": 15, fill: color }, glyph);
      point.append(svg("title", {}, `${name}\n${axes[x]}: ${told(values[x])}\n${axes[y]}: ${told(values[y])}`));
      if (values[x].length > 1) mark.append(svg("line", { x1: atX(values[x][1]), x2: atX(values[x][2]), y1: cy, y2: cy, stroke: color }));
      if (values[y].length > 1) mark.append(svg("line", { y1: atY(values[y][1]), y2: atY(values[y][2]), x1: cx, x2: cx, stroke: color }));
      mark.append(point);
      const w = 6.8 * name.length;
      const places = [[cx + 9, cy - 20], [cx + 9, cy + 4], [cx - 9 - w, cy - 20], [cx - 9 - w, cy + 4], [cx + 9, cy - 34], [cx - 9 - w, cy + 18]];
      const boxes = places.map(([left, top]) => [left, top, w, 15]);
      const best = boxes.reduce((a, b) => (covered(b) < covered(a) ? b : a));
      taken.push(best);
      mark.append(svg("line", { x1: cx, y1: cy, x2: best[0] < cx ? best[0] + w : best[0], y2: best[1] + 8, stroke: color, opacity: 0.5 }));
      mark.append(svg("text", { x: best[0], y: best[1] + 12, fill: color }, name));
      picture.append(mark);
    }
    return picture;
  };

  const show = () => {
    const [x, y] = [Number(selects.x.value), Number(selects.y.value)];
    plot.replaceChildren(...[["narrow", 360], ["wide", 780]].map(([kind, width]) => {
      const part = document.createElement("div");
      part.className = kind;
      part.append(drawn(x, y, width));
      return part;
    }));
  };
  for (const select of Object.values(selects)) select.addEventListener("change", show);
  show();
})();
