"use strict";
// Cards of examples. Texts become text nodes; only drawings, escaped when they were made, are HTML.
Object.assign(Examples, (() => {
  const { data, measures, number } = Examples;

  const element = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const FEW = 6, BEST = 3;  // systems that all stand in a card; of more, those that do at first
  const shown = (content) => element("p", { dir: "auto", class: "text" }, content);

  // The numbers beside an output: those always there, and the one that it was found by.
  const RATINGS = [...measures.keys()].filter((key) => /^ratings\..*\.mean$/.test(key));
  const FACTS = [...RATINGS, "simplification_stats.compression_ratio", "edit_ops.change_percentage"];
  const facts = (k, i, more) => {
    const keys = new Set([...(data.main ? [data.measures[0].key] : []), ...FACTS, ...more]);
    const found = element("span", { class: "measures" });
    for (const key of keys) {
      const measure = measures.get(key);
      const value = measure?.values[i][k];
      if (value === undefined || value === null) continue;
      const single = data.single[key]?.[i][k] ?? [];
      const shown = number(value, measure.decimals) +
        (single.length > 1 ? ` (${single.join(", ").replaceAll("-", "−")})` : "");
      found.append(element("span", {}, `${measure.label} ${shown}`), " ");
    }
    return found;
  };

  const output = (k, i, more) => {
    const name = data.systems[i];
    const body = element("div", { class: "body" });
    const found = element("div", { class: "version", "data-system": name },
      element("h4", {}, element("span", { dir: "auto" }, name), " ", facts(k, i, more)), body);
    const drawing = data.linked ? element("div", { class: "drawing" }) : shown("");
    drawing.innerHTML = data.drawn[i][k];
    if (!data.linked && data.texts[data.outputs[i][k]].trim() === "") {
      drawing.append(" ", element("em", { class: "note" }, "(empty)"));
    }
    found.classList.toggle("document", drawing.querySelector(".linked") !== null);
    body.append(drawing);
    return found;
  };

  // Drawn when they are looked at.
  const folded = (summary, draw) => {
    const found = element("details", {}, element("summary", {}, summary));
    found.addEventListener("toggle", () => {
      found.append(...draw());
      clamp([found]);
    }, { once: true });
    return found;
  };

  // Long texts are cut, and shown when they are asked for or focus comes into them.
  const clamp = (roots) => {
    const cut = roots.flatMap((root) => all(".text, .drawing", root)).filter((text) =>
      text.scrollHeight > text.clientHeight + 2);
    for (const text of cut) {
      const button = element("button", { type: "button", class: "more" }, "Show all");
      const open = () => {
        text.classList.add("whole");
        button.remove();
      };
      button.addEventListener("click", () => {
        open();
        text.tabIndex = -1;
        text.focus({ preventScroll: true });
      });
      text.addEventListener("focusin", open, { once: true });
      text.classList.add("cut");
      text.after(button);
    }
  };

  const card = (k, { more, chosen, systems, whole, note }) => {
    const example = data.numbers[k];
    const places = element("ul", { class: "places", "aria-label": "Chosen as" });
    for (const [group, system, members] of data.groups) {
      if (!members.includes(k) || (system >= 0 && !systems.includes(system))) continue;
      const of = system < 0 ? [] : [": ", element("bdi", {}, data.systems[system])];
      places.append(element("li", {}, data.groupNames[group], ...of));
    }
    const id = `example-${example}`;
    const link = element("a", { href: `#?open=${example}`, "data-open": example },
      `Example ${example}`);
    const found = element("article",
      { "aria-labelledby": id, "data-number": example, tabindex: -1 },
      element("div", { class: "head" },
        element("h3", { id }, link),
        ...(note ? [element("span", { class: "mark undecided" }, note)] : []),
        places));
    if (!data.linked) {
      const words = `${number(data.words[k], 0)} word${data.words[k] === 1 ? "" : "s"}`;
      found.append(element("div", { class: "version source" },
        element("h4", {}, "Source ", element("span", { class: "measures" },
          element("span", {}, words))),
        element("div", { class: "body" }, shown(data.texts[data.sources[k]]))));
    }
    const draw = (i) => {
      const of = output(k, i, more);
      of.classList.toggle("chosen", chosen.has(i));
      return of;
    };
    const rest = whole || systems.length <= FEW ? []
      : systems.filter((i) => i >= BEST && !chosen.has(i));
    found.append(...systems.filter((i) => !rest.includes(i)).map(draw));
    if (rest.length) found.append(folded(`${rest.length} more systems`, () => rest.map(draw)));
    const texts = data.references[k].map((text) => element("li", {}, shown(data.texts[text])));
    if (texts.length) {
      const count = `${texts.length} reference${texts.length > 1 ? "s" : ""}`;
      found.append(folded(count, () => [element("ol", {}, ...texts)]));
    }
    return found;
  };

  // What was searched for stands out, also where a mark begins or ends within it.
  const hits = window.Highlight ? new Highlight() : null;
  if (hits) CSS.highlights.set("hit", hits);
  const highlight = (roots, q) => {
    if (!hits || q.length < 2) return;
    for (const text of roots.flatMap((root) => all(".text, .drawing", root))) {
      const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
      const nodes = [];
      let whole = "";
      while (walker.nextNode()) {
        if (!data.linked && walker.currentNode.parentElement.closest("del")) continue;
        nodes.push([whole.length, walker.currentNode]);
        whole += walker.currentNode.data;
      }
      const searched = whole.toLowerCase();
      if (searched.length !== whole.length) continue;
      for (let hit = searched.indexOf(q); hit >= 0; hit = searched.indexOf(q, hit + q.length)) {
        for (const [start, node] of nodes) {
          const from = Math.max(hit - start, 0);
          const to = Math.min(hit + q.length - start, node.length);
          if (from < to) {
            hits.add(new StaticRange({
              startContainer: node, startOffset: from, endContainer: node, endOffset: to,
            }));
          }
        }
      }
    }
  };

  return { element, card, clamp, highlight, hits };
})());
