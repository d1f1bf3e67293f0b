// All words of the page. Another language is another file beside texts.en.js, with the same names, and its code here.

const LANGUAGES = ["en"];
export const T = {};
const wanted = navigator.languages.map((code) => code.slice(0, 2)).find((code) => LANGUAGES.includes(code)) ?? "en";
export const ready = import(`./texts.${wanted}.js`).then(({ texts }) => Object.assign(T, texts));
