// The one connection to the server: requests with answers, and events. It comes back by itself after a restart.

import { $ } from "./dom.js";
import { T } from "./texts.js";

const waiting = new Map();
const listeners = new Map();
let socket = null, number = 0, delay = 200, isBack = () => {};
let queue = [];

export const on = (event, listener) => listeners.set(event, listener);
export const whenBack = (action) => { isBack = action; };

export function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
  let wasOpen = false;
  socket.onopen = () => {
    wasOpen = true;
    const isReturn = !$("offline").hidden;
    $("offline").hidden = true;
    delay = 200;
    for (const data of queue) socket.send(data);
    queue = [];
    if (isReturn) isBack();
  };
  socket.onmessage = (message) => {
    const { n, of, error, event } = JSON.parse(message.data);
    if (event) return listeners.get(event)?.(of);
    const { answer, fail } = waiting.get(n) ?? {};
    waiting.delete(n);
    if (error === undefined) answer?.(of);
    else fail?.(new Error(error));
  };
  socket.onclose = () => {
    for (const { fail } of waiting.values()) fail(new Error(T.connection.lost));
    waiting.clear();
    queue = [];
    $("offline").textContent = wasOpen || delay > 200 ? T.connection.waiting : T.connection.first;
    $("offline").hidden = false;
    delay = Math.min(5000, 2 * delay);
    setTimeout(connect, delay);
  };
}

export function ask(command, of = {}) {
  number += 1;
  const n = number, data = JSON.stringify({ n, do: command, of });
  return new Promise((answer, fail) => {
    waiting.set(n, { answer, fail });
    if (socket.readyState === WebSocket.OPEN) socket.send(data);
    else queue.push(data);
  });
}
