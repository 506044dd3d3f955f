import { readInt32 } from "../db/binary-row.ts";

const UUID_BYTES = 16;
const WORDS = UUID_BYTES / 4;
const FREE = -1;

/** Maps customer uids to numbers from 0 on, in little memory: 16 bytes and two slots of four bytes per customer. */
export interface CustomerTable {
  /** Returns the number of the uid that begins at `start`, adding it if it is new; null: the table is full. */
  add(bytes: Buffer, start: number): number | null;
  /** Returns the number of the uid, or null if it has none. */
  find(bytes: Buffer, start: number): number | null;
  count(): number;
}

/** Creates a table for at most `max` customers. */
export function createCustomerTable(max: number): CustomerTable {
  const mask = 2 ** Math.ceil(Math.log2(Math.max(2, max * 2))) - 1;
  const places = new Int32Array(mask + 1).fill(FREE);
  const keys = new Int32Array(max * WORDS);
  // the sought uid
  let [a, b, c, d] = [0, 0, 0, 0];
  let count = 0;

  /** Returns the slot of the sought uid, or the free slot where it belongs. */
  function placeOf(): number {
    for (let place = (a ^ b ^ c ^ d) & mask; ; place = (place + 1) & mask) {
      const n = places[place] ?? FREE;
      if (n === FREE) return place;
      const at = n * WORDS;
      if (keys[at + 3] === d && keys[at + 2] === c && keys[at + 1] === b && keys[at] === a) return place;
    }
  }

  function read(bytes: Buffer, start: number): void {
    a = readInt32(bytes, start);
    b = readInt32(bytes, start + 4);
    c = readInt32(bytes, start + 8);
    d = readInt32(bytes, start + 12);
  }

  return {
    add(bytes, start) {
      read(bytes, start);
      const place = placeOf();
      const known = places[place] ?? FREE;
      if (known !== FREE) return known;
      if (count === max) return null;
      keys.set([a, b, c, d], count * WORDS);
      places[place] = count;
      return count++;
    },
    find(bytes, start) {
      read(bytes, start);
      const n = places[placeOf()] ?? FREE;
      return n === FREE ? null : n;
    },
    count: () => count,
  };
}
