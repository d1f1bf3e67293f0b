// A record as a drawn tree: the main line on top, variations below it, the place marked and kept in sight.

import { s } from "./dom.js";

const X = 26, Y = 26, MOST = 1500;

export function treeView(place, nodes, at, go) {
  const children = new Map(), parents = new Map(), byId = new Map();
  for (const node of nodes) {
    byId.set(node[0], node);
    parents.set(node[0], node[1]);
    if (!children.has(node[1])) children.set(node[1], []);
    children.get(node[1]).push(node[0]);
  }
  const shown = near(nodes, parents, children, at), spots = lay(nodes[0][0], children, shown);
  const width = 20 + X * (1 + Math.max(...[...spots.values()].map(([x]) => x))), height = 20 + Y * (1 + Math.max(...[...spots.values()].map(([, y]) => y)));
  const lines = [], dots = [];
  for (const [id, [x, y]] of spots) {
    const [, parent, color, name, said] = byId.get(id), above = spots.get(parent), cx = 16 + x * X, cy = 16 + y * Y;
    if (above) lines.push(`M${16 + above[0] * X} ${16 + above[1] * Y}L${16 + (x - 1) * X + (y > above[1] ? X / 2 : 0)} ${y > above[1] ? cy - Y / 2 : cy}L${cx} ${cy}`);
    dots.push(s("g", { class: `tree-node ${color || "none"}${id === at ? " at" : ""}${said ? " said" : ""}`, onclick: () => go(id) },
      s("title", {}, name || "·"), s("circle", { cx, cy, r: color ? 9 : 5 }), color && s("text", { x: cx, y: cy }, String(depth(id, parents, byId)))));
  }
  const scroll = [place.scrollLeft, place.scrollTop];
  place.replaceChildren(s("svg", { width, height, class: "tree-svg" }, s("path", { d: lines.join(""), class: "tree-line" }), dots));
  [place.scrollLeft, place.scrollTop] = scroll;
  const [x, y] = spots.get(at) ?? [0, 0];
  const [left, top] = [16 + x * X, 16 + y * Y];
  if (left < place.scrollLeft + 30 || left > place.scrollLeft + place.clientWidth - 30) place.scrollLeft = left - place.clientWidth / 2;
  if (top < place.scrollTop + 20 || top > place.scrollTop + place.clientHeight - 20) place.scrollTop = top - place.clientHeight / 2;
}

// Of a large record only what is near: the way to the place, what follows, and the variations beside it.
function near(nodes, parents, children, at) {
  if (nodes.length <= MOST) return null;
  const shown = new Set();
  for (let id = at; id !== undefined && id !== -1; id = parents.get(id)) shown.add(id);
  const pending = [at, ...[...shown].slice(0, 60)];
  while (pending.length && shown.size < MOST) {
    const id = pending.shift();
    for (const child of children.get(id) ?? []) if (!shown.has(child) || child === at) { shown.add(child); pending.push(child); }
  }
  return shown;
}

function lay(root, children, shown) {
  const spots = new Map(), free = [];  // the first free row from each column on
  const pending = [[root, 0, 0]];
  while (pending.length) {
    const [id, x, least] = pending.pop();
    const run = [];
    for (let node = id; node !== undefined; node = (children.get(node) ?? []).find((c) => !shown || shown.has(c))) run.push(node);
    let y = least;
    for (let i = 0; i < run.length; i += 1) y = Math.max(y, free[x + i] ?? 0);
    run.forEach((node, i) => { spots.set(node, [x + i, y]); free[x + i] = y + 1; });
    if (x > 0) free[x - 1] = Math.max(free[x - 1] ?? 0, y + 1);
    for (let i = 0; i < run.length; i += 1) {
      const others = (children.get(run[i]) ?? []).filter((c) => !shown || shown.has(c)).slice(1).reverse();
      for (const other of others) pending.push([other, x + i + 1, y + 1]);
    }
  }
  return spots;
}

const depths = new WeakMap();
function depth(id, parents, byId) {
  let known = depths.get(byId);
  if (!known) depths.set(byId, known = new Map());
  if (known.has(id)) return known.get(id);
  const chain = [];
  let node = id;
  while (node !== -1 && node !== undefined && !known.has(node)) { chain.push(node); node = parents.get(node); }
  let count = known.get(node) ?? 0;
  for (const one of chain.reverse()) {
    if (byId.get(one)[2]) count += 1;
    known.set(one, count);
  }
  return known.get(id);
}
