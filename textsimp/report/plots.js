"use strict";
(() => {
  // What a mark tells, where it is pointed at or focused; its title would come late, and by mouse only.
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true");
  document.body.append(tip);
  const told = (mark) => {
    const title = mark.querySelector(":scope > title");
    if (title) {
      mark.dataset.tip = title.textContent;
      title.remove();
    }
    return mark.closest("a")?.getAttribute("aria-label") ?? mark.dataset.tip;
  };
  const tell = (text, x, y) => {
    const [name, ...lines] = text.split("\n");
    const heading = document.createElement("b");
    heading.textContent = name;
    tip.replaceChildren(heading, lines.map((line) => `\n${line}`).join(""));
    tip.hidden = false;
    const place = (at, size, room) => `${Math.max(4, at + 14 + size > room ? at - 14 - size : at + 14)}px`;
    tip.style.left = place(x, tip.offsetWidth, document.documentElement.clientWidth);
    tip.style.top = place(y, tip.offsetHeight, innerHeight);
  };
  const hide = () => { tip.hidden = true; };
  for (const plot of all(".plot")) {
    plot.addEventListener("pointermove", (event) => {
      const text = told(event.target);
      if (text) tell(text, event.clientX, event.clientY);
      else hide();
    });
    plot.addEventListener("pointerleave", hide);
    plot.addEventListener("focusin", (event) => {
      const text = event.target.getAttribute("aria-label");
      const box = event.target.getBoundingClientRect();
      if (event.target.matches("a:focus-visible")) tell(text, box.right, box.bottom);
    });
    plot.addEventListener("focusout", hide);
  }

  // Marks that lead to examples take one stop of the Tab key; arrows go from one to the next.
  const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
  for (const picture of all(".plot svg")) {
    for (const link of all("a", picture).slice(1)) link.setAttribute("tabindex", "-1");
  }
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    const link = event.target.closest?.(".plot a");
    if (!link || !(event.key in STEPS)) return;
    event.preventDefault();
    const links = all("a", link.closest("svg"));
    const at = Math.min(links.length - 1, Math.max(0, links.indexOf(link) + STEPS[event.key]));
    link.setAttribute("tabindex", "-1");
    links[at].setAttribute("tabindex", "0");
    links[at].focus();
  });

})();
