"use strict";
(() => {
  // Examples: of a group, of a system, with an error, with a text; by their rank in the group.
  const list = byId("examples");
  const cards = all("article", list).map((element) => ({
    element,
    number: Number(element.dataset.number),
    places: JSON.parse(element.dataset.places),
    text: element.textContent.toLowerCase(),
    outputs: all("[data-system]", element),
  }));
  const group = byId("example-group");
  const system = byId("example-system");
  const error = byId("example-error");
  const wantedText = byId("example-text");
  const perSystem = (name) => name && !["sampled", "disagree"].includes(name);
  const showExamples = () => {
    const wanted = wantedText.value.trim().toLowerCase();
    const chosenSystem = system && perSystem(group.value) ? system.value : "";
    if (system) system.disabled = !perSystem(group.value);
    const found = [];
    for (const card of cards) {
      const places = card.places.filter(([name, of]) =>
        (!group.value || name === group.value) && (!chosenSystem || of === chosenSystem));
      const hasError = !error?.value || card.outputs.some(({ dataset }) =>
        (!chosenSystem || dataset.system === chosenSystem) &&
        dataset.errors.split(" ").includes(error.value));
      const shown = places.length > 0 && hasError && card.text.includes(wanted);
      card.element.hidden = !shown;
      card.rank = group.value ? Math.min(...places.map((place) => place[2])) : 0;
      const chosen = new Set(perSystem(group.value) ? places.map((place) => place[1]) : []);
      for (const output of card.outputs) {
        output.classList.toggle("chosen", chosen.has(output.dataset.system));
      }
      if (shown) found.push(card);
    }
    found.sort((a, b) => a.rank - b.rank || a.number - b.number);
    list.append(...found.map((card) => card.element));
    const count = found.length;
    byId("example-count").textContent = `${count} example${count === 1 ? "" : "s"}`;
  };
  const form = byId("example-controls");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", showExamples);
  form.addEventListener("change", showExamples);
  byId("show-deleted").addEventListener("change", (event) =>
    document.body.classList.toggle("hide-deleted", !event.target.checked));
  form.reset();
  showExamples();
})();
