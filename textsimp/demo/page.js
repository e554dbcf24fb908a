// Of all pages: Ctrl+Enter computes; the report of `comparison_page` is opened and saved.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  [...document.querySelectorAll("button.primary")].find((button) => button.offsetParent)?.click();
});
element.addEventListener("click", (event) => {
  const button = event.target.closest("button.download");
  if (button?.value === "open") element.querySelector("dialog").showModal();
  if (button?.value !== "save") return;
  const report = element.querySelector("iframe").srcdoc.replace('<base href="about:srcdoc">', "");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([report], { type: "text/html" }));
  link.download = "report.html";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
});
