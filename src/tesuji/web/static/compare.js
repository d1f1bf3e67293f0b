// Compare: stores of matches, live; start, pause and resume; games replayed.

import { at } from "./app.js";
import { Board } from "./board.js";
import { bars } from "./chart.js";
import { buttons, choice, complain, field, h, panel, percent } from "./dom.js";
import { T } from "./texts.js";
import { ask, on } from "./wire.js";

export async function open(place, [name]) {
  const room = new CompareRoom(place);
  if (name) room.enter(await ask("compare.enter", { name }));
  else await room.offer();
  return room;
}

const round = (x, digits = 0) => (x === null || x === undefined || !Number.isFinite(x) ? T.compare.infinite : x.toFixed(digits));

class CompareRoom {
  constructor(place) {
    this.place = place;
    on("compare", (event) => event.name === this.name && this.show(event));
  }

  leave() {
    if (this.name) ask("compare.leave", { name: this.name }).catch(() => {});
    this.name = null;
  }

  async offer() {
    const offer = await ask("compare.offer");
    const list = h("ul", { class: "documents" }, offer.stores.map((store) => h("li", {}, h("a", { href: `#/compare/${encodeURIComponent(store.name)}` }, store.name),
      h("small", {}, `${T.compare.players(store.players)} · ${T.compare.games(store.games)}${store.running ? ` · ${T.compare.running}` : ""}`))));
    this.place.replaceChildren(h("div", { class: "two" }, this.#form(offer), panel(T.compare.stores, offer.stores.length ? list : h("p", { class: "soft" }, T.compare.noStores))));
  }

  #form(offer) {
    if (!offer.players.length) return panel(T.compare.new, h("p", {}, T.compare.noPlayers), h("pre", {}, T.compare.example));
    const wish = { name: `match ${offer.stores.length + 1}`, game: "go", size: 9, games: 20, openings: "random:4", players: new Set(offer.players.slice(0, 2)), sprt: false, elo0: 0, elo1: 20 };
    const form = h("form", { class: "panel form", onsubmit: async (event) => {
      event.preventDefault();
      const { sprt, elo0, elo1, players, ...rest } = wish;
      try {
        const { name } = await ask("compare.start", { ...rest, players: [...players], ...(sprt ? { elo0, elo1 } : {}) });
        location.hash = `#/compare/${encodeURIComponent(name)}`;
      } catch (error) { complain(error.message); }
    } });
    const input = (name, type, more = {}) => h("input", { type, value: wish[name], id: `match-${name}`, onchange: (e) => { wish[name] = type === "number" ? Number(e.target.value) : e.target.value; }, ...more });
    const check = (label, checked, onchange) => h("label", { class: "check" }, h("input", { type: "checkbox", checked, onchange: (e) => onchange(e.target.checked) }), label);
    const draw = () => {
      const game = offer.games.find((g) => g.game === wish.game);
      form.replaceChildren(...[h("h2", {}, T.compare.new), field(T.compare.name, input("name", "text", { maxlength: 60 })),
        h("fieldset", {}, h("legend", {}, T.compare.who), offer.players.filter((name) => wish.game === "go" || offer.kinds[name] !== "gtp").map((name) => check(name, wish.players.has(name), (isOn) => { if (isOn) wish.players.add(name); else wish.players.delete(name); draw(); }))),
        field(T.play.game, choice(offer.games.map((g) => [g.game, g.title]), wish.game, (value) => { wish.game = value; wish.size = offer.games.find((g) => g.game === value).own; draw(); })),
        game.sizes.length > 0 && field(T.play.size, choice(game.sizes.map((n) => [n, n]), wish.size, (value) => { wish.size = Number(value); })),
        field(T.compare.count, input("games", "number", { min: 2, max: 100000, step: 2 })),
        field(T.compare.openings, choice([["empty", T.compare.empty], ["random:4", T.compare.random]], wish.openings, (value) => { wish.openings = value; })),
        wish.players.size === 2 && check(T.compare.sprt, wish.sprt, (isOn) => { wish.sprt = isOn; draw(); }),
        wish.sprt && wish.players.size === 2 && h("div", { class: "row" }, field(T.compare.elo0, input("elo0", "number")), field(T.compare.elo1, input("elo1", "number"))),
        h("button", { type: "submit", class: "main", id: "start", disabled: wish.players.size < 2 }, T.compare.begin)].filter(Boolean));
    };
    draw();
    return form;
  }

  enter(report) {
    this.name = report.name;
    at("compare", this.name);
    this.main = h("div");
    this.replayPlace = h("div", { class: "side-a" });
    this.place.replaceChildren(h("div", { class: "table" }, this.main, this.replayPlace));
    this.show(report);
  }

  show(report) {
    const scroll = this.main.querySelector("#games")?.scrollTop ?? 0;
    const head = panel(report.name, h("p", { class: "status", role: "status" }, `${report.standings ? T.compare.progress(report.standings.games, report.total) : ""} · ${report.running ? T.compare.running : T.compare.paused}`),
      report.standings && this.#gauge(report.standings.games / report.total), report.error && h("p", {}, report.error), report.failure && h("p", { class: "bad" }, report.failure),
      buttons(report.running ? [T.compare.pause, () => this.do("compare.pause"), { id: "pause" }] : [T.compare.resume, () => this.do("compare.resume"), { id: "resume", disabled: report.standings && report.standings.games >= report.total }],
        [T.compare.all, () => { location.hash = "#/compare"; }]));
    this.main.replaceChildren(head, ...(report.standings ? this.#standings(report) : []));
    const games = this.main.querySelector("#games");
    if (games) games.scrollTop = scroll;
  }

  #gauge(share) {
    const gauge = h("div", { class: "gauge" }, h("i"));
    gauge.firstChild.style.width = `${100 * Math.min(1, share)}%`;
    return gauge;
  }

  #standings({ standings: s, tuned, games }) {
    if (!s.games) return [panel(null, h("p", { class: "soft" }, T.compare.noGames))];
    const known = s.ratings.filter((r) => Number.isFinite(r.elo) && r.elo !== null);
    const n = (x) => h("td", { class: "n" }, x);
    return [
      s.elo && panel(null, h("p", { class: "status" }, T.compare.elo(s.players[0].name, round(s.elo.elo), round(s.elo.low), round(s.elo.high))), s.sprt && this.#llr(s.sprt)),
      known.length > 0 && panel(T.compare.ratings, bars(known.map((r) => ({ name: r.name, value: r.elo, low: Number.isFinite(r.low) ? r.low : r.elo, high: Number.isFinite(r.high) ? r.high : r.elo, text: round(r.elo) })), T.compare.ratings)),
      tuned && panel(T.compare.tuned, h("table", {}, h("thead", {}, h("tr", {}, T.compare.tunedColumns.map((t) => h("th", { scope: "col" }, t)))), h("tbody", {}, Object.keys(tuned.values).map((name) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, String(tuned.start[name])), h("td", {}, String(tuned.values[name]))))))),
      panel(T.compare.standings, h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": T.compare.standings }, h("table", {}, h("thead", {}, h("tr", {}, T.compare.columns.map((t, i) => h("th", { scope: "col", class: i ? "n" : "" }, t)))), h("tbody", {}, s.players.map((p) => h("tr", {}, h("th", { scope: "row" }, p.name), n(p.games), n(p.wins), n(p.draws), n(p.losses), n(percent(p.rate)), n(`${percent(p.low)} – ${percent(p.high)}`), n(round(p.seconds_per_move, 2)))))))),
      s.players.length > 2 && panel(T.compare.cross, this.#cross(s)),
      panel(T.compare.reasons, h("p", {}, Object.entries(s.reasons).map(([reason, count]) => `${reason} ${count}`).join(", "))),
      panel(T.compare.list, h("div", { class: "scroll", id: "games", tabindex: "0", role: "region", "aria-label": T.compare.list }, h("table", {}, h("thead", {}, h("tr", {}, T.compare.gameColumns.map((t, i) => h("th", { scope: "col", class: i === 4 ? "n" : "" }, t)))),
        h("tbody", {}, games.map(([index, first, second, winner, score, reason, length]) => h("tr", { class: "pick", onclick: () => this.#replay(index) },
          h("th", { scope: "row" }, h("button", { type: "button", class: "quiet", "aria-label": `${T.compare.replay} ${index + 1}`, onclick: (e) => { e.stopPropagation(); this.#replay(index); } }, index + 1)), h("td", {}, winner === "first" ? h("b", {}, first) : first), h("td", {}, winner === "second" ? h("b", {}, second) : second), h("td", { title: reason }, score), n(length))))))),
    ].filter(Boolean);
  }

  #llr({ llr, lower, upper, verdict }) {
    const bar = h("div", { class: "llr" }, h("i"));
    bar.firstChild.style.left = `${100 * Math.max(0, Math.min(1, (llr - lower) / (upper - lower)))}%`;
    return h("div", {}, bar, h("p", { class: "soft" }, T.compare.llr(llr.toFixed(2), lower.toFixed(2), upper.toFixed(2), verdict)));
  }

  #cross(s) {
    const names = s.players.map((p) => p.name), of = new Map();
    for (const r of s.crosstable) {
      of.set(`${r.first}\n${r.second}`, `${r.wins + r.draws / 2} – ${r.losses + r.draws / 2}`);
      of.set(`${r.second}\n${r.first}`, `${r.losses + r.draws / 2} – ${r.wins + r.draws / 2}`);
    }
    return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": T.compare.cross }, h("table", {}, h("thead", {}, h("tr", {}, h("td"), names.map((name) => h("th", { scope: "col", class: "n" }, name)))),
      h("tbody", {}, names.map((a) => h("tr", {}, h("th", { scope: "row" }, a), names.map((b) => h("td", { class: "n" }, of.get(`${a}\n${b}`) ?? "")))))));
  }

  async #replay(index) {
    const game = await ask("compare.game", { name: this.name, index });
    const board = new Board({ onCell: () => true });
    board.canPlay = false;
    board.setLayout(game.layout);
    let place = game.positions.length - 1;
    const words = h("p", { class: "soft", role: "status" });
    const draw = () => {
      board.show({ legal: null, targets: [], paths: [], over: false, ...game.positions[place] });
      words.textContent = `${T.compare.move(place, game.positions.length - 1)}${place ? `: ${game.moves[place - 1]}` : ""}`;
    };
    const step = (by) => { place = Math.max(0, Math.min(game.positions.length - 1, place + by)); draw(); };
    const slider = h("input", { type: "range", min: 0, max: game.positions.length - 1, value: place, "aria-label": T.compare.replay, oninput: (e) => { place = Number(e.target.value); draw(); } });
    draw();
    const [, first, second, , score] = game.line;
    this.replayPlace.replaceChildren(h("h2", {}, `${index + 1}: ${first} – ${second}, ${score}`), board.element, words, slider, buttons(["|◀", () => step(-1e6), { "aria-label": T.study.nav.start }], ["◀", () => step(-1), { "aria-label": T.study.nav.back }], ["▶", () => step(1), { "aria-label": T.study.nav.forth }], ["▶|", () => step(1e6), { "aria-label": T.study.nav.end }],
      game.sgf && [T.compare.study, async () => { location.hash = `#/study/${(await ask("study.open", { text: game.sgf })).id}`; }]));
    this.replayPlace.scrollIntoView({ block: "nearest" });
  }

  do(command) { return ask(command, { name: this.name }).catch((error) => complain(error.message)); }
}
