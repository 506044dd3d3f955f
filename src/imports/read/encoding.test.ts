import fc from "fast-check";
import { expect, test } from "vitest";
import { decoderOf, probeEncoding } from "./encoding.ts";

const text = fc.array(fc.constantFrom("a", "é", "日", "①", "髙", "😀", ",", "\n", "\r\n"), {
  minLength: 1,
  maxLength: 40,
});

/** Bytes in pieces of a length. */
function pieces(bytes: Buffer, length: number): Buffer[] {
  const count = Math.ceil(bytes.length / length);
  return Array.from({ length: count }, (_, n) => bytes.subarray(n * length, (n + 1) * length));
}

test("what is UTF-8 or UTF-16 is recognised and read back, wherever its bytes are cut", () => {
  const encodings = fc.constantFrom("utf-8", "utf-8 with a mark", "utf-16le", "utf-16be");
  fc.assert(
    fc.property(text, encodings, fc.integer({ min: 1, max: 9 }), (characters, name, length) => {
      const written = characters.join("");
      const marked = name === "utf-8" ? written : `\uFEFF${written}`;
      const plain = Buffer.from(marked, name.startsWith("utf-8") ? "utf8" : "utf16le");
      const bytes = name === "utf-16be" ? plain.swap16() : plain;
      const probe = probeEncoding();
      const [first = bytes, ...rest] = pieces(bytes, Math.max(2, length));
      for (const piece of [first, ...rest]) probe.add(piece);
      const encoding = probe.encoding();
      expect(encoding).toBe(name.startsWith("utf-8") ? "utf-8" : name);
      const decoder = decoderOf(encoding);
      const read = pieces(bytes, length).map((piece) => decoder.decode(piece, { stream: true }));
      expect(read.join("") + decoder.decode()).toBe(written);
    }),
  );
});

test("other bytes are taken for Shift_JIS, which reads what Windows writes", () => {
  const probe = probeEncoding();
  const bytes = Buffer.from("8381815b838b2c8740fbfc81600d0a", "hex");
  probe.add(bytes);
  expect([probe.encoding(), probe.lineCount()]).toEqual(["shift_jis", 1]);
  expect(decoderOf("shift_jis").decode(bytes)).toBe("メール,①髙～\r\n");
});
