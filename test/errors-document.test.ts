import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ERRORS_DOCUMENT, errorsDocument } from "../scripts/errors-document.ts";
import { PROBLEMS } from "../src/problems.ts";

test("docs/errors.md is what npm run errors makes", async () => {
  expect(await readFile(ERRORS_DOCUMENT, "utf8")).toBe(errorsDocument());
});

test("codes are snake_case, and every one has a row", () => {
  for (const code of Object.keys(PROBLEMS)) {
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect(errorsDocument()).toContain(`| \`${code}\` |`);
  }
});
