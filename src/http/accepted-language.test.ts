import { expect, test } from "vitest";
import { acceptedLanguage } from "./accepted-language.ts";

test.each([
  ["ja", "ja"],
  ["ja-JP,ja;q=0.9,en-US;q=0.8,en;q=0.7", "ja"],
  ["EN-us", "en"],
  ["fr-CA, fr;q=0.9, en;q=0.8", "en"],
  ["jam, enm", null],
  ["*", null],
  ["", null],
  [undefined, null],
])("%s: %s", (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});
