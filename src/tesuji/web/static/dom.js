// Elements from words: text is always text, never markup. There is no other way into the page.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);
export const s = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);
export const $ = (id) => document.getElementById(id);

// Says something to people who listen instead of looking.
export function announce(words) {
  const place = $("said");
  place.textContent = "";
  requestAnimationFrame(() => { place.textContent = words; });
}

let fading = 0;
export function complain(words) {
  const place = $("toast");
  place.textContent = words;
  place.className = "shown";
  clearTimeout(fading);
  fading = setTimeout(() => { place.className = ""; place.textContent = ""; }, 6000);
}

// A row of buttons: [text, action, options].
export const buttons = (...list) => h("div", { class: "buttons" }, list.filter(Boolean).map(([text, action, more]) =>
  h("button", { type: "button", onclick: action, ...more }, text)));

export function field(label, control, hint) {
  return h("label", { class: "field" }, h("span", {}, label), control, hint && h("small", {}, hint));
}

export const choice = (options, chosen, onchange, more) => h("select", { onchange: (e) => onchange?.(e.target.value), ...more },
  options.map(([value, text]) => h("option", { value, selected: String(value) === String(chosen) }, text)));

export const panel = (title, ...children) => h("section", { class: "panel" }, title && h("h2", {}, title), children);

// Leaves a file with the person; it never touches the server's disk.
export function download(name, content, type) {
  const data = type.startsWith("text/") || type.includes("svg") || type.includes("json")
    ? content : Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([data], { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// A drawn board as a file of its own: the styles that the page gave it go with it.
export function savePicture(svg, name) {
  const copy = svg.cloneNode(true), originals = [svg, ...svg.querySelectorAll("*")], copies = [copy, ...copy.querySelectorAll("*")];
  const kept = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "opacity", "stroke-opacity", "stop-color", "font-size", "font-weight", "font-family", "text-anchor", "dominant-baseline"];
  originals.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const property of kept) if (style.getPropertyValue(property)) copies[i].setAttribute(property, style.getPropertyValue(property));
    copies[i].removeAttribute("class");
  });
  const [x, y, width, height] = svg.getAttribute("viewBox").split(" ");
  const ground = s("rect", { x, y, width, height, fill: getComputedStyle(svg.parentElement).backgroundColor });
  copy.insertBefore(ground, copy.firstChild);
  copy.setAttribute("xmlns", SVG);
  download(`${name}.svg`, new XMLSerializer().serializeToString(copy), "image/svg+xml");
}

export function pickFile(accept, read, asBytes) {
  const input = h("input", { type: "file", accept });
  input.addEventListener("change", async () => {
    const file = input.files[0];
    if (!file) return;
    if (!asBytes) return read(await file.text(), file.name);
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    read(btoa(text), file.name);
  });
  input.click();
}

export const percent = (x) => `${Math.round(100 * x)} %`;
export const number = (x) => Number(x).toLocaleString("en");
export const time = (seconds) => {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};
