"use strict";
// Plots: numbers of the mark that is pointed at or has the focus, and saving.
const Plots = (() => {
  const PAGE = 607; // pixels, 455 points: the width of a page of text, for files
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true");
  document.body.append(tip);
  const markAt = ({ target }) => target.closest?.(".plot g[role]");
  const tell = (mark, x, y) => {
    const [name, ...lines] = mark.getAttribute("aria-label").split("\n");
    const heading = document.createElement("b");
    heading.textContent = name;
    tip.replaceChildren(heading, lines.map((line) => `\n${line}`).join(""));
    tip.hidden = false;
    const place = (at, size, room) => `${Math.max(4, at + 14 + size > room ? at - 14 - size : at + 14)}px`;
    tip.style.left = place(x, tip.offsetWidth, document.documentElement.clientWidth);
    tip.style.top = place(y, tip.offsetHeight, innerHeight);
  };
  const hide = () => { tip.hidden = true; };
  addEventListener("pointermove", (event) => {
    const mark = markAt(event);
    if (mark) tell(mark, event.clientX, event.clientY);
    else hide();
  });
  addEventListener("focusin", (event) => {
    const mark = event.target.matches(":focus-visible") && markAt(event);
    if (!mark) return;
    const { left, width, bottom } = mark.getBoundingClientRect();
    tell(mark, left + width / 2, bottom - 10);
  });
  addEventListener("focusout", hide);

  // Tab reaches one mark of a plot, arrows the others.
  const STEPS = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Home: -1e9, End: 1e9 };
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    const mark = markAt(event);
    if (!mark || !STEPS[event.key]) return;
    event.preventDefault();
    const marks = all("g[role]", mark.closest("svg"));
    const place = Math.min(Math.max(marks.indexOf(mark) + STEPS[event.key], 0), marks.length - 1);
    mark.setAttribute("tabindex", -1);
    marks[place].setAttribute("tabindex", 0);
    marks[place].focus();
  });

  const prepare = (plot) => {
    all("g[role]", plot).forEach((mark, i) => {
      const title = mark.querySelector("title"); // browsers would show it, too, but late
      mark.setAttribute("aria-label", title.textContent);
      mark.setAttribute("tabindex", i ? -1 : 0);
      title.remove();
    });
  };

  // A copy for other programs: as wide as a page, with colours and places in numbers.
  const standalone = (plot) => {
    const before = plot.style.cssText;
    plot.style.cssText = `color-scheme: light; width: ${PAGE}px`;
    plot.redraw?.();
    const shown = plot.querySelector("svg");
    const copy = shown.cloneNode(true);
    const { paddingLeft, paddingRight, height } = getComputedStyle(shown);
    const [left, right, tall] = [paddingLeft, paddingRight, height].map(parseFloat);
    const originals = all("*", shown);
    all("*", copy).forEach((element, i) => {
      for (const { name, value } of [...element.attributes]) {
        if (name === "fill" || name === "stroke") element.setAttribute(name, getComputedStyle(originals[i])[name]);
        if (/^-?[\d.]+%$/.test(value)) element.setAttribute(name, ((PAGE - left - right) * parseFloat(value)) / 100);
        if (/^(role|tabindex|aria-|data-)/.test(name)) element.removeAttribute(name);
      }
      if (element.getAttribute("pointer-events") === "all") element.remove();
    });
    for (const name of [...copy.getAttributeNames()]) copy.removeAttribute(name);
    const attributes = { width: PAGE, height: tall, viewBox: `${-left} 0 ${PAGE} ${tall}`,
      "font-size": 12, "font-family": "Helvetica, Arial, sans-serif" };
    for (const [name, value] of Object.entries(attributes)) copy.setAttribute(name, value);
    plot.style.cssText = before;
    plot.redraw?.();
    return new XMLSerializer().serializeToString(copy);
  };

  const numbers = (plot) => {
    const { columns, more = "[]" } = plot.querySelector("svg").dataset;
    const rows = all("g[role]", plot).map(({ dataset }) => [dataset.name, ...JSON.parse(dataset.numbers)]);
    const named = [...rows, ...JSON.parse(more)].map(([name, ...rest]) => [Examples.fullName(name), ...rest]);
    return Examples.table([["system", ...JSON.parse(columns)], ...named]);
  };

  const FORMS = { SVG: [standalone, "image/svg+xml"], CSV: [numbers, "text/csv"] };
  for (const plot of all(".plot")) {
    prepare(plot);
    const bar = document.createElement("div");
    bar.className = "save";
    bar.append("Save");
    for (const [form, [write, type]] of Object.entries(FORMS)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = form;
      button.setAttribute("aria-label", `Save as ${form}: ${plot.dataset.label}`);
      button.addEventListener("click", () =>
        save(`${plot.id.replace("plot-", "")}.${form.toLowerCase()}`, write(plot), type));
      bar.append(button);
    }
    plot.append(bar);
  }
  return { prepare };
})();
