// Pictures: the place of a study, or a game that was played, as a diagram for papers.

import { at } from "./app.js";
import { buttons, choice, complain, download, field, h, panel } from "./dom.js";
import { T } from "./texts.js";
import { ask } from "./wire.js";

const TYPES = { svg: "image/svg+xml", png: "image/png", pdf: "application/pdf" };

export async function open(place, [id]) {
  const room = new PictureRoom(place);
  if (id) await room.enter(id);
  else await room.offer();
  return room;
}

class PictureRoom {
  constructor(place) { this.place = place; }

  leave() { if (this.url) URL.revokeObjectURL(this.url); }

  async offer() {
    const [{ saved: studies }, { saved: games }] = [await ask("study.list"), await ask("play.offer")], saved = [...studies, ...games];
    this.place.replaceChildren(panel(T.pictures.choose, h("p", { class: "soft" }, T.pictures.hint), saved.length ? h("ul", { class: "documents" }, saved.map(({ id, title }) => h("li", {}, h("a", { href: `#/pictures/${id}` }, title)))) : h("p", {}, T.pictures.none)));
  }

  async enter(id) {
    this.id = id;
    at("pictures", id);
    this.wish = { style: "print", coordinates: true, cell_cm: 0.5 };
    this.image = h("img", { alt: T.pictures.preview });
    this.notes = h("p", { class: "soft" });
    const { wish } = this, draw = () => this.draw();
    const corners = ["", ""], range = ["", ""];
    const text = (list, i, label, name) => h("input", { type: "text", maxlength: 6, "aria-label": label, id: `${name}-${i}`, onchange: (e) => {
      list[i] = e.target.value.trim();
      wish.corners = corners[0] && corners[1] ? corners : null;
      wish.first = range[0] ? Number(range[0]) : null;
      wish.last = range[1] ? Number(range[1]) : null;
      draw();
    } });
    this.place.replaceChildren(h("div", { class: "table" }, h("div", { class: "side-a" }, h("div", { class: "paper" }, this.image)), h("div", { class: "side-b" }, panel(T.rooms.pictures, h("p", { class: "soft" }, T.pictures.hint),
      field(T.pictures.style, choice([["print", T.pictures.print], ["wood", T.pictures.wood]], "print", (value) => { wish.style = value; draw(); }, { id: "style" })),
      h("fieldset", {}, h("legend", {}, T.pictures.part), h("div", { class: "row" }, text(corners, 0, T.pictures.from, "corner"), text(corners, 1, T.pictures.to, "corner"))),
      h("fieldset", {}, h("legend", {}, T.pictures.numbers), h("div", { class: "row" }, text(range, 0, T.pictures.from, "number"), text(range, 1, T.pictures.to, "number"))),
      field(T.pictures.cell, h("input", { type: "number", min: 0.2, max: 3, step: 0.1, value: wish.cell_cm, onchange: (e) => { wish.cell_cm = Number(e.target.value); draw(); } })),
      h("label", { class: "check" }, h("input", { type: "checkbox", checked: true, onchange: (e) => { wish.coordinates = e.target.checked; draw(); } }), T.pictures.coordinates),
      this.notes, buttons(...Object.keys(TYPES).map((form) => [T.pictures.save(form), () => this.#save(form), { id: `save-${form}` }]), [T.pictures.back, () => { location.hash = `#/${id.startsWith("play") ? "play" : "study"}/${id}`; }])))));
    await this.draw();
  }

  async draw() {
    try {
      const { content, notes } = await this.#ask("svg");
      if (this.url) URL.revokeObjectURL(this.url);
      this.url = URL.createObjectURL(new Blob([content], { type: TYPES.svg }));
      this.image.src = this.url;
      this.notes.textContent = notes ? T.pictures.notes(notes) : "";
    } catch (error) { complain(error.message); }
  }

  #ask(form) {
    const { wish } = this;
    return ask("pictures.draw", { id: this.id, form, ...Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== null)) });
  }

  async #save(form) {
    try {
      const { content } = await this.#ask(form);
      download(`diagram.${form}`, content, TYPES[form]);
    } catch (error) { complain(error.message); }
  }
}
