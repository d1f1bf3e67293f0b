// See the search: one or two searches of a position, their moves, graphs and how their opinions changed.

import { at } from "./app.js";
import { Board } from "./board.js";
import { LineChart } from "./chart.js";
import { buttons, choice, complain, field, h, number, panel } from "./dom.js";
import { T } from "./texts.js";
import { ask, on } from "./wire.js";

const LINES = 5, EDGES = 16;

export async function open(place, [id]) {
  const room = new SearchRoom(place);
  room.offered = await ask("search.offer");
  if (id) room.enter(await ask("search.enter", { id }));
  else room.offer();
  return room;
}

class SearchRoom {
  constructor(place) {
    this.place = place;
    on("search", (event) => event.id === this.id && this.hear(event));
  }

  leave() {
    if (this.id) ask("search.leave", { id: this.id }).catch(() => {});
    this.id = null;
  }

  offer() {
    const wish = { game: "go", size: 9, breadth: 3, depth: 10, seed: 1 }, { games, saved } = this.offered;
    const form = h("form", { class: "panel form", onsubmit: async (event) => {
      event.preventDefault();
      const setup = wish.game === "pgame" ? { game: "pgame", breadth: wish.breadth, depth: wish.depth, seed: wish.seed } : { game: wish.game, size: wish.size };
      this.enter(await ask("search.new", { setup }));
    } });
    const draw = () => {
      const game = games.find((g) => g.game === wish.game);
      const numberField = (name, least, most) => field(T.search[name], h("input", { type: "number", min: least, max: most, value: wish[name], onchange: (e) => { wish[name] = Number(e.target.value); } }));
      form.replaceChildren(...[h("h2", {}, T.search.new), h("p", { class: "soft" }, T.search.hint),
        field(T.play.game, choice(games.map((g) => [g.game, g.title]), wish.game, (value) => {
          wish.game = value;
          wish.size = games.find((g) => g.game === value).own;
          draw();
        }, { id: "game" })),
        game.sizes.length > 0 && field(T.play.size, choice(game.sizes.map((n) => [n, n]), wish.size, (value) => { wish.size = Number(value); }, { id: "size" })),
        ...(wish.game === "pgame" ? [numberField("breadth", 2, 20), numberField("depth", 1, 40), numberField("seed", 0, 1e9)] : []),
        h("button", { type: "submit", class: "main", id: "begin" }, T.play.begin)].filter(Boolean));
    };
    draw();
    const list = h("ul", { class: "documents" }, saved.map(({ id, title, changed_at: when }) => h("li", {}, h("a", { href: `#/search/${id}` }, title),
      h("small", {}, new Date(1000 * when).toLocaleDateString()),
      h("button", { type: "button", class: "quiet", "aria-label": `${T.common.remove}: ${title}`, onclick: async (event) => {
        await ask("search.delete", { id });
        event.target.closest("li").remove();
      } }, "×"))));
    this.place.replaceChildren(h("div", { class: "two" }, form, panel(T.search.saved, saved.length ? list : h("p", { class: "soft" }, T.search.noSaved))));
  }

  enter(opened) {
    this.id = opened.id;
    at("search", this.id);
    this.state = opened;
    this.board = opened.layout ? new Board({ onMove: (move) => this.do("search.play", { move }) }) : null;
    this.board?.setLayout(opened.layout);
    this.configs = h("div");
    this.results = h("div", { class: "twin" });
    this.differences = h("div");
    this.moves = h("p", { class: "soft" });
    this.runButton = h("button", { type: "button", class: "main", id: "run", onclick: () => this.do(this.state.running.length ? "search.stop" : "search.run") });
    const left = this.board ? [this.board.element, this.board.list, this.moves, buttons([T.search.back, () => this.do("search.back")], [T.search.all, () => { location.hash = "#/search"; }])]
      : [panel(opened.title, h("p", { class: "soft" }, T.search.fromFile), buttons([T.search.all, () => { location.hash = "#/search"; }]))];
    this.place.replaceChildren(h("div", { class: "table" }, h("div", { class: "side-a" }, left), h("div", { class: "side-b" }, this.board && panel(opened.title, this.configs, h("div", { class: "buttons" }, this.runButton)), this.differences)), this.results);
    this.sideViews = [];
    this.hear(opened);
    this.#drawConfigs();
  }

  hear(event) {
    if (event.remark) complain(event.remark);
    if (event.now) {
      const found = [...(this.state.found ?? [])];
      found[event.side] = event.now;
      this.state = { ...this.state, found };
    } else this.state = { ...this.state, ...event };
    if (event.sides) this.#drawConfigs();
    if (event.position || event.found || event.now) this.#drawBoard();
    this.runButton.textContent = this.state.running.length ? T.search.stop : T.search.run;
    this.#drawResults();
  }

  #drawBoard() {
    if (!this.board) return;
    const found = this.state.found?.[0], names = new Map(this.state.layout.names.map((name, cell) => [name.toLowerCase(), cell])), most = found?.moves[0]?.visits ?? 1;
    const cellOf = (row) => this.state.game === "connect4" ? this.state.position.targets.filter(([, move]) => move === row.move).map(([cell]) => cell).find((cell) => this.state.position.owner[cell] === ".")
      : this.state.position.paths?.find(([, , move]) => move === row.move)?.[1] ?? names.get(row.name.toLowerCase());
    const candidates = (found?.moves ?? []).filter((row) => row.visits > most / 60).map((row, rank) => ({ cell: cellOf(row), strength: row.visits / most, rank, first: String(Math.round(100 * row.value)), second: row.visits >= 1000 ? `${(row.visits / 1000).toFixed(1)}k` : String(row.visits) }));
    const seen = new Set();
    this.board.show(this.state.position, { candidates: candidates.filter(({ cell }) => cell !== undefined && !seen.has(cell) && seen.add(cell)) });
    this.moves.textContent = this.state.moves.join(" ");
  }

  // --- configs --------------------------------------------------------------------------------------------------------

  #drawConfigs() {
    if (!this.board) return;
    const sides = structuredClone(this.state.sides), presets = this.offered.presets[this.state.game] ?? ["default"];
    const send = () => this.do("search.configure", { sides, simulations: Number(simulations.value) });
    const simulations = h("input", { type: "number", min: 1, max: 5000000, step: 1000, value: this.state.simulations, onchange: send, id: "simulations" });
    const one = (side, i) => h("fieldset", {}, h("legend", {}, T.search.config(i + 1)),
      field(T.search.preset, choice(presets.map((p) => [p, p]), side.preset, (value) => { side.preset = value; send(); }, { id: `preset-${i}` })),
      Object.entries(side.settings).map(([name, value]) => h("div", { class: "row" }, h("span", {}, name), h("input", { type: "text", value, "aria-label": name, onchange: (e) => {
        if (e.target.value.trim()) side.settings[name] = e.target.value.trim();
        else delete side.settings[name];
        send();
      } }))),
      this.#adder(side, send));
    this.configs.replaceChildren(...sides.map(one), field(T.search.simulations, simulations),
      buttons(sides.length === 1 ? [T.search.compare, () => { sides.push(structuredClone(sides[0])); send(); }, { id: "compare" }] : [T.search.single, () => { sides.pop(); send(); }]));
  }

  #adder(side, send) {
    const hint = h("small"), { parameters } = this.offered;
    const name = choice([["", "…"], ...parameters.filter((p) => !(p.name in side.settings)).map((p) => [p.name, p.name])], "", (value) => {
      const chosen = parameters.find((p) => p.name === value);
      hint.textContent = chosen ? chosen.meaning + (chosen.choices.length ? ` (${chosen.choices.join(", ")})` : "") : "";
    }, { "aria-label": T.search.parameter });
    const value = h("input", { type: "text", "aria-label": T.search.value, placeholder: T.search.value });
    return h("details", {}, h("summary", {}, T.search.add), h("div", { class: "row" }, name, value, h("button", { type: "button", onclick: () => {
      if (!name.value || !value.value.trim()) return;
      side.settings[name.value] = value.value.trim();
      send();
    } }, "+")), hint);
  }

  // --- results --------------------------------------------------------------------------------------------------------

  #drawResults() {
    const found = (this.state.found ?? []).map((f) => f ?? null);
    while (this.sideViews.length > found.length) this.sideViews.pop();
    while (this.sideViews.length < found.length) this.sideViews.push(new SideView(this.sideViews.length));
    found.forEach((f, i) => f && this.sideViews[i].show(f));
    const elements = this.sideViews.map((view) => view.element);
    if ([...this.results.children].some((c, i) => c !== elements[i]) || this.results.children.length !== elements.length) this.results.replaceChildren(...elements);
    this.#drawDifferences(found);
  }

  #drawDifferences(found) {
    const [a, b] = found;
    if (!a?.moves?.length || !b?.moves?.length) return this.differences.replaceChildren();
    const share = (f) => { const all = f.moves.reduce((sum, m) => sum + m.visits, 0); return new Map(f.moves.map((m) => [m.name, [m.visits / all, m.value]])); };
    const [x, y] = [share(a), share(b)];
    const rows = [...new Set([...x.keys(), ...y.keys()])].map((name) => ({ name, a: x.get(name), b: y.get(name), by: Math.abs((x.get(name)?.[0] ?? 0) - (y.get(name)?.[0] ?? 0)) })).sort((p, q) => q.by - p.by).slice(0, 8);
    const cell = (v) => h("td", { class: "n" }, v === undefined ? "–" : v);
    return this.differences.replaceChildren(panel(T.search.differ, h("p", { class: "status" }, a.best === b.best ? T.search.agree(a.best) : T.search.disagree(a.best, b.best)),
      h("table", { id: "differences" }, h("thead", {}, h("tr", {}, [T.search.columns[0], T.search.share(1), T.search.share(2), T.search.valueOf(1), T.search.valueOf(2)].map((t, i) => h("th", { scope: "col", class: i ? "n" : "" }, t)))),
        h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.name), cell(row.a && `${Math.round(100 * row.a[0])} %`), cell(row.b && `${Math.round(100 * row.b[0])} %`), cell(row.a?.[1].toFixed(2)), cell(row.b?.[1].toFixed(2))))))));
  }

  do(command, more = {}) { return ask(command, { id: this.id, ...more }).catch((error) => complain(error.message)); }
}

class SideView {
  constructor(index) {
    this.head = h("p", { class: "status", role: "status" });
    this.facts = h("p", { class: "soft" });
    this.table = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": T.search.config(index + 1) });
    this.shares = new LineChart({ label: T.search.over, height: 130, middle: null });
    this.values = new LineChart({ label: T.search.values, height: 130 });
    this.key = h("div", { class: "key" });
    this.depths = h("div", { class: "histogram", role: "img", "aria-label": T.search.depths });
    this.graph = h("div", { class: "graph" });
    this.charts = h("div", {}, h("h3", {}, T.search.over), this.shares.element, this.key, h("h3", {}, T.search.values), this.values.element, h("h3", {}, T.search.depths), this.depths);
    this.element = panel(T.search.config(index + 1), this.head, this.facts, this.table, this.charts, h("h3", {}, T.search.tree), h("p", { class: "soft" }, T.search.treeHint), this.graph);
    this.opened = new Set([""]);
  }

  show(found) {
    if (this.shown === found) return;
    this.shown = found;
    this.charts.hidden = !found.history;
    this.facts.textContent = T.search.facts(number(found.simulations), number(found.speed ?? 0), number(found.nodes), ((found.bytes ?? 0) / 1e6).toFixed(1));
    if (found.history) {
      this.head.textContent = T.search.best(found.best, found.value.toFixed(3)) + (found.proof ? ` · ${T.search.proved(found.proof)}` : "");
      this.#drawTable(found);
      this.#drawCharts(found);
    }
    this.#drawGraph(found.graph);
  }

  #drawTable(found) {
    this.table.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, T.search.columns.map((t, i) => h("th", { scope: "col", class: i > 0 && i < 5 ? "n" : "" }, t)))), h("tbody", {}, found.moves.map((m) => h("tr", {},
      h("th", { scope: "row" }, m.name), h("td", { class: "n" }, number(m.visits)), h("td", { class: "n" }, m.proof ? T.search.proofs[m.proof] : m.value.toFixed(3)), h("td", { class: "n" }, m.amaf === null ? "" : m.amaf.toFixed(2)),
      h("td", { class: "n" }, m.prior ? m.prior.toFixed(2) : ""), h("td", { class: "soft pv" }, m.line.slice(1, 7).join(" ")))))));
  }

  #drawCharts({ history, moves, depths }) {
    const shown = moves.slice(0, LINES), last = history.at(-1).n, all = (moment) => Object.values(moment.moves).reduce((sum, [v]) => sum + v, 0) || 1;
    const series = (pick) => shown.map(({ move }, i) => ({ class: `c${i}`, points: history.filter((m) => m.moves[move]).map((m) => [m.n, pick(m, m.moves[move])]) }));
    this.shares.show(series((moment, [visits]) => visits / all(moment)), { x0: 0, x1: last });
    this.values.show(series((_moment, [, value]) => value), { x0: 0, x1: last });
    this.key.replaceChildren(...shown.map(({ name }, i) => h("span", { class: `c${i}` }, name)));
    const most = Math.max(1, ...depths), end = depths.findLastIndex((d) => d > 0) + 1;
    this.depths.replaceChildren(...depths.slice(0, end).map((d, i) => {
      const bar = h("i", { title: `${i}: ${number(d)}` });
      bar.style.height = `${100 * d / most}%`;
      return bar;
    }));
  }

  #drawGraph(graph) {
    const branch = (node, path) => {
      const rows = [], mover = graph.mover[node], end = Math.min(graph.first[node] + EDGES, graph.first[node + 1]);
      let [more, visits] = [graph.moreMoves[node], graph.moreVisits[node]];
      for (let edge = end; edge < graph.first[node + 1]; edge += 1) [more, visits] = [more + 1, visits + graph.edgeVisits[edge]];
      for (let edge = graph.first[node]; edge < end; edge += 1) {
        const child = graph.child[edge], name = graph.names[graph.move[edge]], key = `${path}/${name}`, share = graph.edgeVisits[edge] / Math.max(1, graph.walks[node]);
        const value = graph.mean[edge] < 0 ? "" : ((mover === 0 ? graph.mean[edge] : 1000 - graph.mean[edge]) / 1000).toFixed(3), proof = graph.proof[edge];
        const meter = h("span", { class: "meter", "aria-hidden": "true" }, h("i"));
        meter.firstChild.style.width = `${100 * share}%`;
        const isLeaf = graph.first[child] === graph.first[child + 1];
        const row = h("details", { class: isLeaf ? "leaf" : "", open: this.opened.has(key) }, h("summary", {}, h("b", {}, name), meter, h("span", { class: "n" }, number(graph.edgeVisits[edge])), h("span", { class: "n" }, proof ? T.search.proofs[proof] : value)));
        const fill = () => row.childElementCount === 1 && row.append(...branch(child, key));
        row.addEventListener("toggle", () => {
          if (row.open) { this.opened.add(key); fill(); } else this.opened.delete(key);
        });
        if (this.opened.has(key)) fill();
        rows.push(row);
      }
      if (more > 0) rows.push(h("small", {}, T.search.more(more, visits)));
      return rows;
    };
    this.graph.replaceChildren(...branch(0, ""));
  }
}
