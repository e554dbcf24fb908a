"use strict";
// Which examples a state asks for, and in which order: places in the data.
Object.assign(Examples, (() => {
  const { data, measures, lines, pair } = Examples;
  const at = data.numbers.map((_, k) => k);
  let lower = null;
  let last = { q: null };

  // Which texts have the words, 1 for each that has.
  const search = (q) => {
    if (last.q !== q) {
      lower ??= data.texts.map((text) => text.toLowerCase());
      last = { q, hits: Uint8Array.from(lower, (text) => text.includes(q)) };
    }
    return last.hits;
  };

  const searched = (q, place, systems) => {
    const hits = search(q.trim().toLowerCase());
    const source = (k) => hits[data.sources[k]];
    const output = (k) => systems.some((i) => hits[data.outputs[i][k]]);
    const references = (k) => data.references[k].some((text) => hits[text]);
    return { source, output, references }[place]
      ?? ((k) => source(k) || output(k) || references(k));
  };

  // Operations of one output.
  const values = (key) => measures.get(key)?.values;
  const operations = {
    splits: (k, i) => values("simplification_stats.sentence_splits")?.[i][k] > 1,
    moves: (k, i) => values("edit_ops.move")?.[i][k] > 0,
    copies: (k, i) => values("simplification_stats.exact_copies")?.[i][k] === 1,
  };
  const isEmpty = data.empty.map((those) => new Set(those));
  operations.empty = (k, i) => isEmpty[i].has(k);

  // Examples of a group, in order of rank: of a system, if the group is of systems.
  const ranks = (group, system) => {
    const found = new Map();
    for (const [name, of, members] of data.groups) {
      if (name !== group || (system >= 0 && of >= 0 && of !== system)) continue;
      members.forEach((k, rank) => found.set(k, Math.min(rank, found.get(k) ?? rank)));
    }
    return found;
  };

  // Values have up to six decimals; so 0.8 is not more than 0.1 above 0.7, and equal means are ties.
  const exact = (value) => Math.round(value * 1e6) / 1e6;
  const gaps = (state, those = at) => {
    const { measure: { values: of }, a, b } = pair(state);
    return those.map((k) =>
      of[a][k] === null || of[b][k] === null ? null : exact(of[a][k] - of[b][k]));
  };

  const mean = (found) => found.length
    ? exact(found.reduce((sum, value) => sum + value, 0)) / found.length : null;
  const spread = (found) => found.length ? exact(Math.max(...found) - Math.min(...found)) : null;

  // What is sorted by, a number of each example; of several systems their mean.
  const keys = (state, key, systems) => {
    const reduced = (measure, those, reduce) => at.map((k) =>
      reduce(those.map((i) => measure.values[i][k]).filter((value) => value !== null)));
    if (key === "length") return data.words;
    if (key === "gap") return gaps(state);
    if (key === "disagreement") {
      return reduced(pair(state).measure, [...data.systems.keys()], spread);
    }
    return measures.has(key) ? reduced(measures.get(key), systems, mean) : at;
  };

  const find = (state) => {
    const system = data.systems.indexOf(state.system);
    const systems = system < 0 ? [...data.systems.keys()] : [system];
    const some = (test) => (k) => systems.some((i) => test(k, i));
    const tests = [];
    let ranked = null;
    if (state.show) {
      ranked = ranks(state.show, system);
      tests.push((k) => ranked.has(k));
    }
    if (state.lines) {
      const there = lines(state.lines);
      tests.push((k) => there(data.numbers[k]));
    }
    if (state.only) tests.push(some(operations[state.only]));
    if (state.by) {
      const gap = gaps(state);
      tests.push((k) => gap[k] !== null && gap[k] > Number(state.by));
    }
    if (state.q) tests.push(searched(state.q, state.in, systems));
    const found = at.filter((k) => tests.every((test) => test(k)));
    if (!state.sort && ranked) return found.sort((a, b) => ranked.get(a) - ranked.get(b) || a - b);
    const down = state.sort?.startsWith("-");
    const by = keys(state, state.sort?.replace(/^-/, "") ?? "number", systems);
    const sign = down ? -1 : 1;
    return found.sort((a, b) =>
      (by[a] === null) - (by[b] === null) || sign * (by[a] - by[b]) || a - b);
  };

  return { find, gaps };
})());
