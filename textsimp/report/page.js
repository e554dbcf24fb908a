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
const inflate = (text) => {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
};
const save = (name, text, type) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

(() => {
  // Copying the text of an element, which is selected where a page may not copy.
  for (const button of all("[data-copy]")) {
    const source = byId(button.dataset.copy);
    const labels = [...button.childNodes];
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(source.textContent);
        button.textContent = "copied";
      } catch {
        getSelection().selectAllChildren(source);
        button.textContent = "Selected: press Ctrl+C";
      }
      setTimeout(() => button.replaceChildren(...labels), 2000);
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
    opened = all("details:not([open])").filter((box) => box.matches(":has(table, dl), #statements, .checks, .checks *"));
    for (const box of opened) box.open = true;
  });
  addEventListener("afterprint", () => {
    for (const box of opened) box.open = false;
  });
})();
