"use strict";
await (async () => {
  // The table of systems: what of it is shown, and the systems that are ticked to be compared.
  const MANY = 12, FIRST = 10;  // systems from which on the first are shown until one asks for all
  const PRINTED = 9;  // columns that fit on paper beside the names
  const { element, format, number } = Examples;
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

  // Tests: of each ranked score, and the column of differences that it has if there are many systems.
  const tests = byId("tests") ? JSON.parse(await inflate(byId("tests").textContent)) : [];
  const columns = heads.filter((head) => head.classList.contains("gap"));
  const test = ({ systems: names, pairs }, a, b) => {
    const [i, j] = [names.indexOf(a), names.indexOf(b)];
    const found = i < 0 || j < 0 || i === j ? null : pairs[Math.min(i, j)][Math.abs(i - j) - 1];
    if (!found) return null;
    const [value, low, high, p, better] = found;
    const ends = low === null ? [] : i < j ? [low, high] : [-high, -low];
    return { value: i < j ? value : -value, ends, p, better: i < j ? better : better && -better };
  };
  const signed = (value, places) => (value > 0 ? "+" : "") + number(value, places);
  const told = (score, { value, ends, p, better }) => {
    let places = score.decimals;
    const vanishes = (end) => end !== 0 && Number(end.toFixed(places)) === 0;
    while (places < 6 && [value, ...ends].some(vanishes)) places += 1;
    const digits = [3, 4, 5].find((n) => p?.toFixed(n) !== "0.050") ?? 3;
    return {
      value: signed(value, places),
      interval: ends.length ? `[${ends.map((end) => signed(end, places)).join(", ")}]` : "",
      p: p === null ? "" : p < 0.0005 ? "p < 0.001" : `p = ${p.toFixed(digits)}`,
      mark: better === null ? "" : { 1: "better", 0: "alike", [-1]: "worse" }[better],
    };
  };
  const SIGNS = { better: ["▲", "better"], worse: ["▼", "worse"], alike: ["n.s.", "not significantly different"] };
  const signOf = (mark) => {
    if (!mark) return "";
    const [sign, words] = SIGNS[mark];
    return element("span", { class: `mark ${mark}` }, sign, element("span", { class: "hidden" }, ` ${words}`));
  };
  const link = (score, a, b) => format({ sort: "-gap", a, b, score: score.score });

  // The differences are from the system that was ticked first, by default the best one.
  const compare = () => {
    columns.forEach((head, place) => {
      const score = tests[place];
      const base = ticked.length ? nameOf(ticked[0]) : score.systems[0];
      head.firstElementChild.textContent = `minus ${base}`;
      head.title = `${score.label} minus that of ${base}, with the paired test`;
      for (const row of rows) {
        const cell = row.cells[head.cellIndex];
        const found = test(score, nameOf(row), base);
        cell.replaceChildren();
        delete cell.dataset.value;
        if (!found) continue;
        const { value, interval, p, mark } = told(score, found);
        const shown = systems.includes(row)
          ? element("a", { href: link(score, nameOf(row), base), "aria-label": `${value}, examples` }, value) : value;
        cell.dataset.value = found.value;
        cell.append(shown, " ", signOf(mark), element("small", {}, interval), " ", element("small", {}, p));
      }
    });
    const line = byId("system-pair");
    if (line && ticked.length === 2) {
      const [a, b] = ticked.map(nameOf);
      const parts = tests.flatMap((score) => {
        const found = test(score, a, b);
        if (!found) return [];
        const { value, interval, p, mark } = told(score, found);
        return [element("a", { href: link(score, a, b) }, score.label), ` ${value} ${interval}, ${p} `, signOf(mark), " "];
      });
      line.replaceChildren(element("b", {}, a, " minus ", b), ": ", ...(parts.length ? parts : ["not tested"]));
    } else if (line) {
      line.textContent = ["Tick two systems to compare them.", "Tick another system to compare the two."][ticked.length]
        ?? `${ticked.length} systems are on top.`;
    }
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
    const score = tests[columns.indexOf(head)];
    const name = score ? `${score.label}: differences` : head.textContent;
    byId("system-columns").lastElementChild.append(element("label", { class: "check" }, box, name));
  });
  const intervals = byId("system-intervals");
  const brief = () => table.classList.toggle("brief", !intervals.checked);
  intervals.addEventListener("change", brief);
  brief();

  const download = byId("tests-download");
  download?.addEventListener("click", () => {
    const lines = tests.flatMap((score) => score.pairs.flatMap((of, i) => of.flatMap((found, k) =>
      found ? [[score.label, score.systems[i], score.systems[i + 1 + k], ...found.slice(0, 4)]] : [])));
    save("tests.csv", Examples.table([["score", "system", "minus", "difference", "low", "high", "p"], ...lines]), "text/csv");
  });
  if (download) download.hidden = false;

  // On paper the table becomes several, whose columns fit beside the names. Their headings are no
  // buttons, which Chromium leaves out where it repeats them on the next page.
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
      for (const button of all("button", piece)) button.replaceWith(button.textContent);
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
  compare();
  show();
})();
