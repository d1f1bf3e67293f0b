// Packing: a problem, the best plan so far, drawn to scale.

import { at } from "./app.js";
import { LineChart } from "./chart.js";
import { buttons, complain, download, field, h, panel, pickFile, s } from "./dom.js";
import { T } from "./texts.js";
import { ask, on } from "./wire.js";

export async function open(place, [id]) {
  const room = new PackingRoom(place);
  if (id) room.enter(await ask("packing.enter", { id }));
  else await room.offer();
  return room;
}

class PackingRoom {
  constructor(place) {
    this.place = place;
    on("packing", (event) => event.id === this.id && this.hear(event));
  }

  leave() {
    if (this.id) ask("packing.leave", { id: this.id }).catch(() => {});
    this.id = null;
  }

  async offer() {
    const { saved, example } = await ask("packing.offer");
    const text = h("textarea", { rows: 9, spellcheck: "false", "aria-label": T.packing.text }, example);
    const begin = async (of) => { try { location.hash = `#/packing/${(await ask("packing.new", of)).id}`; } catch (error) { complain(error.message); } };
    const list = h("ul", { class: "documents" }, saved.map(({ id, title, changed_at: when }) => h("li", {}, h("a", { href: `#/packing/${id}` }, title), h("small", {}, new Date(1000 * when).toLocaleDateString()),
      h("button", { type: "button", class: "quiet", "aria-label": `${T.common.remove}: ${title}`, onclick: async (event) => { await ask("packing.delete", { id }); event.target.closest("li").remove(); } }, "×"))));
    this.place.replaceChildren(h("div", { class: "two" }, panel(T.packing.open, h("p", { class: "soft" }, T.packing.hint), buttons([T.packing.file, () => pickFile(".csv,.tsv,.json,.txt", (content, name) => begin({ text: content, name }))]),
      field(T.packing.text, text), buttons([T.packing.begin, () => begin({ text: text.value }), { class: "main", id: "begin" }])), panel(T.packing.saved, saved.length ? list : h("p", { class: "soft" }, T.packing.noSaved))));
  }

  enter(opened) {
    this.id = opened.id;
    at("packing", this.id);
    this.state = opened;
    this.plan = h("div", { class: "plan", role: "img" });
    this.status = h("p", { class: "status", role: "status" });
    this.facts = h("p", { class: "soft" });
    this.curve = new LineChart({ label: T.packing.curve, height: 130, middle: null });
    this.form = h("div");
    this.runButton = h("button", { type: "button", class: "main", id: "run", onclick: () => this.#run() });
    this.seconds = h("input", { type: "number", min: 1, max: 600, value: 10, id: "seconds" });
    this.place.replaceChildren(h("div", { class: "table" }, h("div", { class: "side-a" }, this.plan),
      h("div", { class: "side-b" }, panel(opened.title, this.status, this.facts, this.form, field(T.packing.seconds, this.seconds), h("div", { class: "buttons" }, this.runButton)), panel(T.packing.curve, this.curve.element),
        panel(null, buttons([T.packing.svg, () => this.#save("svg")], [T.packing.json, () => this.#save("json")], [T.packing.all, () => { location.hash = "#/packing"; }])))));
    this.hear(opened);
  }

  hear(event) {
    if (event.remark) complain(event.remark);
    this.state = { ...this.state, ...event };
    if (event.options) this.#drawForm();
    const { plan, running, missing, items, simulations } = this.state;
    this.runButton.textContent = running ? T.packing.stop : T.packing.search;
    this.runButton.disabled = Boolean(missing);
    this.status.textContent = missing ? T.packing.missing : plan ? plan.caption : T.packing.items(items);
    this.facts.textContent = [T.packing.items(items), plan && T.packing.used(plan.used), simulations && T.packing.tried(simulations)].filter(Boolean).join(" · ");
    if ("plan" in event) this.#draw(plan);
  }

  #drawForm() {
    const options = { ...this.state.options };
    const send = () => ask("packing.change", { id: this.id, options }).catch((error) => complain(error.message));
    const length = (name, label) => field(label, h("input", { type: "number", min: 0, step: "any", id: name, value: options[name] ?? "", onchange: (e) => { if (e.target.value === "") delete options[name]; else options[name] = Number(e.target.value); send(); } }));
    const check = (name, label, usual) => h("label", { class: "check" }, h("input", { type: "checkbox", checked: options[name] ?? usual, onchange: (e) => { options[name] = e.target.checked; send(); } }), label);
    this.form.replaceChildren(length("width", T.packing.width), h("details", {}, h("summary", {}, T.packing.kerf), length("kerf", T.packing.kerf), length("max_height", T.packing.maxHeight), check("rotate", T.packing.rotate, true), check("guillotine", T.packing.guillotine, false)));
  }

  #draw(plan) {
    if (!plan) {
      this.plan.replaceChildren();
      this.curve.show([]);
      return;
    }
    const gap = 0.05 * Math.max(...plan.sheets.map(([w]) => w)), tall = Math.max(...plan.sheets.map(([, t]) => t));
    let x = gap;
    const left = plan.sheets.map(([w]) => { const at = x; x += w + gap; return at; });
    const font = (w, t, label) => Math.min(0.7 * t, 1.6 * w / Math.max(1, label.length), tall / 22);
    this.plan.setAttribute("aria-label", plan.caption);
    this.plan.replaceChildren(s("svg", { viewBox: `0 0 ${x} ${tall + 2 * gap}`, "aria-hidden": "true" }, plan.sheets.map(([w, t], i) => s("rect", { x: left[i], y: gap + tall - t, width: w, height: t, class: "sheet" })),
      plan.rectangles.map(([sheet, px, py, w, t, color, label]) => {
        const [rx, ry] = [left[sheet] + px, gap + tall - py - t], size = font(w, t, label);
        return s("g", {}, s("rect", { x: rx, y: ry, width: w, height: t, fill: color, class: "part" }, s("title", {}, `${label}: ${w} × ${t}`)), size > tall / 120 && s("text", { x: rx + w / 2, y: ry + t / 2, "font-size": size }, label));
      })));
    const points = plan.curve, values = points.map(([, v]) => v), low = Math.min(plan.bound, ...values), high = Math.max(plan.bound, ...values);
    const y = (v) => 0.05 + 0.9 * (v - low) / Math.max(1e-9, high - low), steps = points.flatMap(([t, v], i) => [[t, y(v)], [points[i + 1]?.[0] ?? plan.seconds, y(v)]]);
    this.curve.show([{ points: steps, class: "best" }, { points: [[0, y(plan.bound)], [plan.seconds, y(plan.bound)]], class: "score" }], { x0: 0, x1: Math.max(1, plan.seconds) });
  }

  #run() {
    return (this.state.running ? ask("packing.stop", { id: this.id }) : ask("packing.run", { id: this.id, seconds: Number(this.seconds.value) })).catch((error) => complain(error.message));
  }

  async #save(kind) {
    const file = await ask("packing.file", { id: this.id });
    download(`${file.name}.${kind}`, file[kind], kind === "svg" ? "image/svg+xml" : "application/json");
  }
}
