"use strict";
(() => {
  // Systems by any two scores.
  const { axes, rows } = JSON.parse(byId("pair-data").textContent);
  const plot = byId("plot-pair");
  const selects = { x: null, y: null };
  for (const select of all("[data-axis]")) {
    select.value = all("option[selected]", select)[0].value; // whatever the browser remembers
    selects[select.dataset.axis] = select;
  }
  const minus = (text) => text.replace(/^-/, "−");
  const told = ([value, low, high]) =>
    minus(String(value)) + (low === undefined ? "" : ` [${minus(String(low))}, ${minus(String(high))}]`);

  const SIZE = 420;
  const box = { left: 58, right: 404, top: 12, bottom: 370 };
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
      write(minus((n * step).toFixed(places)), number(at(n * step)));
    }
    const lines = title.length > 50 ? title.split(/ (?=\()/) : [title];
    lines.forEach((text, i) => write(text, place(14 * (i + 1 - lines.length))));
    return at;
  };

  const drawn = (x, y) => {
    const points = rows.filter(({ values }) => values[x] && values[y]);
    const label = `${axes[y]} and ${axes[x]} of every row; the numbers are in the tables`;
    const picture = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, width: SIZE, height: SIZE,
      role: "img", "aria-label": label, "font-size": 12, "font-family": "system-ui, sans-serif" });
    const of = (axis) => points.flatMap(({ values }) => values[axis]);
    const atX = axis(picture, axes[x], of(x), [box.left, box.right],
      (at) => `M${at} ${box.top}V${box.bottom}`, (at) => ({ x: at, y: box.bottom + 16 }),
      (down) => ({ x: (box.left + box.right) / 2, y: SIZE - 4 + down }));
    const middle = (box.top + box.bottom) / 2;
    const atY = axis(picture, axes[y], of(y), [box.bottom, box.top],
      (at) => `M${box.left} ${at}H${box.right}`,
      (at) => ({ x: box.left - 6, y: at + 4, "text-anchor": "end" }),
      (down) => ({ transform: `translate(${24 + down} ${middle}) rotate(-90)` }));

    // A name stands where it covers least, right or left of its point, in its colour and tied to it.
    const taken = points.map(({ values }) => [atX(values[x][0]) - 6, atY(values[y][0]) - 6, 12, 12]);
    const overlap = (a, b, size, other) => Math.max(0, Math.min(a + size, b + other) - Math.max(a, b));
    const covered = ([left, top, w, h]) =>
      taken.reduce((sum, [l, t, ww, hh]) => sum + overlap(left, l, w, ww) * overlap(top, t, h, hh), 0)
      + 1e4 * (left < box.left || left + w > box.right || top < 0 || top + h > box.bottom);
    for (const { name, color, glyph, values } of points) {
      const [cx, cy] = [atX(values[x][0]), atY(values[y][0])];
      const point = svg("text", { x: cx, y: cy + 5, "text-anchor": "middle", "font-size": 15, fill: color }, glyph);
      point.append(svg("title", {}, `${name}\n${axes[x]}: ${told(values[x])}\n${axes[y]}: ${told(values[y])}`));
      const w = 6.8 * name.length;
      const places = [[cx + 9, cy - 20], [cx + 9, cy + 4], [cx - 9 - w, cy - 20], [cx - 9 - w, cy + 4], [cx + 9, cy - 34], [cx - 9 - w, cy + 18]];
      const boxes = places.map(([left, top]) => [left, top, w, 15]);
      const best = boxes.reduce((a, b) => (covered(b) < covered(a) ? b : a));
      taken.push(best);
      const [, ...ofX] = values[x].map(atX);
      const [, ...ofY] = values[y].map(atY);
      picture.append(
        ...(ofX.length ? [svg("path", { d: `M${ofX[0]} ${cy}H${ofX[1]}`, stroke: color })] : []),
        ...(ofY.length ? [svg("path", { d: `M${cx} ${ofY[0]}V${ofY[1]}`, stroke: color })] : []),
        point,
        svg("path", { d: `M${cx} ${cy}L${best[0] < cx ? best[0] + w : best[0]} ${best[1] + 8}`, stroke: color, opacity: 0.5 }),
        svg("text", { x: best[0], y: best[1] + 12, fill: color }, name));
    }
    return picture;
  };

  const show = () => plot.replaceChildren(drawn(Number(selects.x.value), Number(selects.y.value)));
  for (const select of Object.values(selects)) select.addEventListener("change", show);
  show();
})();
