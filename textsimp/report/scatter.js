"use strict";
// A score of one system against that of another, a point an example.
Examples.scatter = (() => {
  const { data, number } = Examples;

  return (root, { measure, a, b }, found, open) => {
    const those = new Set(found);
    const points = data.numbers.map((_, k) => k).filter((k) =>
      measure.values[a][k] !== null && measure.values[b][k] !== null);
    const values = points.flatMap((k) => [measure.values[a][k], measure.values[b][k]]);
    const label = `${measure.label} of every example: ${data.systems[b]} upwards, ` +
      `${data.systems[a]} to the right`;
    const { picture, atX, atY, box } = chart(label,
      { title: data.systems[a], values }, { title: data.systems[b], values });
    const tip = Examples.element("p", { class: "note tip" },
      points.length ? "Point at an example to see its number, and click to open it."
        : "There is no example with both scores.");
    root.replaceChildren(picture, tip);
    const x = (k) => atX(measure.values[a][k]);
    const y = (k) => atY(measure.values[b][k]);
    const drawn = (some) => some.map((k) => `M${x(k).toFixed(1)} ${y(k).toFixed(1)}h0`).join("");
    const mark = svg("circle", { r: 6, class: "pointed", visibility: "hidden" });
    picture.append(
      svg("path", { class: "equal", d: `M${box.left} ${box.bottom}L${box.right} ${box.top}` }),
      svg("path", { class: "point other", d: drawn(points.filter((k) => !those.has(k))) }),
      svg("path", { class: "point", d: drawn(points.filter((k) => those.has(k))) }),
      mark);

    const nearest = (event) => {
      const shown = picture.getBoundingClientRect();
      const scale = box.size / shown.width;
      const [px, py] = [(event.clientX - shown.left) * scale, (event.clientY - shown.top) * scale];
      const far = (k) => (x(k) - px) ** 2 + (y(k) - py) ** 2;
      return points.filter((k) => far(k) < (24 * scale) ** 2)
        .reduce((best, k) => (best === null || far(k) < far(best) ? k : best), null);
    };
    const point = (event) => {
      const k = nearest(event);
      picture.classList.toggle("over", k !== null);
      mark.setAttribute("visibility", k === null ? "hidden" : "visible");
      if (k === null) return;
      mark.setAttribute("cx", x(k));
      mark.setAttribute("cy", y(k));
      const of = (i) => `${data.systems[i]} ${number(measure.values[i][k], measure.decimals)}`;
      tip.textContent = `Example ${data.numbers[k]}: ${of(a)}, ${of(b)}`;
    };
    picture.addEventListener("pointermove", point);
    picture.addEventListener("click", (event) => {
      const k = nearest(event);
      if (k !== null) open(data.numbers[k]);
    });
  };
})();
