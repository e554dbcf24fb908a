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

// What scrolls sideways is reached by the keyboard.
document.addEventListener("DOMContentLoaded", () => {
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  document.querySelectorAll("pre, .table-wrapper").forEach((box) => watch.observe(box));
});

// Furo opens its drawers by labels, which no key reaches: buttons take their places.
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll(".nav-overlay-icon, .toc-overlay-icon").forEach((label) => {
    const box = label.control;
    const button = document.createElement("button");
    button.className = label.className;
    button.ariaLabel = box.ariaLabel;
    button.ariaExpanded = box.checked;
    button.append(...label.childNodes);
    button.addEventListener("click", () => box.click());
    box.addEventListener("change", () => (button.ariaExpanded = box.checked));
    label.replaceWith(button);
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
