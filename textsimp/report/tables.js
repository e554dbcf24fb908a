"use strict";
(() => {
  // Tables: a click on a heading sorts by it, numbers from the highest, names from A; a second one
  // turns the order round. Rows that lack a value stay last.
  const cellOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  };
  const sort = (table, column) => {
    const heading = table.tHead.rows[0].cells[column];
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const numeric = rows.some((row) => cellOf(row, column) !== null);
    const first = numeric ? "descending" : "ascending";
    const other = numeric ? "ascending" : "descending";
    const order = heading.getAttribute("aria-sort") === first ? other : first;
    for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
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
    table.dispatchEvent(new Event("sorted"));
  };
  // Chromium repeats headings on the next page only if they hold no buttons.
  let headings = [];
  addEventListener("beforeprint", () => {
    headings = all("thead button").map((button) => [button, new Text(button.textContent)]);
    for (const [button, text] of headings) button.replaceWith(text);
  });
  addEventListener("afterprint", () => {
    for (const [button, text] of headings) text.replaceWith(button);
  });
  for (const table of all("table.sortable")) {
    all("thead button", table).forEach((button, column) =>
      button.addEventListener("click", () => sort(table, column)));
  }
})();
