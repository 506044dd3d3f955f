/** Encodes text like a Japanese Excel. Throws for a character that Shift_JIS lacks. */
export function shiftJis(text: string): Buffer<ArrayBuffer> {
  return Buffer.concat(
    [...text].map((character) => {
      const bytes = BYTES.get(character);
      if (bytes === undefined) throw new Error(`Shift_JIS has no ${character}`);
      return bytes;
    }),
  );
}

const BYTES = bytesOfCharacters();

/** The inverse of the decoder: the bytes for each character. */
function bytesOfCharacters(): ReadonlyMap<string, Buffer> {
  const decoder = new TextDecoder("shift_jis");
  const codes = Array.from({ length: 65_536 }, (_, code) => code);
  const found = new Map<string, Buffer>();
  for (const code of codes) {
    const bytes = code < 256 ? Buffer.of(code) : Buffer.of(code >> 8, code & 255);
    const read = decoder.decode(bytes);
    if ([...read].length === 1 && read !== "\uFFFD" && !found.has(read)) found.set(read, bytes);
  }
  return found;
}
