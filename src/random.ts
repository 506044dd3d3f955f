import { randomBytes, randomFillSync } from "node:crypto";
import type { Random } from "./deps.ts";

const POOL_BYTES = 8_192;
const COUNT_MAX = 0xfff;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/**
 * The random source of a process. Its UUIDv7 rise strictly: the 12 bits after the milliseconds count within one, which those of
 * `crypto.randomUUIDv7` do not; where 4,096 are not enough, the time part runs ahead of the machine's clock.
 */
export function createRandom(): Random {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
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
    if (used + 8 > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const byte = (at: number) => HEX[pool[used + at] ?? 0] ?? "";
    const variant = HEX[((pool[used] ?? 0) & 0x3f) | 0x80] ?? "";
    const tail = `${variant}${byte(1)}-${byte(2)}${byte(3)}${byte(4)}${byte(5)}${byte(6)}${byte(7)}`;
    used += 8;
    return `${timePart}${(count >> 8).toString(16)}${HEX[count & 0xff]}-${tail}`;
  }

  return { uid, bytes: (length) => randomBytes(length), fraction: () => Math.random() };
}
