import fc from "fast-check";
import { expect, test } from "vitest";
import { decoderOf, probeEncoding } from "./encoding.ts";

const text = fc.array(fc.constantFrom("a", "é", "日", "①", "髙", "😀", ",", "\n", "\r\n"), {
  minLength: 1,
  maxLength: 40,
});

/** Splits bytes into pieces of a length. */
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

test.each([
  ["email,name,points\r\na@b.example,Ann,5\r\n"],
  ["メールアドレス,お名前,ポイント残高\r\nhanako@store.example,一条　三丁目 太郎,1200\r\n"],
  ["id,points\n7,1\n"],
])("UTF-16 without a byte order mark is recognised by its zeros: %j", (written) => {
  const little = Buffer.from(written, "utf16le");
  const big = Buffer.from(little).swap16();
  for (const [bytes, encoding] of [
    [little, "utf-16le"],
    [big, "utf-16be"],
  ] as const)
    for (const length of [1, 7, bytes.length]) {
      const probe = probeEncoding();
      for (const piece of pieces(bytes, length)) probe.add(piece);
      expect(probe.encoding()).toBe(encoding);
      expect(decoderOf(encoding).decode(bytes)).toBe(written);
    }
});

test("a stray zero byte, and bytes that are no text, make no UTF-16", () => {
  const stray = Buffer.from(`email,points\na@b.example,5\n\0${"c@d.example,7\n".repeat(20)}`);
  for (const bytes of [stray, Buffer.alloc(1_000)]) {
    const probe = probeEncoding();
    probe.add(bytes);
    expect(probe.encoding()).toBe("utf-8");
  }
});

test("other bytes are taken for Shift_JIS, which reads what Windows writes", () => {
  const probe = probeEncoding();
  const bytes = Buffer.from("8381815b838b2c8740fbfc81600d0a", "hex");
  probe.add(bytes);
  expect([probe.encoding(), probe.lineCount()]).toEqual(["shift_jis", 1]);
  expect(decoderOf("shift_jis").decode(bytes)).toBe("メール,①髙～\r\n");
});

/** The encoding of Windows in Western Europe: the bytes of Latin-1 and a few signs. */
function western(text: string): Buffer {
  return Buffer.from(text.replaceAll("€", "\x80").replaceAll("’", "\x92"), "latin1");
}

test.each([
  ["valid Shift_JIS by chance, a kanji each", "id,name\n1,Renée Dubois\n2,Hélène Irène\n"],
  ["no Shift_JIS", "id,name\n1,José García\n2,Müller\n3,Søren Ångström\n"],
  ["capitals", "ID,NAME\n1,JOSÉ MÜLLER\n"],
  ["two letters together, and at the end of the file", "id,name\n1,Größe Aïoé"],
  ["signs", "id,name,note\n1,Zoë,spent 12,00 €\n2,Chloé,l’été\n"],
])("%s: accented letters between others are Windows-1252", (_, text) => {
  const bytes = western(text);
  for (const length of [1, 7, bytes.length]) {
    const probe = probeEncoding();
    for (const piece of pieces(bytes, length)) probe.add(piece);
    expect(probe.encoding()).toBe("windows-1252");
  }
  expect(decoderOf("windows-1252").decode(bytes)).toBe(text);
});

test.each([
  ["names in kanji and kana", "93635c2c8e52936388ea98592c836283678389", "shift_jis"],
  ["half-width katakana", "41d4cfc0de2c42d0b7", "shift_jis"],
  ["one kanji of two bytes that are letters in Windows-1252", "8e522c9f5c", "shift_jis"],
  ["Cyrillic, which would be read as other letters", "cff0e8e2e5f22cece8f0", "utf-8"],
  ["Polish, which would be read as half-width katakana", "4a6f2c5aaf6fb3b9642c", "utf-8"],
  ["Turkish", "416bfeee6e2cfdff6ffe", "utf-8"],
  ["UTF-8 with one byte that was cut off", "4a6f73c3a92c4a6f73c3a92c4a6f73c3", "utf-8"],
])("%s: is taken for nothing that it is not", (_, hex, encoding) => {
  const bytes = Buffer.from(hex, "hex");
  for (const length of [1, bytes.length]) {
    const probe = probeEncoding();
    for (const piece of pieces(bytes, length)) probe.add(piece);
    expect(probe.encoding()).toBe(encoding);
  }
});
