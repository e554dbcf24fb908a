// Sort a table by the column whose heading is clicked; a second click reverses the order.
document.addEventListener("DOMContentLoaded", () => {
  const value = (row, column) => row.cells[column].innerText.trim();
  const compare = (a, b) =>
    a !== "" && b !== "" && !isNaN(a) && !isNaN(b) ? a - b : a.localeCompare(b);
  document.querySelectorAll("table.docutils").forEach((table) => {
    const body = table.tBodies[0];
    if (!table.tHead || body.rows.length < 5) return;
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (!head.innerText.trim()) return;
      const button = document.createElement("button");
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const up = head.ariaSort !== "ascending";
        for (const other of head.parentNode.cells) other.ariaSort = null;
        head.ariaSort = up ? "ascending" : "descending";
        const rows = [...body.rows].sort(
          (a, b) => (up ? 1 : -1) * compare(value(a, column), value(b, column)),
        );
        body.append(...rows);
      });
    });
  });
});

// Who searches for a metric's name gets its page first.
document.addEventListener("DOMContentLoaded", () => {
  const query = new URLSearchParams(location.search).get("q");
  if (typeof Scorer === "undefined" || !query) return;
  const name = query.trim().toLowerCase().replaceAll("-", "_");
  Scorer.score = ([page, , anchor, , score]) => {
    const card = page.startsWith(`metrics/${name}`) && !anchor;
    const section = page === "extensions/models" && anchor === `#${name}`;
    return card || section ? score + 100 : score;
  };
});
