"use strict";
// Tables for other programs.
(() => {
  const { data } = Examples;
  // A program for tables would take some texts for formulas.
  const text = (value) => (/^'*[=+\-@]/.test(value) ? `'${value}` : value);
  const cell = (value) => {
    const shown = typeof value === "string" ? text(value) : String(value ?? "");
    return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
  };
  Examples.fullName = (name) => data.fullNames[data.systems.indexOf(name)] ?? name;
  Examples.table = (rows) => rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
  // Numbers of examples, and their texts if wanted.
  Examples.csv = (found, withTexts) => {
    const most = withTexts ? found.reduce((n, k) => Math.max(n, data.references[k].length), 0) : 0;
    const rows = [[
      "number", "system", ...data.measures.map((measure) => measure.key),
      ...(withTexts ? ["source", "output"] : []),
      ...Array.from({ length: most }, (_, place) => `reference ${place + 1}`),
    ]];
    for (const k of found) {
      data.fullNames.forEach((name, i) => rows.push([
        data.numbers[k], name, ...data.measures.map(({ values }) => values[i][k]),
        ...(withTexts ? [data.sources[k], data.outputs[i][k], ...data.references[k]]
          .map((index) => data.texts[index]) : []),
      ]));
    }
    for (const row of rows) while (row.length < rows[0].length) row.push(null);
    return Examples.table(rows);
  };
})();
