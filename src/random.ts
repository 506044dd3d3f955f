import { randomBytes } from "node:crypto";
import type { Random } from "./deps.ts";

const COUNT_MAX = 0xfff;
const COUNTS = Array.from({ length: COUNT_MAX + 1 }, (_, count) => count.toString(16).padStart(3, "0"));
const TAIL_BYTES = 8;
const TAILS = 1_024;
/** `-8xxx-xxxxxxxxxxxx` */
const TAIL_LENGTH = 18;

/**
 * The random source of a process. Its UUIDv7 are strictly ascending, unlike those of `crypto.randomUUIDv7`: the 12 bits after the milliseconds are a
 * counter within a millisecond. If 4,096 are not enough, the time part runs ahead of the machine's clock.
 */
export function createRandom(): Random {
  let tails = "";
  let used = TAILS;
  let lastMs = 0;
  let timePart = "";
  let count = 0;

  function tick(): void {
    const nowMs = Date.now();
    if (nowMs > lastMs) startAt(nowMs);
    else if (++count > COUNT_MAX) startAt(lastMs + 1);
  }

  function startAt(ms: number): void {
    lastMs = ms;
    count = 0;
    const digits = ms.toString(16).padStart(12, "0");
    timePart = `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
  }

  function uid(): string {
    tick();
    if (used === TAILS) {
      tails = makeTails();
      used = 0;
    }
    const at = used++ * TAIL_LENGTH;
    return `${timePart}${COUNTS[count]}${tails.slice(at, at + TAIL_LENGTH)}`;
  }

  return { uid, bytes: (length) => randomBytes(length), fraction: () => Math.random() };
}

/** Creates the random parts of the next UUIDs together: creating them one by one would be most of the cost of a UUID. */
function makeTails(): string {
  const bytes = randomBytes(TAILS * TAIL_BYTES);
  for (let at = 0; at < bytes.length; at += TAIL_BYTES) bytes[at] = ((bytes[at] ?? 0) & 0x3f) | 0x80; // the variant
  const digits = bytes.toString("hex");
  let tails = "";
  for (let at = 0; at < digits.length; at += 2 * TAIL_BYTES) {
    tails += `-${digits.slice(at, at + 4)}-${digits.slice(at + 4, at + 2 * TAIL_BYTES)}`;
  }
  return tails;
}
