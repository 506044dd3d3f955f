import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { failureLine } from "./failure-line.ts";

test("a file that cannot be used is one line, which names it and says what to do; a bug is its stack", () => {
  const path = `${import.meta.filename}/below`;
  let failure: unknown;
  try {
    readFileSync(path);
  } catch (error) {
    failure = error;
  }
  expect(failureLine(failure)).toBe(`ENOTDIR: not a directory, open '${path}'. A part of this path is a file.`);
  expect(failureLine(new Error("a bug")).split("\n").length).toBeGreaterThan(1);
});
