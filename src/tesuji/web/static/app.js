// The frame around the rooms: where one is (the address), the theme, and what opens when.

import { $, complain, h } from "./dom.js";
import { T, ready } from "./texts.js";
import { connect, whenBack } from "./wire.js";

const ROOMS = ["play", "study", "search", "compare", "pictures", "packing"];
let current = null, shown = "";

async function enter() {
  const [, name = "play", ...rest] = (location.hash || "#/play").split("/");
  const room = ROOMS.includes(name) ? name : "play";
  const address = [room, ...rest].join("/");
  if (address === shown) return;
  shown = address;
  for (const link of $("rooms").children) link.toggleAttribute("aria-current", link.dataset.room === room);
  for (const link of $("rooms").querySelectorAll("[aria-current]")) link.setAttribute("aria-current", "page"), link.scrollIntoView({ block: "nearest", inline: "nearest" });
  document.title = `${T.rooms[room]} · Tesuji`;
  current?.leave?.();
  try {
    const { open } = await import(`./${room}.js`);
    if (shown !== address) return;
    const place = h("div", { class: `room ${room}` });
    $("room").replaceChildren(h("h1", { class: "unseen" }, T.rooms[room]), place);
    current = await open(place, rest.map(decodeURIComponent));
  } catch (error) {
    complain(error.message);
    if (rest.length) location.hash = `#/${room}`;
  }
}

// A room says where it is without being entered again.
export function at(...parts) {
  const address = parts.map(encodeURIComponent).join("/");
  if (shown === address) return;
  shown = address;
  history.replaceState(null, "", `#/${address}`);
}

function setTheme(theme) {
  if (theme === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", theme);
  $("theme").textContent = { auto: "◐", light: "☀", dark: "☾" }[theme];
  $("theme").setAttribute("aria-label", `${T.theme.label}: ${T.theme[theme]}`);
  $("theme").title = `${T.theme.label}: ${T.theme[theme]}`;
  try { localStorage.setItem("theme", theme); } catch { /* a browser that keeps nothing */ }
}

function storedTheme() {
  try { return localStorage.getItem("theme") ?? "auto"; } catch { return "auto"; }
}

await ready;
document.documentElement.lang = T.language;
let theme = storedTheme();
setTheme(["auto", "light", "dark"].includes(theme) ? theme : "auto");
$("theme").addEventListener("click", () => {
  theme = { auto: "light", light: "dark", dark: "auto" }[theme] ?? "light";
  setTheme(theme);
});
$("rooms").append(...ROOMS.map((room) => h("a", { href: `#/${room}`, "data-room": room }, T.rooms[room])));
whenBack(() => { shown = ""; enter(); });
window.addEventListener("hashchange", enter);
window.addEventListener("unhandledrejection", (event) => { complain(event.reason?.message ?? String(event.reason)); });
connect();
enter();
