import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { codeOf, PROBLEMS } from "../src/problems.ts";

const PAGE = readFileSync(new URL("../docs/errors.md", import.meta.url), "utf8");

test("docs/errors.md has a row for every code, with its status and title", () => {
  const rows = [...PAGE.matchAll(/^\| `(\w+)` \| (\d+) \| ([^|]+) \| ([^|]+) \|$/gm)];
  const told = Object.fromEntries(rows.map(([, code, status, title]) => [code, [Number(status), title]]));
  expect(told).toEqual(PROBLEMS);
});

test("a code is found again by its status and title, which no other code has", () => {
  for (const [code, [status, title]] of Object.entries(PROBLEMS)) expect(codeOf(status, title)).toBe(code);
  expect(codeOf(431, "Request Header Fields Too Large")).toBe("request_header_fields_too_large");
});
