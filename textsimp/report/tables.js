"use strict";
(() => {
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
        const names = all("th", row).map((cell) => `${cell.textContent} ${cell.title}`.toLowerCase());
        row.hidden = !names.some((name) => name.includes(wanted));
      }
      const left = rows.filter((row) => !row.hidden).length;
      status.textContent = wanted ? `${left} of ${rows.length} rows` : "";
    });
  }

  // Copied cells are plain: numbers as programs read them, without intervals and marks.
  const plain = (cell) => {
    const copy = (cell.querySelector(".value") ?? cell).cloneNode(true);
    for (const beside of all(".interval, .hidden, .mark, small", copy)) beside.remove();
    const text = copy.textContent.trim().replace(/\s+/g, " ");
    const number = cell.tagName === "TD" && /^[+−-]?\d[\d,]*(\.\d+)?$/.test(text);
    return number ? text.replace(/,/g, "").replace("−", "-") : text === "–" ? "" : text;
  };
  // What a range has of an element, as text.
  const within = (range, element) => {
    if (!range.intersectsNode(element)) return "";
    const part = document.createRange();
    part.selectNodeContents(element);
    if (part.compareBoundaryPoints(Range.START_TO_START, range) < 0) {
      part.setStart(range.startContainer, range.startOffset);
    }
    if (part.compareBoundaryPoints(Range.END_TO_END, range) > 0) {
      part.setEnd(range.endContainer, range.endOffset);
    }
    return part.toString().trim();
  };
  const letters = (text) => text.replace(/\s/g, "").length;
  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    const ranges = [...Array(selection.rangeCount).keys()].map((i) => selection.getRangeAt(i));
    const part = (element) => ranges.map((range) => within(range, element)).join("");
    const tables = all(".scroll > table").filter(part);
    if (tables.length !== 1) return;
    const [table] = tables;
    const chosen = [...table.rows].filter((row) => !row.hidden)
      .map((row) => [...row.cells].filter(part)).filter((cells) => cells.length);
    const cells = chosen.flat();
    const [first] = cells;
    const inside = all("caption, th, td", table).map((element) => letters(part(element)));
    const outside = letters(ranges.join("")) > inside.reduce((a, b) => a + b, 0);
    const shown = first?.querySelector(".value") ?? first;
    const words = cells.length === 1 && part(shown) !== shown.textContent.trim();
    if (!first || outside || words) return; // other text too, or a part of a cell: as always
    const from = Math.min(...cells.map((cell) => cell.cellIndex));
    const to = Math.max(...cells.map((cell) => cell.cellIndex));
    const rows = chosen.map((of) => {
      const row = Array(to - from + 1).fill("");
      for (const cell of of) row[cell.cellIndex - from] = plain(cell);
      return row;
    });
    const pasted = document.createElement("table"); // what spreadsheets read
    for (const row of rows) {
      const line = pasted.insertRow();
      for (const text of row) line.insertCell().textContent = text;
    }
    event.clipboardData.setData("text/plain", rows.map((row) => row.join("\t")).join("\n"));
    event.clipboardData.setData("text/html", pasted.outerHTML);
    event.preventDefault();
  });
})();
