// One board for all games: draws a layout and a position as the server sends them, and says where somebody points.
// It knows no rules. What lies above the stones (candidates, heat, marks, lines of play) is an overlay.

import { announce, h, s } from "./dom.js";
import { T } from "./texts.js";

const UNIT = 40;
const HEX = [30, 90, 150, 210, 270, 330].map((a) => [Math.cos(a * Math.PI / 180), Math.sin(a * Math.PI / 180)]);
let boards = 0;

export class Board {
  // act: onMove(move, cell), onCell(cell, event), onHover(cell or null)
  constructor(act = {}) {
    this.act = act;
    this.id = `board-${boards += 1}`;
    this.svg = s("svg", { class: "board-svg", "aria-hidden": "true", focusable: "false" });
    this.help = h("span", { id: `${this.id}-help`, class: "unseen" }, T.board.help);
    this.element = h("div", {
      class: "board", tabindex: "0", role: "application", "aria-roledescription": T.board.role,
      "aria-label": T.board.role, "aria-describedby": `${this.id}-help`,
    }, this.svg, this.help);
    this.list = h("div", { class: "moves-list" });
    this.svg.addEventListener("click", (event) => this.#pointed(event));
    this.svg.addEventListener("pointermove", (event) => event.pointerType === "mouse" && this.#hover(this.cellAt(event)));
    this.svg.addEventListener("pointerleave", () => this.#hover(null));
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("blur", () => this.#setCursor(null));
    this.overlays = {};
    this.canPlay = true;
  }

  setLayout(layout) {
    this.layout = layout;
    this.position = null;
    this.cursor = null;
    const xs = layout.cells.map((c) => c[0]), ys = layout.cells.map((c) => c[1]);
    const margin = layout.style === "lines" ? 1.02 : layout.style === "hexes" ? 1.75 : 0.95;
    const [x0, x1] = [Math.min(...xs, 0) - margin, Math.max(...xs, 0) + margin];
    const [y0, y1] = [Math.min(...ys, 0) - margin, Math.max(...ys, 0) + margin];
    this.svg.setAttribute("viewBox", [x0, y0, x1 - x0, y1 - y0].map((v) => v * UNIT).join(" "));
    this.element.style.setProperty("--ratio", (x1 - x0) / (y1 - y0));
    this.element.style.setProperty("--letter-size", `${Math.min(13, 8.6 + 0.22 * (layout.width ?? 14))}px`);
    this.element.dataset.theme = layout.theme;
    this.element.dataset.style = layout.style;
    this.ground = s("g", { class: "ground" });
    this.below = s("g", { class: "below" });
    this.stones = s("g", { class: "stones" });
    this.above = s("g", { class: "above" });
    this.ghost = s("g", { class: "ghost" });
    this.svg.replaceChildren(this.#gradients(), this.ground, this.below, this.stones, this.above, this.ghost);
    this.drawn = new Map();
    this.#drawGround();
    this.list.replaceChildren();
  }

  #gradients() {
    const stops = (id, ...list) => s("radialGradient", { id: `${this.id}-${id}`, cx: ".36", cy: ".3", r: ".78" },
      list.map(([offset, name]) => s("stop", { offset, class: name })));
    return s("defs", {}, stops("0", [0, "s0a"], [0.45, "s0b"], [1, "s0c"]), stops("1", [0, "s1a"], [0.6, "s1b"], [1, "s1c"]));
  }

  xy(cell) { return this.layout.cells[cell].map((v) => v * UNIT); }

  #drawGround() {
    const { layout } = this, cells = layout.cells;
    const text = (x, y, words) => s("text", { x: x * UNIT, y: y * UNIT, class: "coordinate" }, words);
    if (layout.style === "lines") {
      const w = layout.width - 1, t = layout.height - 1;
      let path = "";
      for (let row = 0; row <= t; row += 1) path += `M0 ${row * UNIT}H${w * UNIT}`;
      for (let column = 0; column <= w; column += 1) path += `M${column * UNIT} 0V${t * UNIT}`;
      this.ground.append(s("path", { d: path, class: "grid" }));
      for (const star of layout.stars) {
        const [x, y] = this.xy(star);
        this.ground.append(s("circle", { cx: x, cy: y, r: UNIT * 0.085, class: "star" }));
      }
    } else if (layout.style === "squares" || layout.style === "holes") {
      cells.forEach(([x, y]) => {
        this.ground.append(layout.style === "holes"
          ? s("circle", { cx: x * UNIT, cy: y * UNIT, r: UNIT * 0.42, class: "hole" })
          : s("rect", { x: (x - 0.5) * UNIT, y: (y - 0.5) * UNIT, width: UNIT, height: UNIT, class: (x + y) % 2 ? "square odd" : "square" }));
      });
    } else if (layout.style === "hexes") {
      for (const { from, to, player } of layout.sides ?? []) {
        const out = [(to[1] - from[1]), -(to[0] - from[0])], length = Math.hypot(...out) || 1;
        const [dx, dy] = out.map((v) => 0.86 * v / length);
        this.ground.append(s("line", { x1: (from[0] + dx) * UNIT, y1: (from[1] + dy) * UNIT, x2: (to[0] + dx) * UNIT,
          y2: (to[1] + dy) * UNIT, class: `side p${player}` }));
      }
      for (const [x, y] of cells) {
        const points = HEX.map(([cx, cy]) => `${(x + cx * 0.577) * UNIT},${(y + cy * 0.577) * UNIT}`).join(" ");
        this.ground.append(s("polygon", { points, class: "hex" }));
      }
    }
    const [w, t] = [layout.width ?? 0, layout.height ?? 0];
    (layout.columns ?? []).forEach((letter, x) => {
      this.ground.append(text(x, t - 1 + 0.77, letter));
      if (layout.style === "lines") this.ground.append(text(x, -0.74, letter));
    });
    (layout.rows ?? []).forEach((name, y) => {
      this.ground.append(text(-0.75, y, name));
      if (layout.style === "lines") this.ground.append(text(w - 1 + 0.75, y, name));
    });
    if (layout.style === "hexes") this.#hexNames(text);
  }

  #hexNames(text) {
    const { cells, names } = this.layout, rows = new Map();
    cells.forEach(([x, y], i) => {
      if (!rows.has(y) || rows.get(y)[0] > x) rows.set(y, [x, names[i]]);
    });
    const out = this.layout.sides ? 1.5 : 1.05, top = Math.min(...rows.keys());
    for (const [y, [x, name]] of rows) this.ground.append(text(x - out, y, name.slice(1)));
    if (this.layout.sides) return cells.forEach(([x, y], i) => y === top && this.ground.append(text(x - 0.3, y - out + 0.15, names[i][0])));
    const ends = new Map(names.map((name, i) => [name[0], cells[i]])); // the last of a letter is the lowest
    for (const [letter, [x, y]] of ends) this.ground.append(text(x + 0.3, y + 1, letter));
  }

  // What the position is; `overlays` replaces those of before where given.
  show(position, overlays) {
    this.position = position;
    this.selected = null;
    const owner = position.owner;
    for (let cell = 0; cell < owner.length; cell += 1) {
      const before = this.drawn.get(cell);
      if ((before?.sign ?? ".") === owner[cell]) continue;
      before?.element.remove();
      if (owner[cell] === ".") this.drawn.delete(cell);
      else {
        const element = this.#stone(cell, owner[cell]);
        this.stones.append(element);
        this.drawn.set(cell, { sign: owner[cell], element });
      }
    }
    this.svg.classList.toggle("over", position.over);
    if (overlays) this.overlays = overlays;
    this.redraw();
    this.#drawList();
    this.element.setAttribute("aria-label", this.#summary());
  }

  #summary() {
    const { position, layout } = this;
    const counts = [0, 1].map((p) => `${layout.players[p]} ${[...position.owner].filter((o) => o === String(p)).length}`);
    const turn = position.over ? T.board.over : T.board.turn(layout.players[position.turn]);
    return `${T.board.role}. ${turn}. ${T.board.stones}: ${counts.join(", ")}.`;
  }

  #stone(cell, owner, more = "") {
    const [x, y] = this.xy(cell), { style } = this.layout;
    const r = UNIT * (style === "lines" ? 0.475 : style === "hexes" ? 0.4 : 0.4);
    return s("g", { class: `stone p${owner}${more}` },
      s("circle", { cx: x + UNIT * 0.03, cy: y + UNIT * 0.055, r, class: "shade" }),
      s("circle", { cx: x, cy: y, r, fill: `url(#${this.id}-${owner})`, class: "body" }));
  }

  redraw() {
    const { overlays, position } = this, below = [], above = [];
    if (!position) return;
    const add = (list, element) => list.push(element);
    for (const [cell, value, kind] of overlays.heat ?? []) {
      const [x, y] = this.xy(cell), size = UNIT * (kind === "owner" ? 0.34 : 0.92);
      add(kind === "owner" ? above : below, s("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 3,
        class: `heat ${kind} ${value < 0 ? "minus" : "plus"}`, opacity: Math.min(0.92, Math.abs(value)).toFixed(2) }));
    }
    for (const cell of overlays.dead ?? []) {
      const [x, y] = this.xy(cell), d = UNIT * 0.2;
      add(above, s("path", { d: `M${x - d} ${y - d}L${x + d} ${y + d}M${x + d} ${y - d}L${x - d} ${y + d}`, class: "dead" }));
    }
    for (const c of overlays.candidates ?? []) add(above, this.#candidate(c));
    for (const m of overlays.marks ?? []) add(above, this.#mark(m));
    if (!(overlays.noLast)) {
      const has = new Set((overlays.marks ?? []).map((m) => m.cell));
      for (const cell of position.last) if (!has.has(cell)) add(above, this.#last(cell));
    }
    this.below.replaceChildren(...below);
    this.above.replaceChildren(...above);
    this.showLine(overlays.line);
  }

  #last(cell) {
    const [x, y] = this.xy(cell), owner = this.position.owner[cell];
    return s("circle", { cx: x, cy: y, r: UNIT * (this.position.last.length > 1 ? 0.3 : 0.21), class: `last on${owner}` });
  }

  #candidate({ cell, strength, rank, first, second }) {
    const [x, y] = this.xy(cell), r = UNIT * 0.45;
    return s("g", { class: `candidate ${rank === 0 ? "best" : ""}` },
      s("circle", { cx: x, cy: y, r, opacity: (0.55 + 0.45 * strength).toFixed(2) }),
      s("text", { x, y: second ? y - UNIT * 0.09 : y, class: "first" }, first),
      second && s("text", { x, y: y + UNIT * 0.2, class: "second" }, second));
  }

  #mark({ cell, kind, text }) {
    const [x, y] = this.xy(cell), r = UNIT * 0.27, owner = this.position.owner[cell];
    const style = { class: `mark on${owner === "." ? "empty" : owner}` };
    if (kind === "TR") return s("path", { ...style, d: `M${x} ${y - r}L${x + r * 0.87} ${y + r / 2}H${x - r * 0.87}Z` });
    if (kind === "SQ") return s("rect", { ...style, x: x - r * 0.75, y: y - r * 0.75, width: r * 1.5, height: r * 1.5 });
    if (kind === "CR") return s("circle", { ...style, cx: x, cy: y, r: r * 0.85 });
    if (kind === "MA") {
      const d = r * 0.7;
      return s("path", { ...style, d: `M${x - d} ${y - d}L${x + d} ${y + d}M${x + d} ${y - d}L${x - d} ${y + d}` });
    }
    if (kind === "child") return s("circle", { class: "child", cx: x, cy: y, r: UNIT * 0.13 });
    if (kind === "hint") return s("g", { class: "hint" }, s("circle", { cx: x, cy: y, r: UNIT * 0.4 }), s("text", { x, y }, text));
    const plate = owner === "." && kind === "LB" ? s("circle", { cx: x, cy: y, r: UNIT * 0.36, class: "plate" }) : null;
    return s("g", { class: `${style.class} label` }, plate, s("text", { x, y, class: text.length > 2 ? "long" : "" }, text));
  }

  // A line of play as transparent stones with numbers: [[cell, owner], ...].
  showLine(line) {
    this.ghost.replaceChildren(...(line ?? []).map(([cell, owner], i) => {
      const [x, y] = this.xy(cell), stone = this.#stone(cell, owner, " pale");
      stone.append(s("text", { x, y, class: `number on${owner}` }, String(i + 1)));
      return stone;
    }));
  }

  // --- pointing -----------------------------------------------------------------------------------------------------

  cellAt(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix || !this.layout) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    let best = null, nearest = 0.62 * UNIT;
    this.layout.cells.forEach(([x, y], cell) => {
      const distance = Math.hypot(x * UNIT - point.x, y * UNIT - point.y);
      if (distance < nearest) [best, nearest] = [cell, distance];
    });
    return best;
  }

  #pointed(event) {
    const cell = this.cellAt(event);
    if (cell === null) return;
    const isCoarse = matchMedia("(pointer: coarse)").matches, pixels = this.svg.getBoundingClientRect().width / Math.sqrt(this.layout.cells.length);
    if (isCoarse && pixels < 30 && this.layout.style === "lines" && this.canPlay && this.pending !== cell) {
      this.pending = cell;  // fingers are wider than points: the second touch is the move
      this.#hover(cell);
      return;
    }
    this.pending = null;
    this.choose(cell, event);
  }

  choose(cell, event) {
    if (this.act.onCell?.(cell, event)) return;
    if (!this.canPlay || !this.position || this.position.over) return;
    const { position } = this;
    if (position.legal) return this.act.onMove?.(cell, cell);
    const target = position.targets.find(([at]) => at === cell);
    if (target) return this.act.onMove?.(target[1], cell);
    const path = this.selected !== null && position.paths.find(([from, to]) => from === this.selected && to === cell);
    if (path) return this.act.onMove?.(path[2], cell);
    this.selected = position.paths.some(([from]) => from === cell) ? cell : null;
    const ends = this.selected === null ? [] : position.paths.filter(([from]) => from === cell).map(([, to]) => to);
    this.below.replaceChildren(...[cell, ...ends].slice(this.selected === null ? 1 : 0).map((c) => {
      const [x, y] = this.xy(c);
      return s("circle", { cx: x, cy: y, r: UNIT * 0.47, class: "chosen" });
    }));
  }

  #hover(cell) {
    if (cell === this.hovered) return;
    this.hovered = cell;
    this.act.onHover?.(cell);
    if (this.overlays.line) return;
    const { position } = this;
    const isLegal = cell !== null && position && !position.over && this.canPlay && position.owner[cell] === "."
      && (position.legal ? position.legal[cell] === "1" : position.targets.some(([at]) => at === cell));
    this.ghost.replaceChildren(...(isLegal && this.layout.style !== "holes" ? [this.#stone(cell, position.turn, " pale")] : []));
  }

  #key(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way && !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey && this.layout.cells.length) {
      this.#step(way);
    } else if ((event.key === "Enter" || event.key === " ") && this.cursor !== null) {
      this.choose(this.cursor, event);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #step([dx, dy]) {
    const { cells } = this.layout;
    if (this.cursor === null) return this.#setCursor(Math.floor(cells.length / 2));
    const [x, y] = cells[this.cursor];
    let best = null, least = Infinity;
    cells.forEach(([cx, cy], cell) => {
      const along = (cx - x) * dx + (cy - y) * dy, aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
      if (along > 0.2 && along + 2.2 * aside < least) [best, least] = [cell, along + 2.2 * aside];
    });
    if (best !== null) this.#setCursor(best);
  }

  #setCursor(cell) {
    this.cursor = cell;
    this.svg.querySelector(".cursor")?.remove();
    if (cell === null) return;
    const [x, y] = this.xy(cell), r = UNIT * 0.46;
    this.svg.append(s("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: 4, class: "cursor" }));
    this.act.onHover?.(cell);
    const owner = this.position?.owner[cell];
    announce(`${this.layout.names[cell]}, ${owner === "." || owner === undefined ? T.board.empty : this.layout.players[owner]}${
      this.position?.last.includes(cell) ? `, ${T.board.last}` : ""}`);
  }

  // Games without a board are their own text and a row of buttons.
  #drawList() {
    const { moves, text } = this.position;
    this.element.hidden = !!moves;
    this.list.replaceChildren(...(text ? [h("pre", { class: "own-board", tabindex: "0", "aria-label": T.board.role }, text)] : []),
      ...(moves ?? []).map(([move, name]) => h("button", { type: "button", disabled: !this.canPlay, onclick: () => this.act.onMove?.(move, null) }, name)));
  }
}
