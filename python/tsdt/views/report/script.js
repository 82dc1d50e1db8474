"use strict";
(() => {
  const view = document.getElementById("view");
  const svg = view.querySelector("svg");
  const shown = document.getElementById("zoom");
  const tip = document.getElementById("tip");
  const width = svg.viewBox.baseVal.width;
  const height = svg.viewBox.baseVal.height;
  let scale = 1;

  // Zoom: the picture changes its size, the box around it scrolls. What is in the middle stays there.
  function zoom(to) {
    const before = scale;
    scale = Math.min(4, Math.max(0.1, to));
    const x = (view.scrollLeft + view.clientWidth / 2) / before;
    const y = (view.scrollTop + view.clientHeight / 2) / before;
    svg.setAttribute("width", width * scale);
    svg.setAttribute("height", height * scale);
    view.scrollLeft = x * scale - view.clientWidth / 2;
    view.scrollTop = y * scale - view.clientHeight / 2;
    shown.textContent = Math.round(100 * scale) + "%";
  }
  const fit = () => Math.min(1, view.clientWidth / width);
  const steps = { in: () => scale * 1.25, out: () => scale / 1.25, fit };
  for (const button of document.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => zoom(steps[button.dataset.zoom]()));
  }
  view.addEventListener("keydown", (event) => {
    const step = { "+": "in", "=": "in", "-": "out", 0: "fit" }[event.key];
    if (step && !event.ctrlKey && !event.metaKey) zoom(steps[step]());
  });
  view.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return; // a plain wheel scrolls
    event.preventDefault();
    zoom(scale * Math.exp(-event.deltaY / 300));
  }, { passive: false });
  zoom(Math.max(fit(), innerWidth < 700 ? 1.1 : 0.75)); // the root first, and never too small to read
  view.scrollLeft = 0;
  const root = svg.querySelector("g rect");
  if (root) view.scrollTop = root.y.baseVal.value * scale - view.clientHeight / 2;

  // Hover: what stood in the titles of all pictures is shown at once, and where a finger taps.
  for (const title of document.querySelectorAll("svg g > title, svg path > title")) {
    title.parentNode.dataset.tip = title.textContent;
    title.remove();
  }
  let on = null;
  function show(event) {
    const part = event.target.closest("[data-tip]");
    if (on) on.classList.remove("on");
    on = part;
    tip.hidden = !part;
    if (!part) return;
    part.classList.add("on");
    tip.textContent = part.dataset.tip;
    const x = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
    const below = event.clientY + 18 + tip.offsetHeight < innerHeight;
    tip.style.left = Math.max(8, x) + "px";
    tip.style.top = (below ? event.clientY + 18 : Math.max(8, event.clientY - tip.offsetHeight - 12)) + "px";
  }
  document.addEventListener("pointermove", show);
  document.addEventListener("pointerdown", show);
  document.addEventListener("scroll", () => { tip.hidden = true; }, true);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });
})();
