// Marks results as out of date once they aren't those of what the page shows; see `page.answered`.
// `element` is what results appear in. What was asked with a button is kept here, as text, and
// compared with what is there now: so a change that is taken back isn't one, and an answer that
// comes after a change is known to be late.
const now = new Map(); // number of an input → its value
const asked = new Map(); // number of an answer → what it was asked with
let tab = 0, last = 0;

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
    old = !was || was.tab !== tab || [...was.inputs].some(([id, value]) => now.get(id) !== value);
  }
  const text = old ? "Out of date: the input has changed since." : "";
  if (note.textContent !== text) note.textContent = text;
}

window.textsimp = {
  ask(own, ids, values) {
    tab = own;
    ids.forEach((id, i) => now.set(id, JSON.stringify(values[i])));
    asked.set(++last, { tab, inputs: ids.map((id) => [id, now.get(id)]) });
    mark();
    return [String(last), ...values];
  },
  changed(id, value) { now.set(id, JSON.stringify(value)); mark(); },
  opened(own) { tab = own; mark(); },
};
new MutationObserver(mark).observe(element, { childList: true, subtree: true, attributes: true });
