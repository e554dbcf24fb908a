// Draws two other scores of the systems when they are chosen; see `compared.scatter`.
element.addEventListener("change", async (event) => {
  const box = event.target.closest(".scatter");
  if (!box) return;
  const all = JSON.parse(box.dataset.scores);
  const chosen = () => [...box.querySelectorAll("select")].map((list) => list.value);
  const [y, x] = chosen();
  const points = all.map(([name, scores]) => [name, scores[x], scores[y]]);
  const drawn = box.querySelector(".drawn");
  let reply;
  try {
    reply = await server._scatter({ x, y, points });
  } catch {
    reply = { error: "The server does not answer. Try again." };
  }
  if (String(chosen()) !== String([y, x])) return; // another was chosen meanwhile
  if (reply.error) drawn.textContent = reply.error;
  else drawn.innerHTML = reply.drawn; // escaped by the server
});
