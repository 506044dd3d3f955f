import { expect, test } from "vitest";
import { PROBLEMS } from "../../src/problems.ts";
import { refusalInJapanese } from "./refusals-ja.ts";

const TITLES = Object.values(PROBLEMS).map(([, title]) => title);

test.each(TITLES)("the refusal %s has Japanese words", (title) => {
  expect(refusalInJapanese(title)).toMatch(/[ぁ-んァ-ヶ一-龠]{3}/);
});

test.each([
  ["expected 12 to 200 characters", "12〜200文字で入力してください"],
  ["expected a string of 1 to 255 characters", "1〜255文字で入力してください"],
  ["expected an integer from 1 to 1200 or null", "1〜1200の整数で入力してください"],
  ["is required: expected an integer of at least 1", "入力してください"],
  ['expected one of "a", "b"', '次のいずれかを指定してください: "a", "b"'],
  ["something that nobody foresaw", "something that nobody foresaw"],
])("%s", (detail, japanese) => {
  expect(refusalInJapanese(detail)).toBe(japanese);
});
