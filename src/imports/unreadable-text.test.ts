import { expect, test } from "vitest";
import { decoderOf, probeEncoding } from "./read/encoding.ts";
import { unreadableText } from "./unreadable-text.ts";

/** The bytes of the letters in Windows-1250, as Latin-1 characters. */
const polish = (letter: string) => ({ Ż: "\xaf", ł: "\xb3", ą: "\xb9" })[letter] ?? letter;

test("who brings a file in Windows-1250 is told how to save it", () => {
  const bytes = Buffer.from(
    "email,name,points\r\njacek@example.com,Jacek Żołądek,120\r\n".replaceAll(/[Żłą]/g, polish),
    "latin1",
  );
  const probe = probeEncoding();
  probe.add(bytes);
  expect(() => decoderOf(probe.encoding()).decode(bytes)).toThrow(TypeError);
  expect(unreadableText("not_this_encoding", 1)).toBe(
    'The file cannot be read: after line 1 there are characters in another encoding. Save it as "CSV UTF-8" and import that.',
  );
});
