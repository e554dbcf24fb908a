// Saves the report that the frame shows; see `comparison_page`.
element.addEventListener("click", (event) => {
  if (!event.target.closest("button.download")) return;
  const report = element.querySelector("iframe").srcdoc.replace('<base href="about:srcdoc">', "");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([report], { type: "text/html" }));
  link.download = "report.html";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
});
