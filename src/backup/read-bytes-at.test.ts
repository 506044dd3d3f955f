import { expect, test } from "vitest";
import { readBytesAt } from "./read-bytes-at.ts";

/** A file of a file system that gives at most 5 bytes to one read. */
function fileOf(content: Buffer) {
  const read = async (into: Buffer, offset: number, length: number, position: number) => {
    const bytesRead = content.copy(into, offset, position, position + Math.min(length, 5));
    return { bytesRead, buffer: into };
  };
  return { read };
}

test.each([
  [0, 12, "abcdefghijkl"],
  [3, 7, "defghij"],
  [8, 12, "ijkl"],
  [12, 1, ""],
  [0, 0, ""],
])(
  "from %d, %d bytes are read by as many reads as it takes, and fewer only at the end",
  async (position, size, text) => {
    expect(String(await readBytesAt(fileOf(Buffer.from("abcdefghijkl")), position, size))).toBe(text);
  },
);
