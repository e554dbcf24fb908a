// The contrast of every text that can be seen with what is behind it, lowest first.
const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
const rgba = (colour) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
};
const over = (top, under) =>
  [0, 1, 2].map((i) => (top[i] * top[3]) / 255 + under[i] * (1 - top[3] / 255));
const behind = (element) => {
  const layers = [];
  for (let e = element; e; e = e.parentElement) layers.unshift(rgba(getComputedStyle(e).backgroundColor));
  return layers.reduce((under, top) => over(top, under), [255, 255, 255]);
};
const luminance = (colour) =>
  [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => {
    const v = colour[i] / 255;
    return sum + weight * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  }, 0);
const found = [];
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let text; (text = texts.nextNode()); ) {
  const element = text.parentElement, box = element.getBoundingClientRect();
  const seen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  if (!text.textContent.trim() || !seen || box.width < 3 || box.height < 3) continue;
  if (element.closest("svg, style, script")) continue;
  const back = behind(element), ink = over(rgba(getComputedStyle(element).color), back);
  const [high, low] = [luminance(back), luminance(ink)].sort((a, b) => b - a);
  found.push([(high + 0.05) / (low + 0.05), text.textContent.trim().slice(0, 40)]);
}
return found.sort((a, b) => a[0] - b[0]);
