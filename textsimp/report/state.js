"use strict";
// The examples, and which of them are shown: the page's hash, whose keys are in examples.py.
globalThis.Examples = await (async () => {
  const data = JSON.parse(await inflate(byId("data").textContent));
  // Outputs with marked edits aren't there a second time: each is what isn't deleted in its drawing.
  if (!data.linked) {
    const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
    const places = new Map(data.texts.map((text, place) => [text, place]));
    data.outputs = data.drawn.map((of) => of.map((html) => {
      const text = html.replace(/<del.*?<\/del>|<[^>]*>/gs, "")
        .replace(/&([^;]*);/g, (_, name) => ENTITIES[name]);
      if (!places.has(text)) places.set(text, data.texts.push(text) - 1);
      return places.get(text);
    }));
  }
  const measures = new Map(data.measures.map((measure) => [measure.key, measure]));
  const isNumber = (text) => text.trim() !== "" && Number.isFinite(Number(text));
  const isSystem = (name) => data.systems.includes(name);

  const ORDERS = ["number", "length", "disagreement", "gap"];
  const OPERATIONS = ["splits", "moves", "copies", "empty"];
  const PLACES = ["source", "output", "references"];

  // Numbers of examples.
  const lines = (text) => {
    if (!/^\d+(-\d+)?(,\d+(-\d+)?)*$/.test(text)) return null;
    const runs = text.split(",").map((run) => run.split("-").map(Number));
    return (number) => runs.some(([first, last = first]) => first <= number && number <= last);
  };

  const VALID = {
    open: (text) => /^[1-9]\d*$/.test(text),
    show: (text) => Object.hasOwn(data.groupNames, text),
    system: isSystem,
    sort: (text) => {
      const key = text.replace(/^-/, "");
      return ORDERS.includes(key) || measures.has(key);
    },
    q: (text) => text.trim() !== "",
    in: (text) => PLACES.includes(text),
    only: (text) => OPERATIONS.includes(text),
    a: isSystem,
    b: isSystem,
    by: isNumber,
    score: (text) => measures.has(text),
    lines,
  };

  // What a hash says: the keys that are understood, and the others as they stand there.
  const parse = (hash) => {
    const state = {};
    const ignored = [];
    for (const [key, value] of new URLSearchParams(hash.slice(2))) {
      if (Object.hasOwn(VALID, key) && VALID[key](value)) state[key] = value;
      else ignored.push(`${key}=${value}`);
    }
    return { state, ignored };
  };

  const format = (state) => {
    const pairs = Object.keys(VALID).filter((key) => state[key]).map((key) =>
      `${key}=${encodeURIComponent(state[key]).replaceAll("%2C", ",").replaceAll("%3A", ":")}`);
    return `#?${pairs.join("&")}`;
  };

  // Two systems, the first ones unless others are named, and the score that they are compared by.
  const pair = (state) => {
    const a = state.a ?? data.systems[0];
    const b = state.b ?? data.systems.find((name) => name !== a) ?? a;
    const measure = measures.get(state.score) ?? data.measures[0];
    return { measure, a: data.systems.indexOf(a), b: data.systems.indexOf(b) };
  };

  // Whether two systems are compared, so that only these are shown.
  const compares = (state) => Boolean(data.systems.length > 1 &&
    (state.a || state.b || state.by || state.sort?.endsWith("gap")));

  const formats = new Map();
  const number = (value, places) => {
    if (!formats.has(places)) {
      formats.set(places, new Intl.NumberFormat("en", {
        minimumFractionDigits: places, maximumFractionDigits: places, signDisplay: "negative",
      }));
    }
    return formats.get(places).format(value).replace("-", "−");
  };

  return { data, measures, parse, format, lines, pair, compares, number };
})();
