"use strict";
// A score of one system against that of another, a point an example.
Examples.scatter = (() => {
  const { data, number } = Examples;
  const [SIZE, LEFT, TOP, END] = [420, 56, 12, 372];

  return (root, { measure, a, b }, found, open) => {
    const those = new Set(found);
    const points = data.numbers.map((_, k) => k).filter((k) =>
      measure.values[a][k] !== null && measure.values[b][k] !== null);
    const spoken = `${measure.label} of every example: ${data.systems[b]} upwards, ` +
      `${data.systems[a]} to the right`;
    const picture = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": spoken });
    const tip = Examples.element("p", { class: "note tip" },
      points.length ? "Point at an example to see its number, and click to open it."
        : "There is no example with both scores.");
    root.replaceChildren(picture, tip);
    if (!points.length) return;
    let [low, high] = [Infinity, -Infinity];
    for (const k of points) {
      low = Math.min(low, measure.values[a][k], measure.values[b][k]);
      high = Math.max(high, measure.values[a][k], measure.values[b][k]);
    }
    if (low === high) [low, high] = [low - 1, high + 1];
    const margin = 0.03 * (high - low);
    [low, high] = [low - margin, high + margin];
    const scaled = (value) => (value - low) / (high - low) * (END - TOP);
    const x = (k) => LEFT + scaled(measure.values[a][k]);
    const y = (k) => END - scaled(measure.values[b][k]);
    const [marks, places] = roundNumbers(low, high);
    const right = LEFT + END - TOP;
    for (const mark of marks) {
      const [at, up] = [LEFT + scaled(mark), END - scaled(mark)];
      picture.append(
        svg("path", { class: "grid", d: `M${at} ${TOP}V${END}M${LEFT} ${up}H${right}` }),
        svg("text", { x: at, y: END + 16, "text-anchor": "middle" }, number(mark, places)),
        svg("text", { x: LEFT - 7, y: up + 4, "text-anchor": "end" }, number(mark, places)));
    }
    const middle = (TOP + END) / 2;
    const drawn = (some) => some.map((k) => `M${x(k).toFixed(1)} ${y(k).toFixed(1)}h0`).join("");
    const mark = svg("circle", { r: 6, class: "pointed", visibility: "hidden" });
    picture.append(
      svg("path", { class: "equal", d: `M${LEFT} ${END}L${right} ${TOP}` }),
      svg("path", { class: "point other", d: drawn(points.filter((k) => !those.has(k))) }),
      svg("path", { class: "point", d: drawn(points.filter((k) => those.has(k))) }),
      mark,
      svg("text", { x: (LEFT + right) / 2, y: END + 36, "text-anchor": "middle", class: "of" },
        data.systems[a]),
      svg("text", {
        transform: `translate(14 ${middle}) rotate(-90)`, "text-anchor": "middle", class: "of",
      }, data.systems[b]));

    const nearest = (event) => {
      const box = picture.getBoundingClientRect();
      const scale = SIZE / box.width;
      const [px, py] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
      let best = null;
      let least = (24 * scale) ** 2;
      for (const k of points) {
        const far = (x(k) - px) ** 2 + (y(k) - py) ** 2;
        if (far < least) [best, least] = [k, far];
      }
      return best;
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
