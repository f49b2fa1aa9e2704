// Times for people. The page keeps relative ones current.

import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";
import { h } from "./dom.ts";

export function milliseconds(time: Timestamp): number {
  return Number(time.seconds) * 1000 + Math.floor(time.nanos / 1e6);
}

// How long ago, or how soon, in the largest unit that says it.
export function relative(then: number, now: number): string {
  const seconds = Math.round(Math.abs(now - then) / 1000);
  const ahead = then > now + 999;
  const amount = spelled(seconds);
  if (seconds < 5) {
    return "now";
  }
  return ahead ? `in ${amount}` : `${amount} ago`;
}

export function spelled(seconds: number): string {
  if (seconds < 60) {
    return `${seconds} s`;
  }
  if (seconds < 3600) {
    return `${Math.floor(seconds / 60)} min`;
  }
  if (seconds < 48 * 3600) {
    return `${Math.floor(seconds / 3600)} h`;
  }
  return `${Math.floor(seconds / 86_400)} d`;
}

const pad = (number: number): string => String(number).padStart(2, "0");

// The date and the time of day where the reader is, to the second.
export function absolute(at: number): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

// A relative time with the absolute one behind it.
export function ago(time: Timestamp | undefined, otherwise = ""): Node {
  if (time === undefined) {
    return document.createTextNode(otherwise);
  }
  const at = milliseconds(time);
  return h(
    "time",
    { datetime: new Date(at).toISOString(), title: absolute(at), "data-relative": String(at) },
    relative(at, Date.now()),
  );
}

// A time of day, for lists.
export function clock(time: Timestamp | undefined): Node {
  if (time === undefined) {
    return document.createTextNode("");
  }
  const at = milliseconds(time);
  const whole = absolute(at);
  const today = whole.slice(0, 10) === absolute(Date.now()).slice(0, 10);
  return h(
    "time",
    { datetime: new Date(at).toISOString(), title: whole },
    today ? whole.slice(11) : whole.slice(5, 16),
  );
}

export function refreshTimes(root: ParentNode, now: number): void {
  for (const element of root.querySelectorAll("[data-relative]")) {
    const text = relative(Number(element.getAttribute("data-relative")), now);
    if (element.textContent !== text) {
      element.textContent = text;
    }
  }
}

export function duration(value: Duration | undefined): string {
  if (value === undefined) {
    return "";
  }
  const whole = Number(value.seconds) * 1000 + value.nanos / 1e6;
  if (whole === 0) {
    return "0";
  }
  if (whole < 1) {
    return `${Math.round(whole * 1000)} µs`;
  }
  return whole < 1000 ? `${whole.toFixed(1)} ms` : `${(whole / 1000).toFixed(1)} s`;
}
