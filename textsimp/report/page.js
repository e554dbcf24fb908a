"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);

  // Tables: a click on a heading sorts by it, numbers from the highest, names from A; a second one
  // turns the order round, a third one restores it. Rows that lack a value stay last.
  const cellOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  };
  const sort = (table, original, column) => {
    const heading = table.tHead.rows[0].cells[column];
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const numeric = rows.some((row) => cellOf(row, column) !== null);
    const first = numeric ? "descending" : "ascending";
    const other = numeric ? "ascending" : "descending";
    const current = heading.getAttribute("aria-sort");
    const order = current === first ? other : current === other ? null : first;
    for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
    if (order === null) {
      body.append(...original);
      return;
    }
    heading.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    rows.sort((a, b) => {
      if (!numeric) {
        return sign * a.cells[column].textContent.localeCompare(b.cells[column].textContent);
      }
      const [x, y] = [cellOf(a, column), cellOf(b, column)];
      if (x === null || y === null) return (x === null) - (y === null);
      return sign * (x - y);
    });
    body.append(...rows);
  };
  for (const table of all("table.sortable")) {
    const original = [...table.tBodies[0].rows];
    all("thead button", table).forEach((button, column) =>
      button.addEventListener("click", () => sort(table, original, column)));
  }

  // Rows whose names have the text.
  for (const input of all("input[data-filter]")) {
    const rows = [...byId(input.dataset.filter).tBodies[0].rows];
    const status = document.querySelector(`[data-count="${input.dataset.filter}"]`);
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase();
      for (const row of rows) {
        const names = all("th, td.text", row).map((cell) => cell.textContent.toLowerCase());
        row.hidden = !names.some((name) => name.includes(wanted));
      }
      const left = rows.filter((row) => !row.hidden).length;
      status.textContent = wanted ? `${left} of ${rows.length} rows` : "";
    });
  }

  // Examples: of a group, of a system, with an error, with a text; by their rank in the group.
  const list = byId("examples");
  const cards = all("article", list).map((element) => ({
    element,
    number: Number(element.dataset.number),
    places: JSON.parse(element.dataset.places),
    text: element.textContent.toLowerCase(),
    outputs: all("[data-system]", element),
  }));
  const group = byId("example-group");
  const system = byId("example-system");
  const error = byId("example-error");
  const wantedText = byId("example-text");
  const perSystem = (name) => name && !["sampled", "disagree"].includes(name);
  const showExamples = () => {
    const wanted = wantedText.value.trim().toLowerCase();
    const chosenSystem = system && perSystem(group.value) ? system.value : "";
    if (system) system.disabled = !perSystem(group.value);
    const found = [];
    for (const card of cards) {
      const places = card.places.filter(([name, of]) =>
        (!group.value || name === group.value) && (!chosenSystem || of === chosenSystem));
      const hasError = !error?.value || card.outputs.some(({ dataset }) =>
        (!chosenSystem || dataset.system === chosenSystem) &&
        dataset.errors.split(" ").includes(error.value));
      const shown = places.length > 0 && hasError && card.text.includes(wanted);
      card.element.hidden = !shown;
      card.rank = group.value ? Math.min(...places.map((place) => place[2])) : 0;
      const chosen = new Set(perSystem(group.value) ? places.map((place) => place[1]) : []);
      for (const output of card.outputs) {
        output.classList.toggle("chosen", chosen.has(output.dataset.system));
      }
      if (shown) found.push(card);
    }
    found.sort((a, b) => a.rank - b.rank || a.number - b.number);
    list.append(...found.map((card) => card.element));
    const count = found.length;
    byId("example-count").textContent = `${count} example${count === 1 ? "" : "s"}`;
  };
  const form = byId("example-controls");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", showExamples);
  form.addEventListener("change", showExamples);
  byId("show-deleted").addEventListener("change", (event) =>
    document.body.classList.toggle("hide-deleted", !event.target.checked));
  form.reset();
  showExamples();

  // Copying; where it is forbidden the text is selected.
  for (const button of all("[data-copy]")) {
    const label = button.textContent;
    const source = byId(button.dataset.copy);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(source.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(source);
        button.textContent = "Selected: press Ctrl+C";
      }
      setTimeout(() => { button.textContent = label; }, 2000);
    });
  }

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
