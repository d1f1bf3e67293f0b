// Play: a new game, a game, the count at its end.

import { at } from "./app.js";
import { Board } from "./board.js";
import { announce, buttons, choice, complain, download, field, h, number, panel, percent, savePicture, time } from "./dom.js";
import { T } from "./texts.js";
import { ask, on } from "./wire.js";

export async function open(place, [id]) {
  const room = new PlayRoom(place);
  if (id) await room.enter(await ask("play.open", { id }));
  else await room.offer();
  return room;
}

const who = (seat) => {
  const [kind, name] = [seat.split(":")[0], seat.slice(seat.indexOf(":") + 1)];
  return kind === "you" ? T.play.you : kind === "level" ? `Tesuji, ${T.levels[name].toLowerCase()}` : name;
};

class PlayRoom {
  constructor(place) {
    this.place = place;
    on("play", (event) => event.id === this.id && this.hear(event));
  }

  leave() {
    clearInterval(this.ticking);
    if (this.id) ask("play.leave", { id: this.id }).catch(() => {});
    this.id = null;
  }

  // --- a new game ---------------------------------------------------------------------------------------------------

  async offer() {
    const offer = await ask("play.offer");
    const first = offer.games[0]; // a game of your own, if the server was started with one
    const wish = { game: first.game, size: first.own, height: 0, rules: "chinese", komi: "", handicap: 0, seats: ["you", "level:casual"],
      clock: "", main: 10, extra: 30, periods: 5 };
    const form = h("form", { class: "panel form", onsubmit: (event) => { event.preventDefault(); this.begin(wish); } });
    const board = new Board(), goal = h("p", { class: "soft goal" });
    board.canPlay = false;
    const look = async () => {
      const { layout, position, goal: words } = await ask("play.look", this.#setup(wish));
      board.setLayout(layout);
      board.show(position);
      goal.textContent = words;
    };
    let seen = "";
    const draw = () => {
      form.replaceChildren(...this.#fields(offer, wish, draw));
      const now = JSON.stringify(this.#setup(wish));
      if (now !== seen) look().catch((error) => complain(error.message));
      seen = now;
    };
    draw();
    this.place.replaceChildren(h("div", { class: "two offer" }, h("div", {}, form, this.#savedGames(offer.saved)), h("div", { class: "preview" }, board.element, board.list, goal)));
  }

  #setup(wish) {
    const setup = { game: wish.game, size: wish.size };
    if (wish.game === "go") Object.assign(setup, { rules: wish.rules, handicap: wish.handicap, height: wish.height });
    if (wish.game === "go" && wish.komi !== "") setup.komi = Number(wish.komi);
    return setup;
  }

  #fields(offer, wish, draw) {
    const game = offer.games.find((g) => g.game === wish.game), isGo = wish.game === "go";
    const set = (name) => (value) => { wish[name] = value; draw(); };
    const opponents = [["you", T.play.you], ...offer.levels.map((name) => [`level:${name}`, `Tesuji, ${T.levels[name].toLowerCase()}`]),
      ...offer.players.filter((p) => !p.games.length || p.games.includes(wish.game)).map((p) => [`player:${p.name}`, p.name])];
    const seat = (i) => choice(opponents, wish.seats[i], (value) => { wish.seats[i] = value; });
    const numberField = (name, least, most, step = 1) => h("input", { type: "number", min: least, max: most, step, value: wish[name],
      onchange: (e) => { wish[name] = e.target.value; } });
    const usual = isGo ? [9, 13, 19] : [];
    const handicaps = isGo ? game.handicap[wish.size] : 0;
    return [
      h("h2", {}, T.play.new),
      field(T.play.game, choice(offer.games.map((g) => [g.game, g.title]), wish.game, (value) => {
        const chosen = offer.games.find((g) => g.game === value);
        Object.assign(wish, { game: value, size: chosen.own, height: 0, handicap: 0 });
        draw();
      }, { id: "game" })),
      game.sizes.length > 0 && field(T.play.size, choice(isGo
        ? [...usual, ...game.sizes.filter((n) => !usual.includes(n))].map((n) => [n, `${n}×${n}`]) : game.sizes.map((n) => [n, n]),
        wish.size, (value) => { wish.size = Number(value); wish.height = 0; wish.handicap = Math.min(wish.handicap, game.handicap?.[value] ?? 0); draw(); }, { id: "size" })),
      isGo && h("details", {}, h("summary", {}, `${T.play.rules}, ${T.play.komi}, ${T.play.handicap}`),
        field(T.play.rules, choice(game.rules.map((r) => [r.name, T.rules[r.name] ?? r.name]), wish.rules, set("rules"), { id: "rules" })),
        field(T.play.komi, h("input", { type: "number", step: 0.5, min: -100, max: 100, value: wish.komi,
          placeholder: wish.handicap ? "0.5" : game.rules.find((r) => r.name === wish.rules).komi, onchange: (e) => { wish.komi = e.target.value; } })),
        field(T.play.height, choice([[0, `${wish.size}`], ...game.sizes.filter((n) => n !== wish.size).map((n) => [n, n])], wish.height,
          (value) => { wish.height = Number(value); draw(); })),
        handicaps > 0 && field(T.play.handicap, choice([[0, T.play.even], ...Array.from({ length: handicaps - 1 }, (_, i) => [i + 2, i + 2])],
          wish.handicap, (value) => { wish.handicap = Number(value); draw(); }, { id: "handicap" }))),
      field(isGo ? T.play.black : T.play.first, seat(0)),
      field(isGo ? T.play.white : T.play.second, seat(1)),
      h("details", { open: wish.clock !== "" }, h("summary", {}, T.play.clock),
        field(T.play.clock, choice([["", T.play.noClock], ["absolute", T.play.absolute], ["fischer", T.play.fischer], ["byoyomi", T.play.byoyomi]],
          wish.clock, set("clock"))),
        wish.clock && field(T.play.main, numberField("main", 0, 600, 0.5)),
        wish.clock && wish.clock !== "absolute" && field(wish.clock === "fischer" ? T.play.extra : T.play.period, numberField("extra", 1, 600)),
        wish.clock === "byoyomi" && field(T.play.periods, numberField("periods", 1, 30))),
      h("button", { type: "submit", class: "main", id: "begin" }, T.play.begin),
    ].filter(Boolean);
  }

  #savedGames(saved) {
    const list = h("ul", { class: "documents" }, saved.map(({ id, title, changed_at: at }) => h("li", {},
      h("a", { href: `#/play/${id}` }, title), h("small", {}, new Date(1000 * at).toLocaleDateString()),
      h("button", { type: "button", class: "quiet", "aria-label": `${T.common.remove}: ${title}`, onclick: async (event) => {
        await ask("play.delete", { id });
        event.target.closest("li").remove();
      } }, "×"))));
    return panel(T.play.saved, saved.length ? list : h("p", { class: "soft" }, T.play.noSaved));
  }

  async begin(wish) {
    const setup = this.#setup(wish);
    const clock = wish.clock ? { kind: wish.clock, main_s: 60 * wish.main, extra_s: Number(wish.extra), periods: Number(wish.periods) } : null;
    await this.enter(await ask("play.new", { setup, seats: wish.seats, clock }));
  }

  // --- a game -------------------------------------------------------------------------------------------------------

  async enter(opened) {
    this.id = opened.id;
    at("play", this.id);
    this.about = opened.about;
    this.layout = opened.layout;
    this.board = new Board({ onMove: (move) => this.move({ move }), onCell: (cell) => this.#marks(cell) });
    this.board.setLayout(opened.layout);
    this.status = h("p", { class: "status", role: "status" });
    this.clocks = [0, 1].map((seat) => h("div", { class: `player p${seat}` }));
    this.actions = h("div");
    this.extra = h("div");
    this.moves = h("ol", { class: "moves", tabindex: "0", "aria-label": T.play.moves });
    const typed = h("input", { type: "text", placeholder: T.play.typedHint, autocomplete: "off", spellcheck: "false", "aria-label": T.play.typed });
    const form = h("form", { class: "typed", onsubmit: (event) => {
      event.preventDefault();
      if (typed.value.trim()) this.move({ text: typed.value.trim() });
      typed.value = "";
    } }, typed, h("button", { type: "submit" }, "↵"));
    this.place.replaceChildren(h("div", { class: "table" },
      h("div", { class: "side-a" }, this.board.element, this.board.list),
      h("div", { class: "side-b" }, panel(this.about.title, h("p", { class: "soft" }, this.#conditions()), this.clocks, this.status, this.extra, this.actions, form),
        panel(T.play.moves, this.moves))));
    this.show(opened);
    this.ticking = setInterval(() => this.#tick(), 250);
    this.board.element.focus({ preventScroll: true });
  }

  #conditions() {
    const { about } = this;
    if (about.game !== "go") return about.goal;
    return [`${this.layout.width}×${this.layout.height}`, `${T.rules[about.rules] ?? about.rules}`, `${T.play.komi} ${about.komi}`,
      about.handicap ? `${T.play.handicap} ${about.handicap}` : null].filter(Boolean).join(" · ");
  }

  hear(event) {
    if (event.hints) return this.#showHints(event.hints);
    if (event.position) this.show(event);
    else if (event.remark) complain(event.remark);
  }

  show(state) {
    const before = this.state;
    this.state = state;
    this.shownAt = performance.now();
    const { position, phase, seats } = state;
    this.board.canPlay = phase === "play" && seats[position.turn] === "you";
    this.board.show(position, phase === "score" || state.dead ? { dead: state.dead ?? [] } : {});
    const words = this.#words();
    this.status.textContent = words;
    this.status.classList.toggle("thinking", state.thinking);
    if (before && state.moves.length > before.moves.length && seats[1 - position.turn] !== "you") announce(`${state.moves.at(-1)}. ${words}`);
    this.#drawPlayers();
    this.#drawActions();
    this.#drawExtra();
    this.moves.replaceChildren(...state.moves.map((name) => h("li", {}, name)));
    this.moves.scrollTop = this.moves.scrollHeight;
    if (state.remark) complain(state.remark);
  }

  #words() {
    const { phase, position, seats, thinking, waiting, result } = this.state, { players } = this.layout;
    if (phase === "over") return this.#resultWords(result, players);
    if (phase === "score") return `${T.play.score} ${this.state.score ? this.state.score.text : ""}`;
    const name = players[position.turn];
    if (thinking) return (waiting ? T.play.waits : T.play.thinks)(name);
    return seats[position.turn] === "you" && seats[1 - position.turn] !== "you" ? T.play.yourTurn : T.play.turn(name);
  }

  #resultWords(result, players) {
    if (result === "0") return T.play.draw;
    const winner = players[result[0] === "B" ? 0 : 1], how = result.slice(2);
    return T.play.wins(winner, how === "R" ? T.play.byResignation : how === "T" ? T.play.byTime : how ? T.play.by(Number(how)) : "");
  }

  #drawPlayers() {
    const { seats, position, clocks, phase } = this.state;
    this.clocks.forEach((element, seat) => {
      element.classList.toggle("turn", phase === "play" && position.turn === seat);
      const clock = clocks?.[seat];
      element.replaceChildren(...[h("span", { class: `dot p${seat}`, "aria-hidden": "true" }), h("span", { class: "name" }, `${this.layout.players[seat]}: ${who(seats[seat])}`),
        position.captured && h("small", {}, `${position.captured[seat]} ${T.play.captured}`),
        clock && h("span", { class: "clock" }, this.#clockText(clock, 0))].filter(Boolean));
    });
  }

  #clockText(clock, passed) {
    return time(clock.left_s - passed) + (clock.periods ? ` (${clock.periods})` : "");
  }

  #tick() {
    if (!this.state?.clocks || this.state.phase !== "play") return;
    const passed = (performance.now() - this.shownAt) / 1000;
    this.state.clocks.forEach((clock, seat) => {
      const element = this.clocks[seat].querySelector(".clock");
      if (element && clock.runs) element.textContent = this.#clockText(clock, passed);
    });
  }

  #drawActions() {
    const { phase, position, seats, moves } = this.state, simply = (name) => () => this.do(name);
    const yours = seats.includes("you"), canPass = this.layout.has_pass && (position.legal || position.pass !== null);
    const list = phase === "play" ? [
      yours && canPass && [T.play.pass, () => this.#pass(), { disabled: seats[position.turn] !== "you", id: "pass" }],
      yours && [T.play.undo, simply("play.undo"), { disabled: moves.length === 0, id: "undo" }],
      yours && [T.play.hint, simply("play.hint"), { disabled: seats[position.turn] !== "you", id: "hint" }],
      yours && [T.play.resign, () => confirm(T.play.askResign) && this.do("play.resign"), { id: "resign" }],
    ] : phase === "score" ? [
      [T.play.accept, simply("play.accept"), { class: "main", id: "accept" }],
      [T.play.resume, simply("play.resume"), { id: "resume" }],
    ] : [
      [T.play.again, () => { location.hash = "#/play"; }, { class: "main" }],
      yours && [T.play.undo, simply("play.undo"), { id: "undo" }],
    ];
    if (moves.length) list.push([T.play.sgf, () => this.#saveRecord()]);
    if (moves.length && this.layout.cells.length) list.push([T.pictures.board, () => savePicture(this.board.svg, this.about.game)]);
    if (moves.length && this.about.game === "go") list.push([T.play.study, () => this.#study(), { id: "study" }]);
    const focused = document.activeElement?.id;
    this.actions.replaceChildren(buttons(...list));
    if (focused && this.actions.querySelector(`#${CSS.escape(focused)}`)) document.getElementById(focused).focus();
  }

  #drawExtra() {
    const { phase, thought } = this.state;
    if (phase === "score") return this.extra.replaceChildren(h("p", { class: "soft" }, T.play.scoreHint));
    this.extra.replaceChildren(...(thought && thought.winrate !== null && phase === "play" ? [h("details", { class: "thought" },
      h("summary", {}, T.play.expects(this.layout.players[thought.seat], percent(thought.winrate))),
      thought.line.length > 0 && h("p", { class: "soft" }, `${T.play.line} ${thought.line.join(" ")}`))] : []));
  }

  #showHints(hints) {
    this.board.show(this.state.position, { marks: hints.map(({ name }, i) => ({ cell: this.layout.names.findIndex((n) => n.toLowerCase() === name.toLowerCase()),
      kind: "hint", text: String(i + 1) })).filter(({ cell }) => cell >= 0) });
    this.extra.replaceChildren(h("table", {}, h("tbody", {}, hints.map((hint, i) => h("tr", {}, h("th", { scope: "row" }, `${i + 1}`), h("td", {}, hint.name),
      h("td", {}, percent(hint.winrate)), h("td", { class: "soft" }, number(hint.visits)), h("td", { class: "soft" }, hint.line.slice(0, 5).join(" ")))))));
    announce(hints.map(({ name, winrate }) => `${name}, ${percent(winrate)}`).join("; "));
  }

  #marks(cell) {
    if (this.state.phase !== "score") return false;
    this.do("play.dead", { point: cell });
    return true;
  }

  #pass() {
    const { position } = this.state;
    this.move({ move: position.legal ? position.legal.length : position.pass });
  }

  async move(what) {
    try {
      const state = await ask("play.move", { id: this.id, ...what });
      if (state.moves.length >= (this.state.moves.length ?? 0)) this.show(state);
    } catch (error) {
      complain(error.message);
    }
  }

  async do(command, more = {}) {
    const state = await ask(command, { id: this.id, ...more });
    if (state?.position) this.show(state);
  }

  async #saveRecord() {
    const { text, name } = await ask("play.sgf", { id: this.id });
    download(`${name}.${this.about.game === "go" ? "sgf" : "txt"}`, text, "text/plain");
  }

  async #study() {
    const { text } = await ask("play.sgf", { id: this.id });
    const { id } = await ask("study.open", { text });
    location.hash = `#/study/${id}`;
  }
}
