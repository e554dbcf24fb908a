"use strict";
// What all scripts of the page use.
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const byId = (id) => document.getElementById(id);
const svg = (name, attributes, text = "") => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
};
// A square picture with two axes, each of a title and the values that are to be seen: the picture,
// where values are in it, and the box between the axes.
const chart = (label, across, up) => {
  const box = { size: 420, left: 58, right: 404, top: 12, bottom: 370 };
  const picture = svg("svg", { viewBox: `0 0 ${box.size} ${box.size}`, width: box.size,
    height: box.size, role: "img", "aria-label": label, "font-size": 12,
    "font-family": "system-ui, sans-serif" });
  const write = (text, place) => picture.append(
    svg("text", { fill: "var(--muted)", "text-anchor": "middle", ...place }, text));
  const drawn = ({ title, values }, start, end, line, number, place) => {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
    if (low > high) [low, high] = [0, 1];
    const room = (high - low || Math.abs(high) || 1) * 0.05;
    [low, high] = [low - room, high + room];
    const at = (value) => start + ((value - low) / (high - low)) * (end - start);
    const rough = (high - low) / 5;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
    const places = Math.max(0, -Math.floor(Math.log10(step)));
    for (let n = Math.ceil(low / step); n * step <= high; n += 1) {
      picture.append(svg("path", { d: line(at(n * step)), stroke: "var(--line)" }));
      write((n * step).toFixed(places).replace(/^-/, "−"), number(at(n * step)));
    }
    const lines = title.length > 50 ? title.split(/ (?=\()/) : [title];
    lines.forEach((text, i) => write(text, place(14 * (i + 1 - lines.length))));
    return at;
  };
  const { left, right, top, bottom } = box;
  const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
  return {
    picture,
    box,
    atX: drawn(across, left, right, (x) => `M${x} ${top}V${bottom}`, (x) => ({ x, y: bottom + 16 }),
      (down) => ({ x: middleX, y: box.size - 4 + down })),
    atY: drawn(up, bottom, top, (y) => `M${left} ${y}H${right}`,
      (y) => ({ x: left - 6, y: y + 4, "text-anchor": "end" }),
      (down) => ({ transform: `translate(${24 + down} ${middleY}) rotate(-90)` })),
  };
};

(() => {
  // Copying: the text of an element, or the file in the link before a button.
  const copy = async (button, text, refused) => {
    const { label = button.textContent } = button.dataset;
    button.dataset.label = label;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      button.textContent = refused();
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  };
  for (const button of all("[data-copy]")) {
    const source = byId(button.dataset.copy);
    button.addEventListener("click", () => copy(button, source.textContent, () => {
      getSelection().selectAllChildren(source);
      return "Selected: press Ctrl+C";
    }));
  }
  for (const button of all("[data-copy-link]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const { href } = button.previousElementSibling;
      const text = decodeURIComponent(href.slice(href.indexOf(",") + 1));
      copy(button, text, () => "not allowed here: download it");
    });
  }

  // What scrolls sideways is reached by the keyboard, and nothing else is in its way.
  const watch = new ResizeObserver((entries) => {
    for (const box of new Set(entries.map(({ target }) => target.closest(".scroll, pre")))) {
      const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
      if (scrolls) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  });
  for (const box of all(".scroll, pre")) {
    watch.observe(box);
    for (const inside of box.children) watch.observe(inside);
    box.addEventListener("scroll", () =>
      box.classList.toggle("scrolled", Math.abs(box.scrollLeft) > 1), { passive: true });
  }

  // On paper nothing can be opened: numbers and what they mean are printed, and closed afterwards.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not([open])").filter((box) => box.matches(":has(table, dl), .checks"));
    for (const box of opened) box.open = true;
  });
  addEventListener("afterprint", () => {
    for (const box of opened) box.open = false;
  });
})();
