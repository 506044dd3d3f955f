const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?![\d.eE])|-?\d[\d.eE+-]*/g;

/** Parses JSON; an integer that a number cannot hold exactly becomes a string of its digits. Throws SyntaxError. */
export function parseExactJson(text: string): unknown {
  return JSON.parse(
    text.replace(TOKEN, (token) =>
      /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
    ),
  );
}

/** Writes JSON; a bigint becomes a string of its digits. Throws TypeError for an integer that a number cannot hold exactly. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (name, part: unknown) => {
    if (typeof part === "bigint") return part.toString();
    if (typeof part === "number" && Number.isInteger(part) && !Number.isSafeInteger(part)) {
      throw new TypeError(`${name}: ${part} is not exact; pass a string or a bigint`);
    }
    return part;
  });
}
