import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { brunoFiles, COLLECTION } from "../../scripts/bruno-collection.ts";

const document = JSON.parse(readFileSync(join(import.meta.dirname, "../../openapi.json"), "utf8"));

test("the Bruno collection is made from the document, one request an operation", () => {
  const kept = readdirSync(COLLECTION, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = new Map(kept.map((path) => [relative(COLLECTION, path), readFileSync(path, "utf8")]));
  const expected = brunoFiles(document);
  expect([...files.keys()].sort(), "npm run bruno writes it anew").toEqual([...expected.keys()].sort());
  for (const [path, text] of expected) expect(files.get(path), path).toBe(text);
  const operations = Object.values<object>(document.paths).flatMap((methods) => Object.keys(methods));
  expect(kept.filter((path) => path.endsWith(".bru"))).toHaveLength(operations.length + 2);
});
