"use strict";
(() => {
  // Examples: those that the page's hash asks for, drawn as they are scrolled to.
  const { data, measures } = Examples;
  const MOST = 12;  // cards that are drawn at once, and about how many characters
  const CHARACTERS = 10_000;
  const PER_SYSTEM = new Set(data.groups.filter(([, of]) => of >= 0).map(([group]) => group));
  const list = byId("examples");
  const rest = byId("example-rest");
  const form = byId("example-controls");
  const status = byId("example-count");
  const byNumber = new Map(data.numbers.map((number, k) => [String(number), k]));
  let state = {};
  let ignored = [];
  let found = [];  // of the filters
  let queue = [];  // found, the opened one first
  let drawn = 0;

  const one = (count, name) => `${count.toLocaleString("en")} ${name}${count === 1 ? "" : "s"}`;

  // Cards -------------------------------------------------------------------------------------

  // What an output was found by is told beside it; whom a group is about is marked.
  const look = (k) => {
    const key = state.sort?.replace(/^-/, "");
    const more = [key, key === "disagreement" && Examples.pair(state).measure.key];
    const system = data.systems.indexOf(state.system);
    const chosen = new Set(data.groups
      .filter(([group, of, members]) => group === state.show && of >= 0 &&
        (system < 0 || of === system) && members.includes(k))
      .map(([, of]) => of));
    if (system >= 0 && !PER_SYSTEM.has(state.show)) chosen.add(system);
    const { measure, a, b } = Examples.pair(state);
    const two = Examples.compares(state);
    if (two) more.push(measure.key);
    // An output that was searched for isn't folded away.
    const whole = ["q", "only"].some((filter) => state[filter]);
    return { more: more.filter((name) => measures.has(name)), chosen, whole,
      systems: two ? [a, b] : [...data.systems.keys()] };
  };

  const size = (k) => data.drawn.reduce((sum, of) => sum + of[k].length, 0);
  const draw = () => {
    const opened = byNumber.get(state.open);
    let end = drawn;
    for (let room = CHARACTERS; room > 0 && end < Math.min(queue.length, drawn + MOST); end += 1) {
      room -= size(queue[end]);
    }
    const cards = queue.slice(drawn, end).map((k) => {
      const hidden = k === opened && !found.includes(k);
      const made = Examples.card(k, { ...look(k), note: hidden ? "outside the filters" : "" });
      made.classList.toggle("opened", k === opened);
      return made;
    });
    list.append(...cards);
    drawn = end;
    Examples.clamp(cards);
    rest.hidden = drawn === queue.length;
    rest.textContent = `Show more: ${(queue.length - drawn).toLocaleString("en")} left`;
    Examples.highlight(cards, (state.q ?? "").trim().toLowerCase());
    byId("example-printed").textContent = `Printed: ${one(drawn, "example")} of ${
      data.total.toLocaleString("en")}. The page shows and finds the others.`;
  };

  // Once each time that the button comes into sight: where the browser keeps what is below in
  // place while cards are added above, there would be no end.
  const sight = new IntersectionObserver((entries) => {
    if (entries.at(-1).isIntersecting && !rest.hidden) draw();
  }, { rootMargin: "0px 0px 300px" });
  sight.observe(rest);
  rest.addEventListener("click", () => {
    const before = list.childElementCount;
    draw();
    list.children[before]?.focus();
  });

  // What is shown, in words -------------------------------------------------------------------

  const CHIPS = {
    show: (group) => data.groupNames[group],
    lines: (those) => `examples ${those.replaceAll(",", ", ").replaceAll("-", "–")}`,
    only: (operation) => operation,
    a: () => {
      const { a, b } = Examples.pair(state);
      return `${data.systems[a]} against ${data.systems[b]}`;
    },
    by: (least) => {
      const { measure, a, b } = Examples.pair(state);
      return `${data.systems[a]} over ${data.systems[b]} by more than ${least} (${measure.label})`;
    },
    q: (text) => `“${text}” in ${{ source: "sources", output: "outputs",
      references: "references" }[state.in] ?? "any text"}`,
  };
  const OF_SYSTEM = ["show", "only", "q"];
  const chips = byId("example-chips");
  const order = () => {
    const key = state.sort.replace(/^-/, "");
    const { measure, a, b } = Examples.pair(state);
    const of = state.system ?? (data.systems.length > 1 ? "the mean of systems" : "");
    const by = { number: "number", length: "words of the source",
      disagreement: `how much systems disagree (${measure.label})`,
      gap: `${data.systems[a]} over ${data.systems[b]} (${measure.label})`,
    }[key] ?? measures.get(key).label + (of && `, ${of}`);
    return `sorted by ${by}, ${state.sort.startsWith("-") ? "highest" : "lowest"} first`;
  };
  // How often one of two systems is ahead, of the examples that the other filters leave.
  const balance = () => {
    const { measure, a, b } = Examples.pair(state);
    const gaps = Examples.gaps(state, Examples.find({ ...state, by: "" }));
    const count = (sign) =>
      gaps.filter((gap) => gap !== null && Math.sign(gap) === sign).length.toLocaleString("en");
    const up = measure.better === "lower" ? -1 : 1;
    const [over, under] = measure.better ? ["ahead of", "behind"] : ["higher than", "lower"];
    return `by ${measure.label} ${data.systems[a]} is ${over} ${data.systems[b]} in ` +
      `${count(up)}, ${under} in ${count(-up)}, equal in ${count(0)}`;
  };
  const inForce = (key) => state[key] || (key === "a" && Examples.compares(state));
  const tell = () => {
    chips.replaceChildren(...Object.keys(CHIPS).filter(inForce).map((key) => {
      const of = OF_SYSTEM.includes(key) && state.system ? `: ${state.system}` : "";
      const text = CHIPS[key](state[key]) + of;
      const chip = Examples.element("button",
        { type: "button", "data-drop": key, "aria-label": `Remove the filter: ${text}` },
        Examples.element("span", { dir: "auto" }, text), " ×");
      return Examples.element("li", {}, chip);
    }));
    const notes = [`${one(found.length, "example")}` +
      (found.length < data.numbers.length ? ` of ${data.numbers.length.toLocaleString("en")}` : "")];
    if (Examples.compares(state)) notes.push(balance());
    if (state.sort) notes.push(order());
    if (state.open && !byNumber.has(state.open)) {
      notes.push(Number(state.open) > data.total ? `there is no example ${state.open}`
        : `example ${state.open} was left out of this file for its size`);
    }
    if (ignored.length) notes.push(`not understood in the link: ${ignored.join(", ")}`);
    status.textContent = notes.join("; ");
    byId("example-download").textContent = `Download ${found.length === data.numbers.length
      ? "all" : found.length.toLocaleString("en")} as CSV`;
  };

  // State -------------------------------------------------------------------------------------

  // What can be chosen beside what the page has.
  const grouped = new Set(data.groups.map(([group]) => group));
  const names = data.systems.map((name) => [name, name]);
  const scores = data.measures.map(({ key, label }) => [key, label]);
  const CHOICES = {
    show: Object.entries(data.groupNames).filter(([group]) => grouped.has(group)),
    system: names, a: names, b: names, sort: scores, score: scores,
  };
  for (const [name, choices] of Object.entries(CHOICES)) {
    form.elements[name]?.append(...choices.map(([value, label]) => new Option(label, value)));
  }

  // Controls say what the state is; what they can't say, only the chips do.
  const fields = all("[name]", form);
  const fill = (typed) => {
    const { measure, a, b } = Examples.pair(state);
    const values = { ...state, a: data.systems[a], b: data.systems[b], score: measure.key,
      sort: state.sort?.replace(/^-/, ""), direction: state.sort?.startsWith("-") ? "-" : "" };
    for (const field of fields) {
      if (field === typed) continue;
      field.value = values[field.name] ?? "";
      if (field.selectedIndex === -1) field.value = "";
    }
  };

  const apply = ({ scroll = false, typed = null } = {}) => {
    found = Examples.find(state);
    const opened = byNumber.get(state.open);
    queue = opened === undefined ? found : [opened, ...found.filter((k) => k !== opened)];
    list.replaceChildren();
    Examples.hits?.clear();
    drawn = 0;
    rest.hidden = queue.length === 0;
    fill(typed);
    tell();
    draw();
    if (scroll) {
      const card = list.querySelector(".opened");
      (card ?? byId("examples-heading")).scrollIntoView();
      card?.focus({ preventScroll: true });
    }
  };

  const remember = (push) => {
    const hash = Object.keys(state).length ? Examples.format(state) : "#examples-section";
    if (hash === location.hash) return;
    try {
      history[push ? "pushState" : "replaceState"](null, "", hash);
    } catch {
      // The page is inside another, or the browser takes these for too many.
    }
  };

  // Other values of some keys; empty ones are dropped.
  const change = (changed, { push = false, ...how } = {}) => {
    const { open, ...others } = state;
    const merged = { ...others, ...changed };
    state = Object.fromEntries(Object.entries(merged).filter(([, value]) => value));
    ignored = [];
    remember(push);
    apply(how);
  };

  const follow = (hash, scroll = true) => {
    ({ state, ignored } = Examples.parse(hash));
    apply({ scroll });
  };

  // A section's anchor leaves the examples as they are; Back to where there was no hash doesn't.
  addEventListener("hashchange", () => {
    if (location.hash.startsWith("#?")) follow(location.hash);
    else if (!location.hash) follow("", false);
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#?"]');
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.dataset.open) {
      change({ open: link.dataset.open }, { push: true, scroll: true });
    } else {
      const hash = link.getAttribute("href");
      ({ state } = Examples.parse(hash));
      remember(true);
      follow(hash);
    }
  });

  // Controls ----------------------------------------------------------------------------------

  const read = (field) => {
    const value = field.value.trim();
    const { a, b, sort, direction, by, score } = form.elements;
    if (field === sort) return { sort: value && `-${value}` };
    if (field === direction) return { sort: (field.value || "") + (sort.value || "number") };
    if ([a, b, by, score].includes(field)) {
      return { a: a.value, b: b.value, score: score.value, by: by.value.trim() };
    }
    if (field.name === "q") return { q: field.value.trim() ? field.value : "" };
    return { [field.name]: value };
  };
  // What is typed waits for the next letter.
  const number = form.elements.open;
  let waiting;
  let pending = {};
  const changed = ({ target: field, type }) => {
    // Of a text field that is left a change is told once more, which may be out of date by then.
    const wanted = field.type === "select-one" ? "change" : "input";
    if (!field.name || field === number || type !== wanted) return;
    pending = { ...pending, ...read(field) };
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const typed = pending;
      pending = {};
      change(typed, { typed: field });
    }, field.type === "select-one" ? 0 : 100);
  };
  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  form.addEventListener("submit", (event) => event.preventDefault());

  const go = () => {
    if (number.value && number.reportValidity()) {
      change({ open: number.value }, { push: true, scroll: true });
    }
  };
  byId("example-go").addEventListener("click", go);
  number.addEventListener("keydown", (event) => {
    if (event.key === "Enter") go();
  });
  byId("example-reset").addEventListener("click", () => {
    clearTimeout(waiting);
    pending = {};
    form.reset();
    state = {};
    change({});
  });
  chips.addEventListener("click", (event) => {
    const key = event.target.closest("button")?.dataset.drop;
    if (!key) return;
    clearTimeout(waiting);
    pending = {};
    change(key === "a" ? { a: "", b: "", by: "", sort: "" } : { [key]: "" });
    (chips.querySelector("button") ?? status).focus();
  });
  byId("show-deleted").addEventListener("change", (event) =>
    document.body.classList.toggle("hide-deleted", !event.target.checked));
  byId("example-gap")?.addEventListener("click", () => {
    const { a, b, score } = form.elements;
    change({ a: a.value, b: b.value, score: score.value, sort: "-gap" });
  });

  byId("example-download").addEventListener("click", () => {
    save("examples.csv", `\ufeff${Examples.csv(found, byId("example-texts").checked)}`, "text/csv");
  });

  form.hidden = false;
  if (location.hash.startsWith("#?")) follow(location.hash);
  else apply();
})();
