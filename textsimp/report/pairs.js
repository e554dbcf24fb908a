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

  const drawn = (x, y) => {
    const points = rows.filter(({ values }) => values[x] && values[y]);
    const [across, up] = [x, y].map((axis) =>
      ({ title: axes[axis], values: points.flatMap(({ values }) => values[axis]) }));
    const label = `${axes[y]} and ${axes[x]} of every row; the numbers are in the tables`;
    const { picture, atX, atY, box } = chart(label, across, up);

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
