"use strict";
(() => {
  // What a mark tells, where it is pointed at; its title would come late.
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
    return mark.dataset.tip;
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
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  for (const plot of all(".plot")) {
    plot.addEventListener("pointermove", (event) => {
      const text = told(event.target);
      if (text) tell(text, event.clientX, event.clientY);
      else hide();
    });
    plot.addEventListener("pointerleave", hide);
  }
})();
