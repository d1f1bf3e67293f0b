// Charts as SVG: lines over a game or over time, and bars with intervals.

import { h, s } from "./dom.js";

const W = 600;

// series: [{ points: [[x, y] or null], class, axis }]; y in 0..1. onPick(x) when somebody points.
export class LineChart {
  constructor({ label, height = 150, onPick, middle = 0.5 }) {
    this.height = height;
    this.onPick = onPick;
    this.middle = middle;
    this.svg = s("svg", { class: "chart", viewBox: `0 0 ${W} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label });
    this.element = h("div", { class: "chart-box" }, this.svg);
    if (onPick) this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      onPick(Math.round(this.x0 + (event.clientX - box.left) / box.width * (this.x1 - this.x0)));
    });
  }

  show(series, { x0 = 0, x1 = 1, at = null, marks = [] } = {}) {
    [this.x0, this.x1] = [x0, Math.max(x1, x0 + 1)];
    const x = (v) => (v - this.x0) / (this.x1 - this.x0) * W, y = (v) => (1 - Math.max(0, Math.min(1, v))) * (this.height - 8) + 4;
    const parts = this.middle === null ? [] : [s("line", { x1: 0, x2: W, y1: y(this.middle), y2: y(this.middle), class: "middle" })];
    for (const { points, class: name, isArea } of series) {
      if (!points.length) continue;
      const path = points.map(([px, py], i) => `${i ? "L" : "M"}${x(px).toFixed(1)} ${y(py).toFixed(1)}`).join("");
      if (isArea) parts.push(s("path", { class: `area ${name}`, d: `${path}L${x(points.at(-1)[0])} ${y(0)}L${x(points[0][0])} ${y(0)}Z` }));
      parts.push(s("path", { class: `line ${name}`, d: path }));
      if (points.length < 60) for (const [px, py] of points) parts.push(s("circle", { cx: x(px), cy: y(py), r: 2.5, class: `spot ${name}` }));
    }
    for (const { x: px, y: py, class: name, title } of marks) parts.push(s("circle", { cx: x(px), cy: y(py), r: 5, class: `flag ${name}` }, s("title", {}, title)));
    if (at !== null) parts.push(s("line", { x1: x(at), x2: x(at), y1: 0, y2: this.height, class: "at" }));
    this.svg.replaceChildren(...parts);
  }
}

// rows: [{ name, value, low, high, text }] on one scale.
export function bars(rows, label) {
  const low = Math.min(...rows.map((r) => r.low ?? r.value)), high = Math.max(...rows.map((r) => r.high ?? r.value));
  const span = Math.max(high - low, 1e-9), x = (v) => 6 + 588 * (v - low) / span;
  return h("table", { class: "bars", "aria-label": label }, h("tbody", {}, rows.map((row) => h("tr", {},
    h("th", { scope: "row" }, row.name),
    h("td", { class: "bar" }, s("svg", { viewBox: "0 0 600 24", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("line", { x1: x(row.low ?? row.value), x2: x(row.high ?? row.value), y1: 12, y2: 12, class: "interval" }),
      s("rect", { x: x(row.value) - 4, y: 4, width: 8, height: 16, rx: 3, class: "estimate" }))),
    h("td", { class: "n" }, row.text)))));
}
