// Study: a record, variations, what the engine thinks of each position.

import { at } from "./app.js";
import { Board } from "./board.js";
import { LineChart } from "./chart.js";
import { announce, buttons, choice, complain, download, field, h, number, panel, percent, pickFile } from "./dom.js";
import { T } from "./texts.js";
import { treeView } from "./tree.js";
import { ask, on } from "./wire.js";

const VIEWS = ["moves", "ownership", "prior", "rave", "criticality", "groups", "none"];
const TOOLS = ["play", "TR", "SQ", "CR", "MA", "letter", "number", "black", "white", "empty"];

export async function open(place, [id]) {
  const room = new StudyRoom(place);
  if (id) room.enter(await ask("study.enter", { id }));
  else await room.offer();
  return room;
}

class StudyRoom {
  constructor(place) {
    this.place = place;
    this.view = "moves";
    this.tool = "play";
    on("study", (event) => event.id === this.id && this.hear(event));
    this.keys = (event) => this.#key(event);
    document.addEventListener("keydown", this.keys);
  }

  leave() {
    document.removeEventListener("keydown", this.keys);
    clearInterval(this.replaying);
    if (this.id) ask("study.leave", { id: this.id }).catch(() => {});
    this.id = null;
  }

  async offer() {
    const { saved } = await ask("study.list");
    const sizes = choice([9, 13, 19, 5, 7, 11].map((n) => [n, `${n}×${n}`]), 19, null, { "aria-label": T.play.size });
    const pasted = h("textarea", { rows: 3, placeholder: "(;FF[4]GM[1]SZ[9]…", "aria-label": T.study.paste, spellcheck: "false" });
    const show = async (of) => { location.hash = `#/study/${(await ask("study.open", of)).id}`; };
    const drop = h("div", { class: "panel drop" }, h("h2", {}, T.study.open), h("p", { class: "soft" }, T.study.drop),
      buttons([T.study.file, () => pickFile(".sgf,.mgt,.txt", (bytes) => show({ bytes }).catch((e) => complain(e.message)), true), { class: "main", id: "open-file" }]),
      field(T.study.paste, pasted), buttons([T.study.openText, () => show({ text: pasted.value }).catch((e) => complain(e.message)), { id: "open-text" }]),
      h("h3", {}, T.study.empty), h("div", { class: "row" }, sizes, h("button", { type: "button", onclick: async () => {
        location.hash = `#/study/${(await ask("study.new", { setup: { game: "go", size: Number(sizes.value) } })).id}`;
      } }, T.study.begin)));
    drop.addEventListener("dragover", (event) => { event.preventDefault(); });
    drop.addEventListener("drop", async (event) => {
      event.preventDefault();
      const file = event.dataTransfer.files[0];
      if (!file) return;
      let text = "";
      for (const byte of new Uint8Array(await file.arrayBuffer())) text += String.fromCharCode(byte);
      show({ bytes: btoa(text) }).catch((error) => complain(error.message));
    });
    const list = h("ul", { class: "documents" }, saved.map(({ id, title, changed_at: when }) => h("li", {}, h("a", { href: `#/study/${id}` }, title),
      h("small", {}, new Date(1000 * when).toLocaleDateString()),
      h("button", { type: "button", class: "quiet", "aria-label": `${T.common.remove}: ${title}`, onclick: async (event) => {
        await ask("study.delete", { id });
        event.target.closest("li").remove();
      } }, "×"))));
    this.place.replaceChildren(h("div", { class: "two" }, drop, panel(T.study.saved, saved.length ? list : h("p", { class: "soft" }, T.study.noSaved))));
  }

  // --- a study ------------------------------------------------------------------------------------------------------

  enter(opened) {
    this.id = opened.id;
    at("study", this.id);
    this.layout = opened.layout;
    this.board = new Board({ onMove: (move) => this.do("study.play", { move }), onCell: (cell) => this.#useTool(cell), onHover: (cell) => this.#hover(cell) });
    this.board.setLayout(opened.layout);
    this.graph = new LineChart({ label: T.study.graph, onPick: (x) => this.#step(x - this.index) });
    this.info = h("p", { class: "soft" });
    this.headline = h("p", { class: "status", role: "status" });
    this.candidates = h("div", { class: "scroll short", tabindex: "0", role: "region", "aria-label": T.study.views.moves });
    this.comment = h("textarea", { rows: 4, "aria-label": T.study.comment, placeholder: T.study.comment, onchange: (e) => this.do("study.comment", { text: e.target.value }) });
    this.treePlace = h("div", { class: "tree-box", tabindex: "0", "aria-label": T.study.tree });
    this.judged = h("div", { class: "scroll short", tabindex: "0", role: "region", "aria-label": T.study.review });
    this.title = h("h2");
    this.about = h("div");
    this.analyseButton = h("button", { type: "button", class: "main", id: "analyse", onclick: () => this.do("study.analyse", { on: !this.state.analysing }) });
    this.reviewButton = h("button", { type: "button", id: "review", onclick: () => this.#review() });
    this.progress = h("span", { class: "soft" });
    this.tools = h("div", { class: "tools", role: "toolbar", "aria-label": T.study.tools }, TOOLS.map((tool) => h("button", { type: "button", class: "quiet tool",
      "data-tool": tool, title: T.study.toolNames[tool], "aria-label": `${T.study.toolSigns[tool]} ${T.study.toolNames[tool]}`, "aria-pressed": String(tool === this.tool),
      onclick: () => this.#setTool(tool) }, T.study.toolSigns[tool])));
    this.solutionPlace = h("div");
    const strength = choice([[200, "200"], [1000, "1,000"], [5000, "5,000"]], 1000, null, { "aria-label": T.study.simulations, id: "strength" });
    this.strength = strength;
    const nav = h("div", { class: "buttons nav" }, [["|◀", "start", -1e6], ["−10", "back10", -10], ["◀", "back", -1], ["▶", "forth", 1], ["+10", "forth10", 10], ["▶|", "end", 1e6]].map(([sign, name, by]) =>
      h("button", { type: "button", "aria-label": `${sign} ${T.study.nav[name]}`, title: T.study.nav[name], onclick: () => this.#step(by) }, sign)));
    this.place.replaceChildren(h("div", { class: "table" },
      h("div", { class: "side-a" }, this.board.element, nav, this.tools),
      h("div", { class: "side-b" },
        panel(null, this.title, this.info, this.headline, this.graph.element,
          h("div", { class: "buttons" }, this.analyseButton, choice(VIEWS.map((v) => [v, T.study.views[v]]), this.view, (v) => this.#setView(v), { "aria-label": T.study.view, id: "view" })),
          this.candidates),
        panel(T.study.comment, this.comment),
        h("details", { class: "panel", open: true }, h("summary", {}, h("h2", {}, T.study.tree)), this.treePlace,
          buttons([T.study.promote, () => this.do("study.promote")], [T.study.remove, () => this.do("study.remove"), { id: "remove" }], [T.study.turn, () => this.do("study.turn")])),
        h("details", { class: "panel", open: Object.keys(opened.judged).length > 0 }, h("summary", {}, h("h2", {}, T.study.review)),
          h("p", { class: "soft" }, T.study.reviewHint), h("div", { class: "buttons" }, this.reviewButton, strength, this.progress), this.judged),
        h("details", { class: "panel" }, h("summary", {}, h("h2", {}, T.study.more)),
          buttons([T.study.playout, () => this.#playout(), { id: "playout" }], [T.study.solve, () => this.#solve(), { id: "solve" }], [T.study.problem, () => this.do("study.problem", { on: !this.state.problem }), { id: "problem" }]),
          this.solutionPlace),
        h("details", { class: "panel" }, h("summary", {}, h("h2", {}, T.study.about)), this.about),
        panel(null, buttons([T.study.save, () => this.#save(), { class: "main", id: "save" }],
          [T.rooms.pictures, () => { location.hash = `#/pictures/${this.id}`; }, { id: "pictures" }], [T.study.all, () => { location.hash = "#/study"; }])))));
    this.analysis = null;
    this.judgedBy = {};
    this.valuesBy = {};
    this.state = {};
    this.hear(opened);
    for (const remark of opened.remarks) this.about.append(h("p", { class: "soft" }, remark));
    this.board.element.focus({ preventScroll: true });
  }

  hear(event) {
    if (event.remark) complain(event.remark);
    if (event.solution) return this.#showSolution(event.solution);
    if (event.analysis) {
      if (event.at !== this.state.at) return;
      this.analysis = event.analysis;
      this.valuesBy[event.at] = [event.analysis.black, event.analysis.score, event.analysis.simulations];
      return this.#drawThoughts();
    }
    const before = this.state;
    this.state = { ...before, ...event };
    if (event.tree) this.tree = event.tree;
    Object.assign(this.valuesBy, event.values ?? {});
    Object.assign(this.judgedBy, event.judged ?? {});
    if (event.position && (event.at !== before.at || event.tree)) {
      this.analysis = event.at === before.at ? this.analysis : null;
      this.groups = null;
      clearInterval(this.replaying);
    }
    if (event.position) this.#drawPlace(before);
    if (event.about) this.#drawAbout();
    if (event.tree || event.position) this.#drawTree();
    if ("comment" in event && document.activeElement !== this.comment) this.comment.value = event.comment;
    this.analyseButton.textContent = this.state.analysing ? T.study.stopAnalysis : T.study.analyse;
    this.analyseButton.setAttribute("aria-pressed", String(Boolean(this.state.analysing)));
    this.reviewButton.textContent = this.state.reviewing ? T.study.stopReview : T.study.startReview;
    this.progress.textContent = event.progress ? T.study.progress(...event.progress) : this.state.reviewing ? this.progress.textContent : "";
    if (event.judged || event.position) this.#drawJudged();
    this.#drawThoughts();
  }

  get index() { return this.state.line.indexOf(this.state.at); }

  #drawPlace(before) {
    const { position, line, problem, verdict, answering } = this.state;
    this.title.textContent = this.state.title;
    const words = [T.study.move(this.index, line.length - 1), T.play.turn(this.layout.players[position.turn]), `${T.play.captured} ${position.captured.join(" : ")}`];
    if (problem) words.push(answering ? T.study.answering : verdict ? T.study.outcomes[verdict] : T.study.tryIt);
    this.info.textContent = words.join(" · ");
    this.board.show(position);
    if (before.at !== undefined && before.at !== this.state.at) announce(`${this.#label(this.state.at)}. ${words[0]}`);
  }

  #label(id) {
    const node = this.tree?.find(([n]) => n === id);
    return node && node[3] ? `${node[2] === "B" ? T.play.black : T.play.white} ${node[3]}` : T.study.start;
  }

  // --- what the engine thinks -----------------------------------------------------------------------------------------

  #drawThoughts() {
    const { analysis, state } = this, said = this.judgedBy[state.at], value = this.valuesBy[state.at];
    const score = (s) => `${s >= 0 ? T.play.black : T.play.white} +${Math.abs(s).toFixed(1)}`;
    this.headline.textContent = analysis ? `${T.play.black} ${percent(analysis.black)} · ${score(analysis.score)}`
      : value ? `${T.play.black} ${percent(value[0])} · ${score(value[1])}` : said ? T.study.marks[said.mark] : state.analysing ? T.study.wait : "";
    const rows = analysis?.moves ?? [];
    this.candidates.replaceChildren(...(rows.length ? [h("table", {}, h("caption", { class: "soft" }, T.study.found(number(analysis.simulations), number(analysis.speed))),
      h("thead", {}, h("tr", {}, [T.study.moveName, T.study.win, T.study.visits, T.study.line].map((t, i) => h("th", { scope: "col", class: i === 1 || i === 2 ? "n" : "" }, t)))),
      h("tbody", {}, rows.map((move) => h("tr", { class: "pick", onmouseenter: () => this.#preview(move), onmouseleave: () => this.#preview(null), onclick: () => this.do("study.play", { move: move.move }) },
        h("th", { scope: "row" }, move.name), h("td", { class: "n" }, percent(move.winrate)), h("td", { class: "n" }, number(move.visits)),
        h("td", { class: "soft pv" }, move.names.slice(1, 7).join(" "))))))] : []));
    this.#drawOverlays();
    this.#drawGraph();
  }

  #drawOverlays() {
    if (this.replaying && this.replay) return;
    const { analysis, state, view } = this, points = this.layout.cells.length;
    const overlays = { marks: [...(state.marks ?? [])], line: this.previewed };
    const taken = new Set(overlays.marks.map((m) => m.cell));
    const map = (values, kind, scale = 1) => values.filter(([cell, v]) => cell < points && Math.abs(v) > 0.02).map(([cell, v]) => [cell, scale * v, kind]);
    if (analysis && view === "moves") {
      const most = analysis.moves[0]?.visits ?? 1;
      overlays.candidates = analysis.moves.filter((m) => m.move < points && !taken.has(m.move) && m.visits > most / 60).map((m, rank) =>
        ({ cell: m.move, strength: m.visits / most, rank, first: String(Math.round(100 * m.winrate)), second: m.visits >= 1000 ? `${(m.visits / 1000).toFixed(1)}k` : String(m.visits) }));
    } else if (analysis && (view === "ownership" || view === "criticality")) {
      const values = analysis[view].map((v, cell) => [cell, v / 100]);
      const most = view === "criticality" ? Math.max(0.05, ...values.map(([, v]) => v)) : 1;
      overlays.heat = map(values, view === "ownership" ? "owner" : "critical", 1 / most);
    } else if (analysis && (view === "prior" || view === "rave")) {
      const values = analysis[view], low = Math.min(...values.map(([, v]) => v)), most = Math.max(...values.map(([, v]) => v));
      overlays.heat = values.map(([cell, v]) => [cell, 0.05 + 0.85 * (v - low) / Math.max(1e-6, most - low), view]);
    } else if (view === "groups" && this.groups) {
      overlays.heat = Object.entries(this.groups).map(([cell, status]) => [Number(cell), 0.75, status]);
    }
    const shown = new Set([...(overlays.candidates ?? []).map((c) => c.cell), ...taken]);
    overlays.marks.push(...(state.children ?? []).filter(({ cell }) => !shown.has(cell)).map(({ cell }) => ({ cell, kind: "child" })));
    this.board.overlays = overlays;
    this.board.redraw();
  }

  #preview(move) {
    const turn = this.state.position.turn, points = this.layout.cells.length, seen = new Set();
    this.previewed = move ? move.line.map((cell, i) => [cell, (turn + i) % 2]).filter(([cell]) => cell < points && !seen.has(cell) && seen.add(cell)) : null;
    this.board.showLine(this.previewed);
  }

  #hover(cell) {
    if (this.view !== "moves" || !this.analysis) return;
    this.#preview(cell === null ? null : this.analysis.moves.find((m) => m.move === cell) ?? null);
  }

  async #setView(view) {
    this.view = view;
    if (view === "groups") this.groups = await ask("study.groups", { id: this.id });
    this.#drawOverlays();
  }

  #drawGraph() {
    const { line } = this.state, win = [], score = [], marks = [];
    const most = Math.max(10, ...line.map((id) => Math.abs(this.valuesBy[id]?.[1] ?? 0)));
    line.forEach((id, x) => {
      const value = this.valuesBy[id], said = this.judgedBy[id];
      if (value) {
        win.push([x, value[0]]);
        score.push([x, 0.5 + value[1] / most / 2]);
      }
      if (said && said.mark !== "good" && value) marks.push({ x, y: value[0], class: said.mark, title: `${x}: ${said.move}, ${T.study.marks[said.mark]}` });
    });
    this.graph.show([{ points: win, class: "win", isArea: true }, { points: score, class: "score" }], { x0: 0, x1: line.length - 1, at: this.index, marks });
  }

  // --- the whole game -------------------------------------------------------------------------------------------------

  #review() {
    if (this.state.reviewing) return this.do("study.stop_review");
    return this.do("study.review", { simulations: Number(this.strength.value) });
  }

  #drawJudged() {
    const rows = this.state.line.map((id, x) => [id, x, this.judgedBy[id]]).filter(([, , said]) => said && said.mark !== "good")
      .sort((a, b) => b[2].loss - a[2].loss).slice(0, 40);
    this.judged.replaceChildren(...(rows.length ? [h("table", {}, h("thead", {}, h("tr", {}, [T.study.moveName, "", T.study.loses, T.study.better].map((t) => h("th", { scope: "col" }, t || h("span", { class: "unseen" }, T.study.kind))))),
      h("tbody", {}, rows.map(([id, x, said]) => h("tr", { class: "pick", onclick: () => this.do("study.go", { node: id }) },
        h("th", { scope: "row" }, h("button", { type: "button", class: "quiet", onclick: (e) => { e.stopPropagation(); this.do("study.go", { node: id }); } }, `${x}. ${said.move}`)),
        h("td", { class: said.mark }, T.study.marks[said.mark]), h("td", { class: "n" }, percent(said.loss)), h("td", { class: "soft" }, said.best_line.slice(0, 3).join(" "))))))] : []));
  }

  // --- tools ------------------------------------------------------------------------------------------------------------

  #setTool(tool) {
    this.tool = tool;
    for (const button of this.tools.children) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
  }

  #useTool(cell) {
    if (this.tool === "play") return false;
    if (["black", "white", "empty"].includes(this.tool)) this.do("study.setup", { point: cell, color: { empty: 0, black: 1, white: 2 }[this.tool] });
    else this.do("study.mark", { point: cell, kind: this.tool });
    return true;
  }

  #step(by) {
    const { line } = this.state, to = Math.max(0, Math.min(line.length - 1, this.index + by));
    if (line[to] !== this.state.at) this.do("study.go", { node: line[to] });
  }

  #key(event) {
    if (event.target.matches("input, textarea, select") || event.ctrlKey || event.metaKey) return;
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -1e6, End: 1e6 }[event.key];
    if (by !== undefined && (event.shiftKey || event.target !== this.board.element || event.key.length > 10 || !event.key.startsWith("Arrow"))) {
      event.preventDefault();
      this.#step(by);
    } else if (event.key === "," || event.key === ".") this.#step(event.key === "," ? -1 : 1);
    else if (event.key === "a") this.do("study.analyse", { on: !this.state.analysing });
    else if (event.key === "Delete") this.do("study.remove");
  }

  #drawTree() {
    if (!this.tree) return;
    treeView(this.treePlace, this.tree, this.state.at, (node) => this.do("study.go", { node }));
  }

  #drawAbout() {
    const { about } = this.state;
    this.about.replaceChildren(...Object.entries(T.study.aboutNames).map(([name, label]) => field(label, h("input", { type: "text", value: about[name] ?? "",
      onchange: (e) => this.do("study.about", { about: { [name]: e.target.value } }) }))));
  }

  // --- playouts and problems ------------------------------------------------------------------------------------------

  async #playout() {
    const { steps, value } = await ask("study.playout", { id: this.id, seed: Math.floor(Math.random() * 2 ** 31) });
    clearInterval(this.replaying);
    this.replay = true;
    let i = 0;
    const words = h("p", { class: "status" });
    this.solutionPlace.replaceChildren(words, buttons([T.study.stopReplay, () => this.#stopReplay()]));
    const next = () => {
      if (i >= steps.length) {
        clearInterval(this.replaying);
        words.textContent = T.study.playoutEnd(steps.length, value > 0.5 ? T.play.black : value < 0.5 ? T.play.white : null);
        return;
      }
      const { move, owner, name, player } = steps[i];
      i += 1;
      this.board.show({ ...this.state.position, owner, last: move < owner.length ? [move] : [], over: true }, {});
      words.textContent = `${i}. ${this.layout.players[player]} ${name}`;
    };
    this.replaying = setInterval(next, 120);
    next();
  }

  #stopReplay() {
    clearInterval(this.replaying);
    this.replaying = 0;
    this.replay = false;
    this.solutionPlace.replaceChildren();
    this.board.show(this.state.position);
    this.#drawOverlays();
  }

  async #solve() {
    this.solutionPlace.replaceChildren(h("p", { class: "soft" }, T.study.solving));
    await ask("study.solve", { id: this.id });
  }

  #showSolution(found) {
    if (found.remark) return this.solutionPlace.replaceChildren(h("p", {}, found.remark));
    const words = found.way === "proved" ? T.study.proved(T.study.outcomes[found.outcome]) : T.study.searched(percent(found.winrate ?? 0));
    this.solutionPlace.replaceChildren(h("p", { class: "status" }, words), h("p", {}, `${T.study.line}: ${found.names.join(" ")}`),
      h("p", { class: "soft" }, T.study.read(found.nodes)));
    this.#preview({ line: found.line });
  }

  async #save() {
    const { text, name } = await ask("study.sgf", { id: this.id });
    download(`${name}.sgf`, text, "text/plain");
  }

  do(command, more = {}) { return ask(command, { id: this.id, ...more }).catch((error) => complain(error.message)); }
}
