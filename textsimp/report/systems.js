"use strict";
await (async () => {
  // The table of systems: what of it is shown, and the systems that are ticked to be compared.
  const MANY = 12, FIRST = 10;  // systems from which on the first are shown until one asks for all
  const PRINTED = 9;  // columns that fit on paper beside the names
  const { element } = Examples;
  const table = byId("scores");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const nameOf = (row) => row.cells[0].textContent;
  const rows = [...body.rows];
  const systems = rows.filter((row) => row.classList.contains("system"));
  const find = byId("system-text");
  const every = byId("system-all");
  let order = rows;
  let whole = systems.length <= MANY;
  const ticked = [];

  // Tests of all pairs by each ranked score, as cells. Of many systems each has a column of the
  // differences from the system that was ticked first, by default the best one.
  const tests = byId("tests") ? JSON.parse(await inflate(byId("tests").textContent)) : [];
  const columns = new Map(heads.filter((head) => head.classList.contains("gap")).map((head) =>
    [head, tests.find(({ label }) => head.title.startsWith(`${label} minus`))]));
  const cellOf = ({ rows: names, cells }, a, b) => {
    const made = document.createElement("template");
    made.innerHTML = cells[names.indexOf(a)]?.[names.indexOf(b)] ?? "<td></td>";
    return made.content.firstElementChild;
  };
  const line = byId("system-pair");
  const invitation = line?.textContent;
  const compare = () => {
    columns.forEach((score, head) => {
      const base = ticked.length ? nameOf(ticked[0]) : score.rows[0];
      head.querySelector("button").textContent = `minus ${base}`;
      head.title = `${score.label} minus that of ${base}, with the paired test`;
      for (const row of rows) {
        const [before, cell] = [row.cells[head.cellIndex], cellOf(score, nameOf(row), base)];
        cell.classList.toggle("off", before.classList.contains("off"));
        before.replaceWith(cell);
      }
    });
    if (!line) return;
    line.textContent = ticked.length ? `${ticked.length} on top` : invitation;
    if (ticked.length !== 2) return;
    const [a, b] = ticked.map(nameOf);
    line.replaceChildren(element("b", {}, a, " minus ", b), ": ",
      ...tests.flatMap((score) => [`${score.label} `, ...cellOf(score, a, b).childNodes, " "]));
  };

  const show = () => {
    body.append(...ticked, ...order.filter((row) => !ticked.includes(row)));
    const text = find?.value.trim().toLowerCase() ?? "";
    let left = whole ? Infinity : FIRST;
    for (const row of body.rows) {
      const pinned = ticked.includes(row);
      let shown = pinned || nameOf(row).toLowerCase().includes(text);
      if (!text && !pinned && systems.includes(row) && !row.querySelector(".unranked")) {
        left -= 1;
        shown = left >= 0;
      }
      row.classList.toggle("off", !shown);
      row.classList.toggle("pinned", pinned);
    }
    if (line && !ticked.length) {
      const none = rows.every((row) => row.classList.contains("off"));
      line.textContent = none ? "No name has these letters." : invitation;
    }
    every.hidden = systems.length <= MANY || text !== "";
    every.textContent = whole ? `The first ${FIRST} systems` : `All ${systems.length} systems`;
  };
  table.addEventListener("sorted", () => {
    order = [...body.rows];
    show();
  });
  find?.addEventListener("input", show);
  every.addEventListener("click", () => {
    whole = !whole;
    show();
  });

  // Ticks: the ticked systems stay on top.
  for (const row of systems.length > 1 ? systems : []) {
    const name = nameOf(row);
    const box = element("input", { type: "checkbox", autocomplete: "off", "aria-label": `Keep ${name} on top` });
    box.addEventListener("change", () => {
      if (box.checked) ticked.push(row);
      else ticked.splice(ticked.indexOf(row), 1);
      compare();
      show();
      box.focus();
    });
    row.cells[0].prepend(element("label", { class: "tick" }, box));
  }

  // Columns, and intervals as numbers.
  const toggle = (place, on) => {
    for (const { cells } of table.rows) cells[place].classList.toggle("off", !on);
  };
  heads.forEach((head, place) => {
    if (!place) return;
    const box = element("input", { type: "checkbox", autocomplete: "off" });
    box.checked = !head.classList.contains("extra");
    box.addEventListener("change", () => toggle(place, box.checked));
    toggle(place, box.checked);
    const name = columns.has(head) ? `${columns.get(head).label}: differences` : head.textContent;
    byId("system-columns").lastElementChild.append(element("label", { class: "check" }, box, name));
  });
  const intervals = byId("system-intervals");
  const brief = () => table.classList.toggle("brief", !intervals.checked);
  intervals.addEventListener("change", brief);
  brief();

  const download = byId("tests-download");
  download?.addEventListener("click", () => {
    const lines = [["score", "system", "minus", "difference", "low", "high", "p"]];
    for (const score of tests) {
      score.rows.forEach((a, i) => score.rows.slice(i + 1).forEach((b) => {
        const { dataset: { value, bounds = "" }, lastElementChild } = cellOf(score, a, b);
        if (value === undefined) return;
        const [low, high] = bounds.split(" ");
        lines.push([score.label, Examples.fullName(a), Examples.fullName(b),
          ...[value, low, high].map((end) => (end ? Number(end) : null)),
          lastElementChild.textContent.match(/^p (?:= )?(.*)/)?.[1]]);
      }));
    }
    save("tests.csv", Examples.table(lines), "text/csv");
  });
  if (download) download.hidden = false;

  // On paper the table becomes several, whose columns fit beside the names.
  let pieces = [];
  addEventListener("beforeprint", () => {
    const size = Math.ceil((heads.length - 1) / Math.ceil((heads.length - 1) / PRINTED));
    for (let from = 1; from < heads.length; from += size) {
      const piece = table.cloneNode(true);
      for (const row of piece.rows) {
        [...row.cells].forEach((cell, k) => {
          if (k && (k < from || k >= from + size)) cell.remove();
        });
      }
      for (const part of [piece, piece.caption]) part.removeAttribute("id");
      for (const tick of all(".tick", piece)) tick.remove();
      piece.className = "printed";
      pieces.push(piece);
    }
    table.before(...pieces);
    table.classList.add("divided");
  });
  addEventListener("afterprint", () => {
    for (const piece of pieces) piece.remove();
    pieces = [];
  });

  byId("system-controls").hidden = false;
  show();
})();
