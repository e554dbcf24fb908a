// Marks results as out of date once they aren't those of what the page shows; see `page.answered`.
// `element` is what results appear in. What was asked with a button is kept here, as text, and
// compared with what is there now: so a change that is taken back isn't one, and an answer that
// comes after a change is known to be late.
const first = new Map(); // number of an input → the value that it was first seen with
const now = new Map(); // … and has now
const asked = new Map(); // number of an answer → its inputs, and the values of all then
let open = [], last = 0; // inputs of the tab that was opened last; number of the last answer

const note = document.createElement("p");
note.className = "ts outdated";
note.setAttribute("role", "status");
element.before(note);

function mark() {
  const answer = element.querySelector("[data-answer]");
  let old = false;
  if (answer) {
    const number = Number(answer.dataset.answer), was = asked.get(number);
    for (const earlier of asked.keys()) if (earlier < number) asked.delete(earlier);
    const changed = (id) => now.get(id) !== (was.values.get(id) ?? first.get(id));
    old = !was || [...was.ids, ...open].some(changed);
  }
  const text = old ? "Out of date: the input has changed since." : "";
  if (note.textContent !== text) note.textContent = text;
}

function see(id, value) {
  now.set(id, JSON.stringify(value));
  if (!first.has(id)) first.set(id, now.get(id));
}

window.textsimp = {
  ask(ids, values) {
    ids.forEach((id, i) => see(id, values[i]));
    asked.set(++last, { ids, values: new Map(now) });
    mark();
    return [String(last), ...values];
  },
  changed(id, value) { see(id, value); mark(); },
  opened(ids, values) { open = ids; ids.forEach((id, i) => see(id, values[i])); mark(); },
};
new MutationObserver(mark).observe(element, { childList: true, subtree: true, attributes: true });
